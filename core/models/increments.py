"""Prior variance of an increment ``f(x) - f(x')`` of a Gaussian process, without cancellation where x is near x'.

``var(f(x) - f(x')) = k(x, x) + k(x', x') - 2 k(x, x')`` loses every digit as x approaches x'. For the stationary
kernels ``s^2 rho(u)`` it is ``2 s^2 (1 - rho(u))``, and ``1 - rho`` is written out
here so that its relative accuracy stays.
"""

import math
from collections.abc import Callable

import jax.numpy as jnp
from jaxtyping import Array, Float

from core.models.kernels import (
    CovarianceKernel,
    matern12,
    matern32,
    matern52,
    scaled_squared_distance,
    squared_exponential,
)
from core.numerics import root

__all__ = ["increment_variance"]

SERIES = 16  # terms of the exponential series; the last one is below 1e-16 of the first where it is used, u <= 1


def _exponential_tail(u: Float[Array, ""], first: int) -> Float[Array, ""]:
    """``sum_{k >= first} u^k / k! = e^u - sum_{k < first} u^k / k!`` for u >= 0, with full relative accuracy."""
    small = jnp.minimum(u, 1.0)
    series = jnp.ones_like(u)
    for k in range(first + SERIES, first, -1):
        series = 1.0 + small / k * series
    head = sum(u**k / math.factorial(k) for k in range(first))
    return jnp.where(u <= 1.0, small**first / math.factorial(first) * series, jnp.exp(jnp.minimum(u, 700.0)) - head)


def _squared_exponential(squared: Float[Array, ""]) -> Float[Array, ""]:
    """``1 - exp(-r^2 / 2)``."""
    return -jnp.expm1(-0.5 * squared)


def _matern12(squared: Float[Array, ""]) -> Float[Array, ""]:
    """``1 - exp(-r)``."""
    return -jnp.expm1(-_scaled_distance(squared))


def _matern32(squared: Float[Array, ""]) -> Float[Array, ""]:
    """``1 - (1 + u) e^-u = e^-u sum_{k >= 2} u^k / k!`` with ``u = sqrt(3) r``."""
    u = _scaled_distance(3.0 * squared)
    return jnp.exp(-u) * _exponential_tail(u, 2)


def _matern52(squared: Float[Array, ""]) -> Float[Array, ""]:
    """``1 - (1 + u + u^2 / 3) e^-u = e^-u (u^2 / 6 + sum_{k >= 3} u^k / k!)`` with ``u = sqrt(5) r``."""
    u = _scaled_distance(5.0 * squared)
    return jnp.exp(-u) * (5.0 * squared / 6.0 + _exponential_tail(u, 3))


def _scaled_distance(squared: Float[Array, ""]) -> Float[Array, ""]:
    """Square root, at most 700: beyond, every kernel above is zero."""
    return root(jnp.minimum(squared, 700.0**2))


_DECREASE: dict[CovarianceKernel, Callable[[Float[Array, ""]], Float[Array, ""]]] = {
    squared_exponential: _squared_exponential,
    matern12: _matern12,
    matern32: _matern32,
    matern52: _matern52,
}


def increment_variance(
    kernel: CovarianceKernel,
    x: Float[Array, " d"],
    x_prime: Float[Array, " d"],
    lengthscale: Float[Array, " d"],
    variance: Float[Array, ""],
) -> Float[Array, ""]:
    """``k(x, x) + k(x', x') - 2 k(x, x')``, exactly zero at x = x' for the kernels of
    :data:`core.models.kernels.STATIONARY`.

    Any other kernel is taken at its word: three evaluations, with the cancellation that this brings.
    """
    if kernel in _DECREASE:
        return 2.0 * variance * _DECREASE[kernel](scaled_squared_distance(x, x_prime, lengthscale))
    own, other = kernel(x, x, lengthscale, variance), kernel(x_prime, x_prime, lengthscale, variance)
    return own + other - 2.0 * kernel(x, x_prime, lengthscale, variance)
