"""Kernel density against scikit-learn and scipy, the exploration bonus, and the fill distance."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.spatial import cKDTree
from scipy.stats import gaussian_kde
from sklearn.neighbors import KernelDensity

from core.models.density import (
    LOG_DENSITY_FLOOR,
    bonus_from_log_density,
    density,
    exploration_bonus,
    fill_distance,
    log_density,
    nearest_distance,
    normalized_density_1d,
)
from core.models.kernels import SMOOTHING
from tests.core.helpers import COMPACT, gradient, sample_data, weights

X = jnp.asarray(sample_data(13, 3, 6)[0])
SCIKIT = {"gaussian": "gaussian", "epanechnikov": "epanechnikov", "uniform": "tophat", "exponential": "exponential"}


@functools.lru_cache
def compiled(name: str, function: Callable = log_density, slope: bool = False) -> Callable:
    def evaluate(x: jax.Array, data: jax.Array, h: jax.Array, mask: jax.Array | None = None) -> jax.Array:
        return function(x, data, h, SMOOTHING[name], mask)

    return jax.jit(jax.grad(evaluate) if slope else evaluate)


@pytest.mark.parametrize("name", SCIKIT)
def test_density_is_scikit_learns_up_to_its_normalisation(name: str) -> None:
    bandwidth = 0.45
    many = KernelDensity(bandwidth=bandwidth, kernel=SCIKIT[name], rtol=1e-14).fit(np.asarray(X))
    one = KernelDensity(bandwidth=bandwidth, kernel=SCIKIT[name]).fit(np.zeros((1, 3)))
    points = np.random.default_rng(0).uniform(0.0, 1.0, (40, 3))
    # scikit-learn gives log(W_t / (t c)) with c the volume under the kernel, and log(1 / c) at its own centre.
    expected = many.score_samples(points) + np.log(13) - one.score_samples(np.zeros((1, 3)))
    got = jax.vmap(compiled(name), in_axes=(0, None, None))(jnp.asarray(points), X, bandwidth)
    covered = np.asarray(weights(name, points[:, None], np.asarray(X), bandwidth).sum(axis=-1)) > 0
    np.testing.assert_allclose(np.asarray(got)[covered], expected[covered], rtol=1e-9, atol=1e-9)
    assert np.all(np.isneginf(np.asarray(got)[~covered]))


@pytest.mark.parametrize("name", SMOOTHING)
@given(x=st.tuples(*[st.floats(-1.0, 2.0)] * 3), bandwidth=st.floats(0.05, 10.0))
@settings(max_examples=30)
def test_equation_eleven(name: str, x: tuple[float, ...], bandwidth: float) -> None:
    total = float(weights(name, np.array(x), np.asarray(X), bandwidth).sum())
    got = float(compiled(name, density)(jnp.array(x), X, bandwidth))
    assert got == pytest.approx(total, rel=1e-10, abs=1e-13)
    assert 0.0 <= got <= 13.0 * SMOOTHING[name].bound * (1 + 1e-14)


def test_log_density_survives_where_the_density_underflows() -> None:
    far = jnp.full(3, 40.0)
    exponents = -np.sum((40.0 - np.asarray(X)) ** 2, axis=1) / (2 * 0.1**2)
    assert float(log_density(far, X, 0.1)) == pytest.approx(np.logaddexp.reduce(exponents), rel=1e-13)
    assert float(density(far, X, 0.1)) == 0.0


@pytest.mark.parametrize("name", SMOOTHING)
def test_small_bandwidths_count_the_duplicates(name: str) -> None:
    data = jnp.concatenate([X, X[:1], X[:1]])
    for row, count in ((0, 3.0), (1, 1.0)):
        assert float(compiled(name, density)(X[row], data, 1e-12)) == pytest.approx(count, rel=1e-14)
    assert float(compiled(name, density)(X[1] + 1e-3, data, 1e-12)) == 0.0


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("function", [log_density, exploration_bonus])
def test_gradients_are_finite_everywhere(name: str, function: Callable) -> None:
    slope = compiled(name, function, slope=True)
    for x in (X[0], X[0] + 1e-9, jnp.full(3, 0.999), jnp.full(3, 30.0)):
        for bandwidth in (1e-12, 0.02, 0.4, 1e12):
            assert bool(jnp.isfinite(slope(x, X, bandwidth)).all()), (x, bandwidth)
            assert not bool(jnp.isnan(compiled(name, function)(x, X, bandwidth)))


@pytest.mark.parametrize("name", ["gaussian", "epanechnikov", "exponential", "laplacian"])
def test_gradients_match_finite_differences(name: str) -> None:
    x = np.array([0.37, 0.23, 0.44])
    numeric = gradient(lambda p: float(weights(name, p, np.asarray(X), 0.9).sum()) ** -0.5, x)
    np.testing.assert_allclose(compiled(name, exploration_bonus, slope=True)(x, X, 0.9), numeric, rtol=2e-6)


def test_bonus_is_the_inverse_root_and_infinite_where_nothing_was_seen() -> None:
    x = jnp.array([0.3, 0.3, 0.3])
    assert float(exploration_bonus(x, X, 0.3)) == pytest.approx(float(density(x, X, 0.3)) ** -0.5, rel=1e-14)
    for name in COMPACT:
        assert float(compiled(name, exploration_bonus)(jnp.full(3, 5.0), X, 0.3)) == np.inf
    assert float(bonus_from_log_density(jnp.asarray(LOG_DENSITY_FLOOR))) == np.inf
    just_above = float(bonus_from_log_density(jnp.asarray(LOG_DENSITY_FLOOR * (1 - 1e-9))))
    assert np.isfinite(just_above**2)
    assert float(bonus_from_log_density(jnp.asarray(-jnp.inf))) == np.inf


@given(seed=st.integers(0, 10**6), rows=st.integers(1, 13))
@settings(max_examples=20)
def test_unused_rows_change_nothing(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    mask = np.zeros(13, bool)
    mask[rng.permutation(13)[:rows]] = True
    x = rng.uniform(0, 1, 3)
    expected = np.log(weights("gaussian", x, np.asarray(X)[mask], 0.2).sum())
    assert float(compiled("gaussian")(x, X, 0.2, mask)) == pytest.approx(float(expected), rel=1e-11)
    assert float(nearest_distance(jnp.asarray(x), X, jnp.asarray(mask))) == pytest.approx(
        np.linalg.norm(np.asarray(X)[mask] - x, axis=1).min(), rel=1e-14
    )


def test_density_without_data_is_zero() -> None:
    none = jnp.zeros(13, bool)
    assert float(density(jnp.zeros(3), X, 0.3, mask=none)) == 0.0
    assert float(exploration_bonus(jnp.zeros(3), X, 0.3, mask=none)) == np.inf
    assert float(nearest_distance(jnp.zeros(3), X, none)) == np.inf


def test_normalised_density_on_the_line_is_scipys_and_integrates_to_one() -> None:
    data = np.random.default_rng(3).gamma(2.0, 0.2, 30)
    ours = jax.jit(normalized_density_1d)
    oracle = gaussian_kde(data, bw_method=0.07 / data.std(ddof=1))
    for x in (-0.3, 0.1, 0.4, 1.9):
        assert float(ours(jnp.asarray(x), jnp.asarray(data), 0.07)) == pytest.approx(float(oracle(x)[0]), rel=1e-10)
    mass, _ = quad(
        lambda x: float(ours(jnp.asarray(x), jnp.asarray(data), 0.07)), -2.0, 5.0, limit=200, points=[0, 1, 2]
    )
    assert mass == pytest.approx(1.0, abs=1e-7)


def test_fill_distance_is_the_largest_nearest_distance() -> None:
    candidates = np.random.default_rng(4).uniform(0, 1, (500, 3))
    expected = cKDTree(np.asarray(X)).query(candidates)[0].max()
    assert float(fill_distance(jnp.asarray(candidates), X)) == pytest.approx(expected, rel=1e-14)
    fewer = fill_distance(jnp.asarray(candidates), X, jnp.arange(13) < 7)
    assert float(fewer) == pytest.approx(cKDTree(np.asarray(X)[:7]).query(candidates)[0].max(), rel=1e-14)


def test_fill_distance_of_the_interval_is_half_the_largest_gap() -> None:
    data = jnp.array([[0.125], [0.25], [0.75]])
    grid = jnp.linspace(0.0, 1.0, 1025)[:, None]
    assert float(fill_distance(grid, data)) == 0.25


def test_gradient_of_the_nearest_distance_is_a_unit_vector_and_zero_at_the_data() -> None:
    slope = jax.grad(nearest_distance)
    np.testing.assert_array_equal(slope(X[3], X), 0.0)
    assert float(jnp.linalg.norm(slope(jnp.array([0.9, 0.1, 0.95]), X))) == pytest.approx(1.0, rel=1e-14)
