"""UCB1 and BOKE on a finite set against their formulas, and against each other at a small bandwidth."""

import jax.numpy as jnp
import numpy as np
import pytest

from core.policies import FINITE_SET
from core.types import Observations
from tests.core.policies.dense_grid import STEP

ARMS = np.array([[0.0, 0.1], [0.3, 0.1], [0.9, 0.8], [0.5, 0.6]])


def history(pulls: list[int], seed: int) -> Observations:
    y = np.random.default_rng(seed).normal(size=len(pulls)) + np.array([0.0, 0.4, 0.2, 1.0])[pulls]
    return Observations.of(jnp.asarray(ARMS[pulls]), jnp.asarray(y), capacity=16)


PULLS = [0, 1, 2, 3, 1, 1, 3, 2, 0, 1, 3]


@pytest.mark.parametrize("kernel", ["epanechnikov", "gaussian", "uniform"])
def test_ucb1_is_the_small_bandwidth_limit_of_finite_boke(kernel: str) -> None:
    for seed in range(4):
        for pulls in ([0], [2, 2], PULLS[:5], PULLS):
            data = history(pulls, seed)
            boke = FINITE_SET["finite_boke"](jnp.asarray(ARMS), bandwidth=0.004, noise_scale=0.6, kernel=kernel)
            ucb = FINITE_SET["ucb1"](jnp.asarray(ARMS), exploration=4 * 0.6**2)
            (first, _, info), (second, _, peer) = (STEP(method, data) for method in (boke, ucb))
            np.testing.assert_array_equal(first, second)
            assert float(info["acquisition"]) == pytest.approx(float(peer["acquisition"]), rel=1e-12)


def test_ucb1_and_finite_boke_are_their_formulas() -> None:
    for seed in range(4):
        data = history(PULLS, seed)
        y, pulls, t = np.asarray(data.y[:11]), np.array(PULLS), len(PULLS)
        ucb = [y[pulls == a].mean() + np.sqrt(2 * np.log(t) / (pulls == a).sum()) for a in range(4)]
        _, _, info = STEP(FINITE_SET["ucb1"](jnp.asarray(ARMS)), data)
        assert (int(info["arm"]), float(info["acquisition"])) == (int(np.argmax(ucb)), pytest.approx(max(ucb)))
        w = np.maximum(1 - ((ARMS[:, None] - ARMS[pulls][None]) ** 2).sum(-1) / 0.5**2, 0)
        scores = w @ y / w.sum(1) + np.sqrt(4 * 0.3**2 * np.log(t) / w.sum(1))
        boke = FINITE_SET["finite_boke"](jnp.asarray(ARMS), bandwidth=0.5, noise_scale=0.3)
        _, _, info = STEP(boke, data)
        assert (int(info["arm"]), float(info["acquisition"])) == (int(np.argmax(scores)), pytest.approx(max(scores)))


@pytest.mark.parametrize("name", ["ucb1", "finite_boke"])
def test_untried_arms_come_first_in_order(name: str) -> None:
    options = {"bandwidth": 0.01, "noise_scale": 0.1} if name == "finite_boke" else {}
    policy = FINITE_SET[name](jnp.asarray(ARMS), **options)
    for pulls, expected in (([3], 0), ([3, 0], 1), ([0, 1, 3], 2)):
        _, _, info = STEP(policy, history(pulls, 0))
        assert int(info["arm"]) == expected
        assert float(info["acquisition"]) == np.inf
