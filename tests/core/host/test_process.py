"""The posterior and the expected improvements on the host agree with the JAX model to 1e-8."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import norm

from core.acquisition.corrected_ei import log_corrected_expected_improvement
from core.acquisition.noisy_ei import NoisyExpectedImprovement
from core.host.process import CorrectedImprovement, NoisyImprovement, Process, log_tau
from core.models.fantasies import Fantasies
from core.models.hyperparameters import Hyperparameters
from core.models.kernels import matern52
from core.models.standardized import Posterior
from core.types import Observations
from tests.core.host.test_likelihood import data

THETA = np.array([0.4, 0.9, 1.7, 1.3, 0.02])


def both(observations: Observations, theta: np.ndarray) -> tuple[Posterior, Process]:
    known = np.asarray(observations.noise_variance).sum(axis=1)
    here = Process.fit(np.asarray(observations.x), np.asarray(observations.y), known, theta)
    return Posterior.fit(observations, matern52, Hyperparameters.from_vector(jnp.asarray(theta))), here


@pytest.mark.parametrize(("count", "noise"), [(5, False), (90, True), (200, False)])
def test_posterior_and_acquisition(count: int, noise: bool) -> None:
    observations = data(count, 3, noise)
    oracle, here = both(observations, THETA)
    np.testing.assert_allclose(here.offset + here.scale * here.means, oracle.means(), rtol=1e-8)
    points = np.random.default_rng(1).random((40, 3))
    expected = oracle.in_unit_of_y(jax.vmap(oracle.process.mean)(jnp.asarray(points)))
    np.testing.assert_allclose(here.mean(points), expected, rtol=1e-8)
    incumbent = here.x[np.argmax(here.means)]
    points[0], points[1] = incumbent, incumbent + 1e-3

    def acquisition(x: jax.Array) -> jax.Array:
        return log_corrected_expected_improvement(x, oracle.process, jnp.asarray(incumbent))

    values, slopes = jax.vmap(jax.value_and_grad(acquisition))(jnp.asarray(points))
    found, gradients = CorrectedImprovement(here, incumbent).with_slopes(points)
    np.testing.assert_allclose(found, values, rtol=1e-8, atol=1e-8)
    every = np.ones(40, bool)
    np.testing.assert_allclose(gradients(every), slopes, rtol=1e-6, atol=1e-6)
    some = np.arange(40) % 3 == 0
    np.testing.assert_allclose(gradients(some), gradients(every)[some], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("count", "noise", "fantasies"), [(5, False, 1), (60, True, 20), (150, False, 20)])
def test_noisy_improvement(count: int, noise: bool, fantasies: int) -> None:
    """With the same normals; near an observed point, too."""
    observations = data(count, 3, noise)
    oracle, here = both(observations, THETA)
    normals = np.random.default_rng(3).standard_normal((fantasies, 2 * count))
    fitted = NoisyExpectedImprovement(Fantasies.sample(oracle.process, oracle.noise_variance, jnp.asarray(normals)))
    points = np.random.default_rng(1).random((40, 3))
    points[0] = here.x[np.argmax(here.means)] + 1e-3
    values, slopes = jax.vmap(jax.value_and_grad(fitted.log_value))(jnp.asarray(points))
    acquisition = NoisyImprovement(here, normals)
    found, gradients = acquisition.with_slopes(points)
    np.testing.assert_allclose(found, values, rtol=1e-8, atol=1e-8)
    every = np.ones(40, bool)
    np.testing.assert_allclose(gradients(every), slopes, rtol=1e-6, atol=1e-6)
    some = np.arange(40) % 3 == 0
    np.testing.assert_allclose(gradients(some), gradients(every)[some], rtol=1e-9)
    at_data, flat = acquisition.with_slopes(here.x)
    assert np.all(np.isfinite(at_data))
    assert np.all(np.isfinite(flat(np.ones(count, bool))))


def test_noisy_improvement_is_the_expectation_over_the_posterior() -> None:
    """E max(f(x) - max_i f(x_i), 0) by draws from the dense joint posterior."""
    observations = data(8, 3, noise=True)
    oracle, here = both(observations, THETA)
    x = np.array([0.35, 0.6, 0.4])
    points = jnp.asarray(np.concatenate([here.x, x[None]]))
    process = oracle.process
    mean = np.asarray(jax.vmap(process.mean)(points))
    cross = jax.vmap(jax.vmap(process.covariance, (None, 0)), (0, None))(points, points)
    draws = np.random.default_rng(4).multivariate_normal(mean, np.asarray(cross), 400_000)
    gains = np.maximum(draws[:, -1] - draws[:, :-1].max(axis=1), 0.0)
    normals = np.random.default_rng(5).standard_normal((40_000, 16))
    found = float(np.exp(NoisyImprovement(here, normals).values(x[None])[0]))
    error = gains.std() / np.sqrt(len(gains))
    assert gains.mean() > 20.0 * error
    assert abs(found - gains.mean()) < 6.0 * error


def test_the_improvement_is_that_of_a_joint_normal() -> None:
    """Against the 2 x 2 posterior covariance by dense algebra, where its cancellation is harmless."""
    observations = data(12, 3)
    oracle, here = both(observations, THETA)
    incumbent, points = here.x[np.argmax(here.means)], np.random.default_rng(2).random((10, 3))
    process = oracle.process
    for x, found in zip(points, CorrectedImprovement(here, incumbent).values(points), strict=True):
        gain = float(process.mean(jnp.asarray(x)) - process.mean(jnp.asarray(incumbent)))
        pair = [jnp.asarray(x), jnp.asarray(incumbent)]
        (a, b), (_, c) = [[float(process.covariance(p, q)) for q in pair] for p in pair]
        deviation = np.sqrt(a + c - 2.0 * b)
        expected = deviation * norm.pdf(gain / deviation) + gain * norm.cdf(gain / deviation)
        np.testing.assert_allclose(np.exp(found), expected, rtol=1e-6)


def test_log_tau_and_its_slope_far_out() -> None:
    from core.acquisition import normal_tails

    z = np.concatenate([np.linspace(-60.0, 30.0, 400), [-12.0, 0.0, -1e4]])
    values, slopes = jax.vmap(jax.value_and_grad(normal_tails.log_tau))(jnp.asarray(z))
    found, ratio = log_tau(z)
    np.testing.assert_allclose(found, values, rtol=1e-12)
    np.testing.assert_allclose(ratio, slopes, rtol=1e-9)


def test_points_that_coincide_without_noise_are_refused() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        Process.fit(np.full((2, 1), 0.5), np.array([0.0, 1.0]), np.full(2, -1.0), np.array([1.0, 1.0, 1e-6]))
