"""With a bandwidth for each axis, kernels, regression, density and their gradients are those of rescaled data."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.acquisition.boke import ikr_ucb
from core.models.density import log_density, nearest_distance
from core.models.kernels import SMOOTHING
from core.models.large_scale import kernel_regression_and_density
from core.models.regression import kernel_regression
from tests.core.helpers import gradient, nearest_mean, regression, sample_data, weights

X, Y = sample_data(11, 2, 9)
H = np.array([0.35, 0.8])
POINTS = np.random.default_rng(1).uniform(-0.1, 1.1, (6, 2))


@pytest.mark.parametrize("name", SMOOTHING)
def test_values_are_those_in_units_of_the_bandwidths(name: str) -> None:
    kernel = SMOOTHING[name]
    mean = jax.jit(lambda x: kernel_regression(x, jnp.asarray(X), jnp.asarray(Y), jnp.asarray(H), kernel))
    log_w = jax.jit(lambda x: log_density(x, jnp.asarray(X), jnp.asarray(H), kernel))
    for x in POINTS:
        expected = float(weights(name, x / H, X / H, 1.0).sum())
        assert float(jnp.exp(log_w(x))) == pytest.approx(expected, rel=1e-9)
        assert float(mean(x)) == pytest.approx(regression(name, x / H, X / H, Y, 1.0), rel=1e-9)
        assert float(kernel(jnp.asarray(x), jnp.asarray(X[0]), jnp.asarray(H))) == pytest.approx(
            float(weights(name, x / H, X[:1] / H, 1.0)[0]), rel=1e-9
        )


@pytest.mark.parametrize("name", ["gaussian", "exponential"])
def test_gradients_are_those_of_the_acquisition(name: str) -> None:
    def acquisition(x: jax.Array) -> jax.Array:
        return ikr_ucb(x, jnp.asarray(X), jnp.asarray(Y), jnp.asarray(H), 0.4, SMOOTHING[name])

    compiled, slope = jax.jit(acquisition), jax.jit(jax.grad(acquisition))
    for x in POINTS:
        np.testing.assert_allclose(slope(x), gradient(compiled, x), rtol=1e-5, atol=1e-7)


def test_nearest_is_meant_in_units_of_the_bandwidths() -> None:
    h = np.array([0.02, 0.0004])
    for x in POINTS:
        expected = nearest_mean(x / h, X / h, Y)
        got = kernel_regression(*map(jnp.asarray, (x, X, Y, h)), SMOOTHING["epanechnikov"])
        assert float(got) == pytest.approx(expected, rel=1e-12)
        distance = nearest_distance(jnp.asarray(x), jnp.asarray(X), None, jnp.asarray(h))
        assert float(distance) == pytest.approx(np.linalg.norm((x - X) / h, axis=1).min(), rel=1e-12)
    plain = [nearest_mean(x, X, Y) for x in POINTS]
    assert plain != [nearest_mean(x / h, X / h, Y) for x in POINTS]


@pytest.mark.parametrize("name", ["gaussian", "epanechnikov"])
def test_the_streaming_sums_agree(name: str) -> None:
    kernel = SMOOTHING[name]
    mean, log_w = kernel_regression_and_density(*map(jnp.asarray, (POINTS, X, Y, H)), kernel, chunk=4)
    for index, x in enumerate(POINTS):
        expected = kernel_regression(*map(jnp.asarray, (x, X, Y, H)), kernel)
        density = log_density(*map(jnp.asarray, (x, X, H)), kernel)
        assert float(mean[index]) == pytest.approx(float(expected), rel=1e-9)
        assert float(log_w[index]) == pytest.approx(float(density), rel=1e-9)
