"""The context density: against scipy, exact sampling, and contexts that never vary."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import integrate, stats

from core.models.context_density import BANDWIDTH_FLOOR, ContextDensity, context_moments
from core.models.context_density import rule_of_thumb as rule_by_operation

fit = jax.jit(ContextDensity.fit)
density = jax.jit(ContextDensity.density)
log_density = jax.jit(ContextDensity.log_density)
slope = jax.jit(jax.grad(ContextDensity.log_density, argnums=1))
sample = jax.jit(ContextDensity.sample, static_argnums=2)
rule_of_thumb = jax.jit(rule_by_operation)


def contexts(count: int, dim: int, seed: int = 0) -> np.ndarray:
    """Skewed, of unequal spread, off the centre."""
    return np.random.default_rng(seed).beta(1.5, 4.0, (count, dim)) * np.arange(1.0, dim + 1.0) / dim


def mixture(c: np.ndarray, data: np.ndarray, h: np.ndarray) -> float:
    """Eq. (2) term by term."""
    return float(np.mean(np.prod(stats.norm.pdf((c - data) / h) / h, axis=1)))


@pytest.mark.parametrize("dim", [1, 2, 4])
@pytest.mark.parametrize("count", [1, 2, 10, 57])
def test_bandwidth_is_the_rule(count: int, dim: int) -> None:
    data = contexts(count, dim)
    expected = (4 / (dim + 2)) ** (1 / (4 + dim)) * data.std(axis=0) * count ** (-1 / (4 + dim))
    np.testing.assert_allclose(rule_of_thumb(jnp.asarray(data)), expected, rtol=1e-12, atol=1e-15)


def test_one_dimension_is_scipys() -> None:
    data = contexts(30, 1)
    ours = fit(jnp.asarray(data))
    peer = stats.gaussian_kde(data[:, 0], bw_method=float(ours.bandwidth[0] / data.std(ddof=1)))
    points = np.linspace(-0.3, 1.3, 41)
    np.testing.assert_allclose(jax.jit(jax.vmap(ours.density))(jnp.asarray(points)[:, None]), peer(points), rtol=1e-10)
    # Silverman's factor of scipy is the rule, up to the choice of standard deviation.
    silverman = stats.gaussian_kde(data[:, 0], bw_method="silverman").factor * data.std()
    assert float(ours.bandwidth[0]) == pytest.approx(silverman, rel=1e-12)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_density_is_the_mixture_and_unused_rows_do_not_matter(dim: int) -> None:
    data = contexts(12, dim)
    padded = jnp.concatenate([jnp.asarray(data), jnp.full((5, dim), jnp.nan)])
    fitted = fit(padded, jnp.arange(17) < 12)
    h = np.asarray(fitted.bandwidth)
    for c in np.random.default_rng(1).uniform(-0.2, 1.2, (20, dim)):
        assert float(density(fitted, jnp.asarray(c))) == pytest.approx(mixture(c, data, h), rel=1e-10)


def test_it_integrates_to_one() -> None:
    fitted = fit(jnp.asarray(contexts(9, 1)))
    everywhere = jax.jit(jax.vmap(fitted.density))
    grid = np.linspace(-2.0, 3.0, 20001)
    total = integrate.simpson(np.asarray(everywhere(jnp.asarray(grid)[:, None])), x=grid)
    assert total == pytest.approx(1.0, abs=1e-9)


def test_far_away_the_log_density_is_finite() -> None:
    fitted = fit(jnp.asarray(contexts(9, 2)))
    far = jnp.asarray([1e3, -1e3])
    assert bool(jnp.isfinite(log_density(fitted, far)))
    assert bool(jnp.all(jnp.isfinite(slope(fitted, far))))


@pytest.mark.parametrize("dim", [1, 2])
def test_samples_are_exact(dim: int) -> None:
    data = contexts(15, dim, seed=3)
    padded = jnp.concatenate([jnp.full((3, dim), 50.0), jnp.asarray(data), jnp.full((4, dim), -50.0)])
    mask = (jnp.arange(22) >= 3) & (jnp.arange(22) < 18)
    fitted = fit(padded, mask)
    draws = np.asarray(sample(fitted, jax.random.key(0), 20_000))
    h = np.asarray(fitted.bandwidth)
    assert draws.shape == (20_000, dim)
    for k in range(dim):

        def cdf(value: np.ndarray, k: int = k) -> np.ndarray:
            return stats.norm.cdf((np.asarray(value)[:, None] - data[:, k]) / h[k]).mean(axis=1)

        assert stats.kstest(draws[:, k], cdf).pvalue > 1e-3
    covariance = np.cov(data.T, ddof=0).reshape(dim, dim) + np.diag(h**2)
    np.testing.assert_allclose(
        np.cov(draws.T).reshape(dim, dim), covariance, atol=5 * 2 * covariance.max() / 20_000**0.5
    )
    np.testing.assert_array_equal(draws, sample(fitted, jax.random.key(0), 20_000))


@pytest.mark.parametrize("count", [1, 6])
def test_contexts_that_never_vary(count: int) -> None:
    data = np.tile([0.25, 0.8], (count, 1))
    np.testing.assert_allclose(rule_of_thumb(jnp.asarray(data)), [0.0, 0.0], atol=1e-15)  # but for rounding
    fitted = fit(jnp.asarray(data))
    np.testing.assert_array_equal(fitted.bandwidth, BANDWIDTH_FLOOR)
    draws = sample(fitted, jax.random.key(1), 200)
    np.testing.assert_allclose(draws, np.tile(data[:1], (200, 1)), atol=10 * BANDWIDTH_FLOOR)
    for c in ([0.25, 0.8], [0.3, 0.1]):
        assert bool(jnp.isfinite(log_density(fitted, jnp.asarray(c))))
        assert bool(jnp.all(jnp.isfinite(slope(fitted, jnp.asarray(c)))))


def test_a_heavy_tail_widens_the_bandwidth_for_all() -> None:
    """The rule's standard deviation is not robust, so that the bandwidth grows; the density stays finite."""
    data = jnp.asarray(contexts(20, 1))
    outlier = data.at[0].set(1e8)
    assert float(rule_of_thumb(outlier)[0]) > 1e6 * float(rule_of_thumb(data)[0])
    fitted = fit(outlier)
    assert bool(jnp.all(jnp.isfinite(sample(fitted, jax.random.key(2), 50))))
    assert bool(jnp.isfinite(log_density(fitted, jnp.asarray([0.5]))))


def test_moments() -> None:
    data = contexts(11, 3)
    mean, deviation = context_moments(jnp.asarray(data))
    np.testing.assert_allclose(mean, data.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(deviation, data.std(axis=0), rtol=1e-13)


@pytest.mark.usefixtures("unchecked")
def test_no_contexts_is_an_error() -> None:
    for shape in ((0, 2), (3, 0)):
        with pytest.raises(ValueError, match="contexts must have shape"):
            ContextDensity.fit(jnp.zeros(shape))
