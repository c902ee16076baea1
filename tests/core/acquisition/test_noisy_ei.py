"""Noisy EI and qNEI against averages written out in numpy, Monte Carlo under the joint posterior, and limits."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import special, stats
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern

from core.acquisition.expected_improvement import expected_improvement
from core.acquisition.noisy_ei import NoisyExpectedImprovement
from core.acquisition.qnei import MonteCarloNoisyExpectedImprovement, rounded_positive_part
from core.models.gaussian_process import JITTER, GaussianProcess
from core.models.kernels import matern52
from tests.core.helpers import sample_data

X, Y = sample_data(8, 2, 23)
Y = Y - 5.0
LENGTHSCALE, VARIANCE = np.array([0.15, 0.3]), 4.3
NOISE = np.linspace(0.05, 0.5, 8)
POINTS = np.random.default_rng(8).random((4, 2))
CLASSES = {"noisy_ei": NoisyExpectedImprovement, "qnei": MonteCarloNoisyExpectedImprovement}


@functools.lru_cache
def compiled(name: str, count: int) -> Callable:
    """Fit, values, logs and slopes at four points: one program a method and number of samples."""

    @jax.jit
    def run(key: jax.Array, y: jax.Array, noise: jax.Array, points: jax.Array) -> dict:
        process = GaussianProcess.fit(jnp.asarray(X), y, matern52, jnp.asarray(LENGTHSCALE), VARIANCE, noise)
        fitted = CLASSES[name].fit(key, process, noise, count)  # type: ignore[attr-defined]
        return {
            "fitted": fitted,
            "value": jax.vmap(fitted.value)(points),
            "log": jax.vmap(fitted.log_value)(points),
            "slope": jax.vmap(jax.grad(fitted.log_value))(points),
            "ei": jax.vmap(lambda x: expected_improvement(x, process, jnp.asarray(X)[jnp.argmax(y)]))(points),
        }

    return run


def run(name: str, count: int, y: np.ndarray = Y, noise: np.ndarray = NOISE, points: np.ndarray = POINTS) -> dict:
    return compiled(name, count)(jax.random.key(4), y, noise, points)


def models_at(fitted: object, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means, deviation and incumbents of the models at x from scikit-learn, one regression a model."""
    models = fitted.models  # type: ignore[attr-defined]
    kernel = ConstantKernel(VARIANCE) * Matern(LENGTHSCALE, nu=2.5)
    values = np.asarray(models.values)
    oracle = GaussianProcessRegressor(kernel, alpha=JITTER * VARIANCE, optimizer=None).fit(X, values)
    mean, deviation = oracle.predict(x[None], return_std=True)
    return mean[0], np.ravel(deviation)[0], values.max(0)


def test_noisy_ei_is_the_average_of_ei_over_the_models() -> None:
    ours = run("noisy_ei", 20)
    for row, x in enumerate(POINTS):
        means, deviation, best = models_at(ours["fitted"], x)
        z = (means - best) / deviation
        expected = np.mean(deviation * (stats.norm.pdf(z) + z * stats.norm.cdf(z)))
        assert float(ours["value"][row]) == pytest.approx(expected, rel=1e-6)
        assert float(ours["log"][row]) == pytest.approx(np.log(expected), rel=1e-6)


def test_qnei_is_the_average_positive_part_over_the_samples() -> None:
    ours = run("qnei", 256)
    normals = np.asarray(ours["fitted"].normals)
    for row, x in enumerate(POINTS):
        means, deviation, best = models_at(ours["fitted"], x)
        improvements = np.maximum(means + deviation * normals - best, 0)
        assert float(ours["value"][row]) == pytest.approx(improvements.mean(), rel=1e-6)
        excess = np.exp(float(ours["log"][row])) - improvements.mean()
        assert -1e-9 <= excess <= 1e-6 * np.sqrt(VARIANCE)


@functools.lru_cache
def joint_improvement() -> tuple[np.ndarray, np.ndarray]:
    """E max(f(x) - max_i f(x_i), 0) at the four points by independent draws of the joint posterior, and its errors."""
    kernel = ConstantKernel(VARIANCE) * Matern(LENGTHSCALE, nu=2.5)
    oracle = GaussianProcessRegressor(kernel, alpha=NOISE + JITTER * VARIANCE, optimizer=None).fit(X, Y)
    rng, means, errors = np.random.default_rng(9), [], []
    for x in POINTS:
        mean, covariance = oracle.predict(np.vstack([X, x]), return_cov=True)
        draws = rng.multivariate_normal(mean, covariance, 200_000)
        improvement = np.maximum(draws[:, -1] - draws[:, :-1].max(1), 0)
        means.append(improvement.mean())
        errors.append(improvement.std() / np.sqrt(len(draws)))
    return np.array(means), np.array(errors)


