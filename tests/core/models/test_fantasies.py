"""Samples at the observed points, and the noise-free models through them: scikit-learn, moments, special cases."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern

from core.models.fantasies import Fantasies
from core.models.gaussian_process import JITTER, GaussianProcess
from core.models.kernels import matern52
from core.search.quasi_random import quasi_normals
from tests.core.helpers import sample_data

X, Y = sample_data(8, 2, 19)
Y = Y - 5.0
LENGTHSCALE, VARIANCE = np.array([0.5, 0.8]), 1.9
NOISE = np.linspace(0.05, 0.5, 8)  # heteroscedastic
POINTS = np.random.default_rng(6).random((4, 2))
COUNT = 4000


def regressor(x: np.ndarray, y: np.ndarray, noise: np.ndarray | float) -> GaussianProcessRegressor:
    kernel = ConstantKernel(VARIANCE) * Matern(LENGTHSCALE, nu=2.5)
    return GaussianProcessRegressor(kernel, alpha=noise + JITTER * VARIANCE, optimizer=None).fit(x, y)


@functools.lru_cache
def sampler() -> Callable:
    """One program: fit, sample, evaluate the models at four points."""

    @jax.jit
    def run(x: jax.Array, noise: jax.Array, mask: jax.Array, normals: jax.Array) -> tuple:
        process = GaussianProcess.fit(x, jnp.asarray(Y), matern52, jnp.asarray(LENGTHSCALE), VARIANCE, noise, mask)
        models = Fantasies.sample(process, noise, normals)
        return models, jax.vmap(models.means_and_deviation)(jnp.asarray(POINTS))

    return run


def sample(noise: np.ndarray = NOISE, rows: int = 8, seed: int = 0, x: np.ndarray = X) -> tuple:
    normals = np.random.default_rng(seed).normal(size=(COUNT, 16))
    return sampler()(x, noise, np.arange(8) < rows, normals)


def test_samples_have_the_moments_of_the_posterior() -> None:
    models, _ = sample()
    mean, covariance = regressor(X, Y, NOISE).predict(X, return_cov=True)
    values = np.asarray(models.values).T
    error = np.sqrt(np.diag(covariance) / COUNT)
    np.testing.assert_array_less(np.abs(values.mean(0) - mean), 4.5 * error)
    spread = np.sqrt((np.outer(np.diag(covariance), np.diag(covariance)) + covariance**2) / COUNT)  # Wishart
    np.testing.assert_array_less(np.abs(np.cov(values.T) - covariance), 4.5 * spread)
    np.testing.assert_allclose(models.best, values.max(1), rtol=1e-12)


def test_every_model_is_the_noise_free_regression_through_its_sample() -> None:
    models, (means, deviation) = sample()
    for index in (0, 7):
        oracle = regressor(X, np.asarray(models.values)[:, index], 0.0)
        mean, spread = oracle.predict(POINTS, return_std=True)
        np.testing.assert_allclose(means[:, index], mean, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(deviation, spread, rtol=1e-6)
    given = jax.jit(Fantasies.condition)(models.process, models.values)
    np.testing.assert_allclose(given.weights, models.weights, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(given.best, models.best)


def test_model_and_sample_together_are_the_posterior_elsewhere() -> None:
    # f(x) = mu_s(x) + sigma_0(x) z must have the posterior's mean and variance: the new row of the joint factor.
    _, (means, deviation) = sample()
    mean, spread = regressor(X, Y, NOISE).predict(POINTS, return_std=True)
    of_means = np.asarray(means).var(axis=1, ddof=1)
    np.testing.assert_array_less(np.abs(np.asarray(means).mean(1) - mean), 4.5 * spread / np.sqrt(COUNT))
    tolerance = 4.5 * of_means * np.sqrt(2 / COUNT)
    np.testing.assert_array_less(np.abs(of_means + np.asarray(deviation) ** 2 - spread**2), tolerance)


def test_without_noise_every_sample_is_the_data() -> None:
    models, _ = sample(np.zeros(8))
    np.testing.assert_allclose(models.values, np.tile(Y[:, None], COUNT), atol=2e-4)  # the jitter's deviation


def test_unused_rows_do_not_matter() -> None:
    dirty = NOISE.copy()
    dirty[5:] = -3.0
    moved = X.copy()
    moved[5:] += 7.0
    first, second = sample(rows=5), sample(dirty, rows=5, x=moved)
    for left, right in zip(jax.tree.leaves(first[1]), jax.tree.leaves(second[1]), strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-12)
    np.testing.assert_array_equal(np.asarray(first[0].values)[5:], 0.0)
    np.testing.assert_allclose(first[0].best, np.asarray(first[0].values)[:5].max(0))


def test_duplicates_and_noise_free_duplicates_stay_finite() -> None:
    x = X.copy()
    x[4:] = x[0]
    for noise in (NOISE, np.zeros(8)):
        models, (means, deviation) = sample(noise, x=x)
        assert all(bool(jnp.isfinite(leaf).all()) for leaf in (models.weights, models.best, means, deviation))
        if noise is NOISE:  # without noise these data contradict one another
            np.testing.assert_allclose(models.values[4], models.values[0], atol=2e-4)


# --- quasi-random normals ------------------------------------------------------------


def test_quasi_normals_are_even_in_every_coordinate_and_never_copies() -> None:
    draw = jax.jit(quasi_normals, static_argnums=(1, 2))
    draws = np.asarray(draw(jax.random.key(3), 256, 301))
    assert draws.shape == (256, 301)
    np.testing.assert_allclose(draws.mean(0), 0.0, atol=0.03)  # half of an independent draw's standard error
    np.testing.assert_allclose(draws.var(0), 1.0, atol=0.1)
    correlation = np.corrcoef(draws.T) - np.eye(301)
    assert np.abs(correlation).max() < 0.8  # copies would be at 1
    assert correlation.std() < 1.2 / np.sqrt(256)
    few = np.asarray(draw(jax.random.key(3), 20, 40))
    assert np.abs(np.corrcoef(few.T) - np.eye(40)).max() < 0.98


def test_quasi_normals_depend_on_the_key_and_average_to_a_normal() -> None:
    draw = jax.jit(jax.vmap(lambda key: quasi_normals(key, 20, 3)))
    draws = np.asarray(draw(jax.random.split(jax.random.key(0), 2000)))
    one = draws[:, 4]  # any one point, over the keys
    np.testing.assert_allclose(one.mean(0), 0.0, atol=4.5 / np.sqrt(2000))
    np.testing.assert_allclose(one.var(0), 1.0, atol=4.5 * np.sqrt(2 / 2000))
    assert np.isfinite(draws).all()


@pytest.mark.parametrize(("count", "dim"), [(0, 2), (4, 0), (4, 21202)])
def test_quasi_normals_are_checked(count: int, dim: int) -> None:
    with pytest.raises(ValueError, match="count must be at least 1 and dim between"):
        quasi_normals(jax.random.key(0), count, dim)
