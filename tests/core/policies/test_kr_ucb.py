"""KR-UCB against Algorithm 5 of Paper A in numpy: when the search widens, and where to."""

from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.policies import SearchEffort, make
from core.types import Observations
from tests.core.policies.dense_grid import GRID, SCOTT, STEP, X, Y, Z, gaussian_weights, program, propose

OF_BOTH = program()
"""Called only where both branches are computed, so traced there."""


def kr_scores(h: float | np.ndarray, exploration: float) -> np.ndarray:
    w = gaussian_weights(X, h)
    return w @ Z / w.sum(1) + exploration * np.sqrt(np.log(w.sum()) / w.sum(1))


@pytest.mark.parametrize("threshold", [0.3, 0.9])
def test_kr_ucb_widens_to_the_least_dense_point_of_the_ball(threshold: float) -> None:
    # alpha close to one: 9^alpha is below the 9 distinct points, so one of them is repeated to widen.
    x = np.concatenate([X, X[:1]])
    y = np.concatenate([Y, Y[:1]])
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=12)
    query, info = propose(
        "kr_ucb", observations, rule="scott", bandwidth=1.0, exploration=0.5, threshold=threshold, widening=0.99
    )
    assert info["widen"] == 1.0
    h = x.std(axis=0, ddof=1) * 10 ** (-1 / 6)
    z = (y - y.mean()) / y.std()
    w = np.exp(-(((x[:, None] - x[None]) / h) ** 2).sum(-1) / 2)
    scores = w @ z / w.sum(1) + 0.5 * np.sqrt(np.log(w.sum()) / w.sum(1))
    centre = x[np.argmax(scores)]
    rho = h * np.sqrt(2 * np.log(1 / threshold))
    assert np.linalg.norm((query - centre) / h) < np.sqrt(2 * np.log(1 / threshold))
    around = centre + rho * (1 - 1e-9) * (2 * GRID - 1)
    inside = (np.linalg.norm((around - centre) / rho, axis=1) < 1) & np.all((around >= 0) & (around <= 1), axis=1)
    angle = np.linspace(0, 2 * np.pi, 2000)
    edge = np.clip(centre + rho * (1 - 1e-9) * np.stack([np.cos(angle), np.sin(angle)], 1), 0, 1)
    candidates = np.concatenate([around[inside], edge])

    def density(points: np.ndarray) -> np.ndarray:
        return np.exp(-(((points[:, None] - x[None]) / h) ** 2).sum(-1) / 2).sum(1)

    assert density(query[None])[0] <= density(candidates).min() * (1 + 1e-5)


def test_kr_ucb_repeats_its_best_point_while_there_are_many() -> None:
    query, info = propose("kr_ucb", bandwidth=0.3, exploration=0.7, widening=0.5, rule="scott_box")
    assert info["widen"] == 0.0
    scores = kr_scores(0.3 * SCOTT, 0.7)
    np.testing.assert_array_equal(query, X[np.argmax(scores)])
    assert info["acquisition"] == pytest.approx(scores.max(), rel=1e-9)


@pytest.mark.parametrize(("copies", "widening"), [(0, 0.5), (3, 0.5), (3, 0.8), (0, 0.99), (3, 0.95), (1, 0.95)])
def test_kr_ucb_branches_as_algorithm_five(copies: int, widening: float) -> None:
    x = np.concatenate([X, np.repeat(X[:1], copies, axis=0)])
    observations = Observations.of(jnp.asarray(x), jnp.asarray(np.resize(Y, len(x))), capacity=12)
    policy = make("kr_ucb", 2, effort=SearchEffort.of(2, 16, 0), widening=widening)
    _, _, info = STEP(policy, observations)
    repeat = len(x) ** widening < 9  # (A4) if t^alpha < number of distinct observed points
    assert float(info["widen"]) == float(not repeat)


@pytest.mark.parametrize(("copies", "widening"), [(1, 0.99), (3, 0.95), (3, 0.5)])
def test_kr_ucb_computes_only_the_branch_taken(copies: int, widening: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit by bit the query of the version that computes both and selects; the search stands inside the conditional."""
    x = np.concatenate([X, np.repeat(X[:1], copies, axis=0)])
    observations = Observations.of(jnp.asarray(x), jnp.asarray(np.resize(Y, len(x))), capacity=12)
    queries = [propose("kr_ucb", observations, seed, widening=widening)[0] for seed in range(3)]

    policy = make("kr_ucb", 2, widening=widening)
    program = jax.make_jaxpr(lambda data: policy.propose(jax.random.key(0), (), data))(observations)
    outside = [equation.primitive.name for equation in program.eqns]
    assert outside.count("cond") == 1
    assert "while" not in outside

    both = SimpleNamespace(cond=lambda widen, newcomer, centre: jnp.where(widen, newcomer(), centre()))
    monkeypatch.setattr("core.policies.kr_ucb.jax", SimpleNamespace(lax=both, vmap=jax.vmap))
    for seed, query in enumerate(queries):
        again, _ = propose("kr_ucb", observations, seed, OF_BOTH, widening=widening)
        np.testing.assert_array_equal(query, again)
