"""BOKE and BOKE+ against brute force over a dense grid, with the formulas written out in numpy."""

import equinox as eqx
import jax
import numpy as np
import pytest
from scipy.spatial import cKDTree

from core.policies import SearchEffort, boke, make
from tests.core.helpers import OPTIMISED
from tests.core.policies.dense_grid import EFFORT, GRID, OBSERVATIONS, SCOTT, X, Z, gaussian_weights, program, propose


def ikr(points: np.ndarray, h: float, beta: float) -> np.ndarray:
    w = gaussian_weights(points, h)
    return w @ Z / w.sum(1) + np.sqrt(beta) / np.sqrt(w.sum(1))


@pytest.mark.parametrize("rule", ["scott_box", "silverman_box", "fixed"])
def test_boke_maximises_equation_fourteen_with_theorem_nines_beta(rule: str) -> None:
    query, info = propose("boke", bandwidth=0.25, noise_scale=0.3, delta=0.2, rule=rule)
    h = {"scott_box": 0.25 * SCOTT, "silverman_box": 0.25 * SCOTT, "fixed": 0.25}[
        rule
    ]  # the rules agree in two dimensions
    beta = 2 * 0.3**2 * np.log(2 * np.pi**2 * 81 / (3 * 0.2))
    assert info["bandwidth"] == pytest.approx(h)
    assert info["beta"] == pytest.approx(beta)
    reached = ikr(query[None], h, beta)[0]
    assert reached >= ikr(GRID, h, beta).max() - 1e-9
    assert info["acquisition"] == pytest.approx(reached, rel=1e-9)


def test_boke_follows_the_deviations_of_the_data() -> None:
    query, info = propose("boke", rule="scott", bandwidth=0.8, noise_scale=0.3, delta=0.2)
    h = 0.8 * X.std(axis=0, ddof=1) * 9 ** (-1 / 6)
    assert h.max() > 1.2 * h.min()
    beta = 2 * 0.3**2 * np.log(2 * np.pi**2 * 81 / (3 * 0.2))
    assert info["bandwidth"] == pytest.approx(np.sqrt(h[0] * h[1]))
    reached = ikr(query[None], h, beta)[0]
    assert reached >= ikr(GRID, h, beta).max() - 1e-9
    assert info["acquisition"] == pytest.approx(reached, rel=1e-9)


def test_boke_goes_farthest_in_bandwidths_while_something_is_unseen() -> None:
    optimised = program(**OPTIMISED)  # the search ends on a ridge, near the farthest point or not by the last digits
    query, info = propose("boke", compiled=optimised, rule="scott", bandwidth=0.15, kernel="epanechnikov")
    assert info["acquisition"] == np.inf
    unit = X.std(axis=0, ddof=1)
    tree = cKDTree(X / unit)
    assert tree.query(query / unit)[0] >= 0.995 * tree.query(GRID / unit)[0].max()


def test_boke_with_a_compact_kernel_goes_farthest_from_the_data_while_something_is_unseen() -> None:
    query, info = propose("boke", bandwidth=0.05, kernel="epanechnikov", rule="fixed")
    assert info["acquisition"] == np.inf
    tree = cKDTree(X)
    assert tree.query(query)[0] >= 0.995 * tree.query(GRID)[0].max()


def test_boke_does_the_same_where_a_gaussian_density_leaves_the_doubles() -> None:
    query, info = propose("boke", bandwidth=0.004, rule="fixed")
    assert info["acquisition"] == np.inf
    tree = cKDTree(X)
    assert tree.query(query)[0] >= 0.995 * tree.query(GRID)[0].max()


def test_boke_plus_with_probability_one_is_boke() -> None:
    policy, peer = make("boke_plus", 2, effort=EFFORT, exploration_probability=1.0), make("boke", 2, effort=EFFORT)
    for seed in range(3):
        key = jax.random.key(seed)
        query, _, info = eqx.filter_jit(policy.propose)(key, (), OBSERVATIONS)
        search_key = jax.random.split(key)[1]
        expected, _, _ = eqx.filter_jit(peer.propose)(search_key, (), OBSERVATIONS)
        np.testing.assert_array_equal(query, expected)
        assert float(info["explore"]) == 1.0


@pytest.mark.parametrize(("kernel", "bandwidth"), [("gaussian", 0.3), ("gaussian", 0.004), ("epanechnikov", 0.05)])
def test_boke_plus_exploits_the_regression_alone_also_where_nothing_was_seen(kernel: str, bandwidth: float) -> None:
    query, info = propose("boke_plus", exploration_probability=1e-9, kernel=kernel, bandwidth=bandwidth, rule="fixed")
    assert info["explore"] == 0.0
    if bandwidth < 0.1:  # the nearest neighbour's value: the maximum is the largest observed one
        assert info["acquisition"] == pytest.approx(Z.max(), rel=1e-9)
        assert int(cKDTree(X).query(query)[1]) == int(np.argmax(Z))
    else:
        assert ikr(query[None], 0.3, 0.0)[0] >= ikr(GRID, 0.3, 0.0).max() - 1e-9


def test_boke_plus_explores_with_its_probability() -> None:
    policy = make("boke_plus", 2, effort=SearchEffort.of(2, 4, 0), exploration_probability=0.3)
    explore = jax.jit(jax.vmap(lambda key: policy.propose(key, (), OBSERVATIONS)[2]["explore"]))
    share = float(explore(jax.random.split(jax.random.key(1), 4000)).mean())
    assert share == pytest.approx(0.3, abs=4 * np.sqrt(0.21 / 4000))


@pytest.mark.parametrize(
    ("name", "kernel"), [("boke", "gaussian"), ("boke", "epanechnikov"), ("boke_plus", "gaussian")]
)
def test_scored_together_or_one_by_one(name: str, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores by chunked sums change a proposal by rounding; the small kernel leaves points unexplored."""
    policy = make(name, 2, bandwidth=0.5 if kernel == "gaussian" else 0.1, kernel=kernel, effort=EFFORT)
    key = jax.random.key(3)
    alone, _, info = policy.propose(key, (), OBSERVATIONS)
    monkeypatch.setattr(boke, "LARGE", 1)
    together, _, found = policy.propose(key, (), OBSERVATIONS)
    assert np.isinf(info["acquisition"]) == (kernel == "epanechnikov")
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_allclose(found["acquisition"], info["acquisition"], rtol=1e-9)