@pytest.mark.parametrize("name", CLASSES)
def test_both_estimate_the_same_expectation(name: str) -> None:
    # Both are unbiased given a random key: their mean over keys is the expectation under the joint posterior.
    count, keys = 64, 200
    program = compiled(name, count)
    draws = np.stack([program(jax.random.key(seed), Y, NOISE, POINTS)["value"] for seed in range(keys)])
    expected, error = joint_improvement()
    tolerance = 4.5 * np.sqrt(draws.var(0) / keys + error**2)
    np.testing.assert_array_less(np.abs(draws.mean(0) - expected), tolerance)


def test_without_noise_noisy_ei_is_ei() -> None:
    ours = run("noisy_ei", 20, noise=np.zeros(8))
    np.testing.assert_allclose(ours["value"], ours["ei"], rtol=1e-3)


@pytest.mark.parametrize("name", CLASSES)
def test_slopes_of_the_logs(name: str) -> None:
    count = {"noisy_ei": 20, "qnei": 256}[name]
    ours, step = run(name, count), 1e-6
    for axis in range(2):
        shift = step * np.eye(2)[axis]
        above, below = (np.asarray(run(name, count, points=POINTS + s * shift)["log"]) for s in (1, -1))
        np.testing.assert_allclose(ours["slope"][:, axis], (above - below) / (2 * step), rtol=2e-3, atol=1e-5)


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("depth", [40.0, 1000.0])
def test_logs_are_informative_far_below_the_incumbent(name: str, depth: float) -> None:
    count = {"noisy_ei": 20, "qnei": 256}[name]
    raised = Y.copy()
    raised[np.argmax(Y)] += 20.0 * depth
    ours, step = run(name, count, raised, 1e-3 * NOISE), 1e-6
    means, deviation, best = models_at(ours["fitted"], POINTS[0])
    assert np.all(means - best < -depth * deviation)
    assert np.isfinite(ours["log"]).all()
    assert np.isfinite(ours["slope"]).all()
    assert np.all(np.abs(ours["slope"]).sum(axis=1) > 1e-3)  # qNEI falls as the inverse of the distance
    if name == "noisy_ei":  # log of an average of tau, from scipy's scaled functions
        t = (best - means) / deviation
        mills = np.sqrt(np.pi / 2) * special.erfcx(t / np.sqrt(2))
        gap = np.where(t < 1e3, 1 - t * mills, t**-2.0)
        logs = -0.5 * t**2 - 0.5 * np.log(2 * np.pi) + np.log(gap)
        expected = np.log(deviation) + special.logsumexp(logs) - np.log(count)
        assert float(ours["log"][0]) == pytest.approx(expected, rel=1e-5)
    for axis in range(2):
        shift = step * np.eye(2)[axis]
        above, below = (np.asarray(run(name, count, raised, 1e-3 * NOISE, POINTS + s * shift)["log"]) for s in (1, -1))
        difference = (above - below) / (2 * step)
        np.testing.assert_allclose(
            ours["slope"][:, axis], difference, rtol=2e-3, atol=1e-6 * np.abs(above).max() + 1e-3
        )


def test_the_rounded_positive_part_in_extended_precision() -> None:
    u = np.concatenate([-np.logspace(-12, 6, 40), [0.0], np.logspace(-12, 3, 30)])
    wide, r = u.astype(np.longdouble), np.longdouble(1e-6)
    root = np.sqrt(wide**2 + 4 * r**2)
    expected = np.where(u > 0, (wide + root) / 2, 2 * r**2 / (root - wide)).astype(float)
    both = jax.jit(jax.vmap(jax.value_and_grad(lambda u: rounded_positive_part(u, 1e-6))))
    value, slope = both(u)
    np.testing.assert_allclose(value, expected, rtol=1e-13)
    np.testing.assert_allclose(slope, (expected / root).astype(float), rtol=1e-12)  # increasing everywhere
    smooth = np.asarray(value) - np.maximum(u, 0)
    assert np.all((smooth > -1e-15 * np.abs(u)) & (smooth <= 1e-6))
