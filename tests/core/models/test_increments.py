"""The variance of an increment against 60-digit arithmetic on the closed forms, near x' and far from it."""

from decimal import Decimal, getcontext

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.models.increments import increment_variance
from core.models.kernels import STATIONARY

getcontext().prec = 60
LENGTHSCALE = np.array([0.31, 0.9])
FACTOR = {"squared_exponential": 1, "matern12": 1, "matern32": 3, "matern52": 5}


def decrease(name: str, squared: Decimal) -> Decimal:
    """One minus the correlation, from r^2."""
    u = (FACTOR[name] * squared).sqrt()
    correlation = {
        "squared_exponential": (-squared / 2).exp(),
        "matern12": (-u).exp(),
        "matern32": (1 + u) * (-u).exp(),
        "matern52": (1 + u + u * u / 3) * (-u).exp(),
    }
    return 1 - correlation[name]


@pytest.mark.parametrize("name", STATIONARY)
def test_relative_accuracy_at_every_distance(name: str) -> None:
    function = jax.jit(
        jax.vmap(
            lambda x, y: increment_variance(STATIONARY[name], x, y, jnp.asarray(LENGTHSCALE), jnp.asarray(2.3)),
            in_axes=(0, None),
        )
    )
    origin, direction = np.array([0.4, 0.7]), np.array([0.6, -0.8])
    distances = np.logspace(-7, 3, 41)
    x = origin + distances[:, None] * direction
    squared = [
        sum(
            ((Decimal(float(a)) - Decimal(float(b))) / Decimal(float(s))) ** 2
            for a, b, s in zip(p, origin, LENGTHSCALE, strict=True)
        )
        for p in x
    ]
    expected = [float(2 * Decimal(2.3) * decrease(name, value)) for value in squared]
    np.testing.assert_allclose(function(x, origin), expected, rtol=1e-13)
    assert float(function(origin[None], origin)[0]) == 0.0


@pytest.mark.parametrize("name", STATIONARY)
def test_gradient_is_twice_that_of_the_kernel_and_finite_at_the_point(name: str) -> None:
    kernel = STATIONARY[name]
    arguments = jnp.array([0.4, 0.7]), jnp.asarray(LENGTHSCALE), jnp.asarray(2.3)
    slope = jax.jit(jax.vmap(jax.grad(lambda x: increment_variance(kernel, x, *arguments))))
    other = jax.jit(jax.vmap(jax.grad(lambda x: -2.0 * kernel(x, *arguments))))
    points = jnp.array([[0.5, 0.6], [0.9, -3.0], [0.41, 0.7], [0.4, 0.7]])
    np.testing.assert_allclose(slope(points), other(points), rtol=1e-9, atol=1e-13)
    assert bool(jnp.isfinite(slope(points)).all())


def test_other_kernels_are_taken_at_their_word() -> None:
    def linear(x: jax.Array, y: jax.Array, lengthscale: jax.Array, variance: jax.Array) -> jax.Array:
        return variance * jnp.sum(x * y / lengthscale**2)

    x, y = jnp.array([0.5, 2.0]), jnp.array([-1.0, 0.3])
    got = increment_variance(linear, x, y, jnp.asarray(LENGTHSCALE), jnp.asarray(2.3))
    assert float(got) == pytest.approx(2.3 * float(jnp.sum(((x - y) / LENGTHSCALE) ** 2)), rel=1e-12)
