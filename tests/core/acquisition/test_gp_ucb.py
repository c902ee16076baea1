"""GP-UCB against scikit-learn's posterior."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from core.acquisition.gp_ucb import gp_ucb, posterior_deviation
from core.models.gaussian_process import JITTER, GaussianProcess
from core.models.kernels import squared_exponential
from tests.core.helpers import gradient, sample_data

X, Y = sample_data(9, 2, 13)
LENGTHSCALE = np.array([0.4, 0.2])
ORACLE = GaussianProcessRegressor(RBF(LENGTHSCALE), alpha=0.04 + JITTER, optimizer=None).fit(X, Y)


def process(noise: float) -> GaussianProcess:
    return GaussianProcess.fit(
        jnp.asarray(X), jnp.asarray(Y), squared_exponential, jnp.asarray(LENGTHSCALE), 1.0, noise
    )


def oracle(x: np.ndarray, beta: float) -> float:
    mean, deviation = ORACLE.predict(x[None], return_std=True)
    return float(mean[0] + np.sqrt(beta) * deviation[0])


def test_equation_a3_and_its_gradient() -> None:
    posterior = process(0.04)
    value_and_slope = jax.jit(jax.value_and_grad(lambda x, beta: gp_ucb(x, posterior, beta)))
    for x in (np.array([0.3, 0.9]), np.array([0.8, 0.1]), X[2]):
        for beta in (0.0, 4.0):
            value, slope = value_and_slope(x, beta)
            assert float(value) == pytest.approx(oracle(x, beta), rel=1e-8)
            np.testing.assert_allclose(slope, gradient(lambda p, b=beta: oracle(p, b), x), rtol=1e-4, atol=1e-6)


def test_deviation() -> None:
    x = np.array([0.3, 0.9])
    expected = ORACLE.predict(x[None], return_std=True)[1][0]
    assert float(posterior_deviation(jnp.asarray(x), process(0.04))) == pytest.approx(expected, rel=1e-9)


def test_gradients_at_noise_free_data_are_finite() -> None:
    posterior = process(0.0)
    for function in (lambda x: gp_ucb(x, posterior, 4.0), lambda x: posterior_deviation(x, posterior)):
        value_and_slope = jax.jit(jax.value_and_grad(function))
        for row in range(9):
            value, slope = value_and_slope(jnp.asarray(X[row]))
            assert np.isfinite(float(value))
            assert bool(jnp.isfinite(slope).all())
