"""Exact observations are called exact and noisy observations noisy, and each kind has its point to use."""

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from core import Evaluation, Optimizer, optimize
from core.optimizer.posterior import is_exact
from core.policies.refitted import NEGLIGIBLE_NOISE

KEY = jax.random.key(0)
BOX = [(0.0, 1.0), (0.0, 1.0)]
EXACT = {
    "constant": lambda x: 2.0,
    "plane": lambda x: float(x[0] + 2 * x[1]),
    "bowl": lambda x: -float(((x - 0.3) ** 2).sum()),
    "waves": lambda x: float(np.sin(6 * x[0]) + np.cos(5 * x[1])),
}


def rugged(x: np.ndarray) -> float:
    """A function so rugged that the likelihood takes it for noise."""
    return -float(np.sum(20 * (x - 0.3) ** 2 - np.cos(25 * (x - 0.3))))


@pytest.mark.parametrize("name", EXACT)
def test_exact_functions_are_called_exact(name: str) -> None:
    """The fit finds no noise on functions without noise."""
    history = optimize(EXACT[name], BOX, budget=14, key=KEY)
    assert "observations are exact, as far as the model can tell: use the best observed" in history.summary()
    np.testing.assert_array_equal(history.recommended, history.best_x)


@pytest.mark.parametrize("seed", range(4))
def test_noise_of_a_tenth_of_the_range_is_seen(seed: int) -> None:
    rng = np.random.default_rng(seed)
    history = optimize(lambda x: EXACT["bowl"](x) + 0.1 * rng.standard_normal(), BOX, budget=30, key=seed)
    assert is_exact(history) is False
    assert "use the recommended point" in history.summary()


def test_whatever_the_verdict_the_summary_says_how_to_overrule_it() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.uniform(size=(9, 2)), rng.standard_normal(9)
    history = optimize(lambda x: 0.0, BOX, policy="corrected_ei", budget=9, key=KEY, observations=(x, y))
    assert ("noise='exact'" in history.summary()) == (is_exact(history) is not True)


def test_saying_exact_is_telling_a_variance_of_zero() -> None:
    options: dict[str, Any] = {"budget": 12, "key": KEY, "policy": "corrected_ei"}
    said = optimize(rugged, BOX, noise="exact", **options)
    told = optimize(lambda x: Evaluation(rugged(x), 0.0), BOX, **options)
    np.testing.assert_array_equal(said.x, told.x)
    np.testing.assert_array_equal(said.noise_variance, np.zeros(12))
    assert float(said.state.noise_variance) == pytest.approx(NEGLIGIBLE_NOISE, rel=1e-3)
    np.testing.assert_array_equal(said.recommended, said.best_x)
    assert "observations are exact, as was said" in said.summary()


def test_a_variance_is_for_all_that_carry_none() -> None:
    def sometimes(x: np.ndarray) -> Any:
        return Evaluation(float(x[0]), 0.5) if x[0] > 0.5 else float(x[0])

    history = optimize(sometimes, BOX, policy="random_search", budget=12, key=KEY, noise=0.04)
    np.testing.assert_array_equal(history.noise_variance, np.where(history.x[:, 0] > 0.5, 0.5, 0.04))
    given = optimize(
        lambda x: float(x[0]), BOX, policy="random_search", budget=8, key=KEY, noise=0.04,
        observations=([[0.5, 0.5], [0.1, 0.1]], [1.0, 2.0]),
    )  # fmt: skip
    np.testing.assert_array_equal(given.noise_variance, np.full(8, 0.04))


def test_it_is_saved_and_a_failure_has_none(tmp_path: Path) -> None:
    optimizer = Optimizer(BOX, policy="random_search", key=KEY, noise="exact")
    optimizer.tell(optimizer.ask()[0], failure="cold")
    optimizer.tell(optimizer.ask()[0], 1.0)
    optimizer.save(tmp_path / "run")
    again = Optimizer.load(tmp_path / "run")
    again.tell(again.ask()[0], 2.0)
    np.testing.assert_array_equal(again.history.noise_variance, [np.nan, 0.0, 0.0])


def test_exact_runs_go_on_exactly_between_decisions_on_the_transformation(tmp_path: Path) -> None:
    """A log, a file and observations after nine of ten evaluations; the latest decision was made after eight."""
    bowl = EXACT["bowl"]
    options: dict[str, Any] = {"key": KEY, "noise": "exact", "initial_size": 5}
    whole = optimize(bowl, BOX, budget=10, **options)
    nine = optimize(bowl, BOX, budget=9, log=tmp_path / "log", **options)
    resumed = optimize(bowl, BOX, budget=10, log=tmp_path / "log", **options)
    np.testing.assert_array_equal(resumed.x, whole.x)
    given = Optimizer(BOX, observations=nine, **options)
    given.save(tmp_path / "run")
    np.testing.assert_array_equal(given.ask()[0], whole.x[9])
    np.testing.assert_array_equal(Optimizer.load(tmp_path / "run").ask()[0], whole.x[9])


def test_exact_batches_pass_over_a_decision_on_the_transformation() -> None:
    """Told in threes, the run decides with nine evaluations on the first eight."""
    optimizer = Optimizer(BOX, key=KEY, noise="exact")
    for _ in range(3):
        for x in optimizer.ask(3):
            optimizer.tell(x, EXACT["bowl"](x))
    assert np.isfinite(optimizer.ask()).all()


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("noise", ["none", -1.0, float("nan"), True, None])
def test_what_is_no_noise(noise: Any) -> None:
    with pytest.raises(ValueError, match="noise must be 'unknown', 'exact' or the variance"):
        Optimizer(BOX, policy="random_search", key=KEY, noise=noise)
