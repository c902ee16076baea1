"""The standardised improvement function ``tau(z) = z Phi(z) + phi(z)`` and its logarithm, far into the lower tail.

Below the incumbent ``tau`` and ``Phi`` underflow, and a maximiser sees a flat zero. With ``t = -z > 0``,

    Phi(z) = phi(t) R(t),    tau(z) = phi(t) g(t),    g(t) = 1 - t R(t),

R being Mills' ratio. R and g are moderate numbers (about 1/t and 1/t^2), so that the logarithms and their slopes stay
accurate for every representable z. Jones, Schonlau & Welch (1998); log forms: Ament et al. (2023), section 4.
"""

import math

import jax
import jax.numpy as jnp
from jax.scipy.special import erfcx
from jaxtyping import Array, Float

__all__ = ["log_ndtr", "log_tau", "ndtr", "tau"]

LOG_ROOT_TWO_PI = 0.5 * math.log(2.0 * math.pi)
FAR = 12.0  # the asymptotic series serves from here on; below, 1 - t R(t) loses a factor t^2 of accuracy
_TERMS = 14  # terms of the asymptotic series: the first one left out is below 1e-14 at t = 12

# Coefficients of (1/t^2)^k: t R(t) = sum (-1)^k (2k-1)!! / t^(2k), t^2 g(t) = sum (-1)^k (2k+1)!! / t^(2k).
_ODD = [math.prod(range(1, 2 * k, 2)) for k in range(_TERMS + 2)]
MILLS = [(-1.0) ** k * _ODD[k] for k in range(_TERMS + 1)]
TAU = [(-1.0) ** k * _ODD[k + 1] for k in range(_TERMS + 1)]


def _scaled_tails(z: Float[Array, ""]) -> tuple[Float[Array, ""], Float[Array, ""], Float[Array, ""]]:
    """``R(t)``, ``g(t)`` and ``R(t) / g(t)`` at ``t = |z|``."""
    t = jnp.abs(z)
    near = jnp.minimum(t, FAR)
    mills = math.sqrt(math.pi / 2.0) * erfcx(near / math.sqrt(2.0))
    gap = 1.0 - near * mills
    far = jnp.maximum(t, FAR)
    inverse = 1.0 / far
    mills_factor, tau_factor = _horner(MILLS, inverse**2), _horner(TAU, inverse**2)
    is_near = t < FAR
    return (
        jnp.where(is_near, mills, mills_factor * inverse),
        jnp.where(is_near, gap, tau_factor * inverse**2),
        jnp.where(is_near, mills / gap, far * mills_factor / tau_factor),
    )


def _horner(coefficients: list[float], s: Float[Array, ""]) -> Float[Array, ""]:
    total = jnp.full_like(s, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = coefficient + s * total
    return total


def _density(z: Float[Array, ""]) -> Float[Array, ""]:
    return jnp.exp(-0.5 * z**2 - LOG_ROOT_TWO_PI)


@jax.custom_jvp
def ndtr(z: Float[Array, ""]) -> Float[Array, ""]:
    """``Phi(z)``, the standard normal distribution function."""
    mills, _, _ = _scaled_tails(z)
    tail = _density(z) * mills
    return jnp.where(z < 0.0, tail, 1.0 - tail)


@jax.custom_jvp
def log_ndtr(z: Float[Array, ""]) -> Float[Array, ""]:
    """``log Phi(z)``, accurate to rounding in value and slope for every z."""
    mills, _, _ = _scaled_tails(z)
    below = -0.5 * z**2 - LOG_ROOT_TWO_PI + jnp.log(mills)
    return jnp.where(z < 0.0, below, jnp.log1p(-_density(z) * jnp.where(z < 0.0, 0.0, mills)))


@jax.custom_jvp
def tau(z: Float[Array, ""]) -> Float[Array, ""]:
    """``tau(z) = z Phi(z) + phi(z)``, B (8): expected improvement in units of the standard deviation."""
    _, gap, _ = _scaled_tails(z)
    return jnp.maximum(z, 0.0) + _density(z) * gap


@jax.custom_jvp
def log_tau(z: Float[Array, ""]) -> Float[Array, ""]:
    """``log tau(z)``, accurate to rounding in value and slope for every z."""
    _, gap, _ = _scaled_tails(z)
    below = -0.5 * z**2 - LOG_ROOT_TWO_PI + jnp.log(gap)
    above = jnp.log(jnp.where(z < 0.0, 1.0, z + _density(z) * gap))
    return jnp.where(z < 0.0, below, above)


@ndtr.defjvp
def _ndtr_slope(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    """``Phi' = phi``."""
    return ndtr(primals[0]), _density(primals[0]) * tangents[0]


@log_ndtr.defjvp
def _log_ndtr_slope(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    """``phi / Phi``, which is ``1 / R(-z)`` below zero."""
    (z,) = primals
    mills, _, _ = _scaled_tails(z)
    density = _density(z)
    slope = jnp.where(z < 0.0, 1.0 / mills, density / (1.0 - density * jnp.where(z < 0.0, 0.0, mills)))
    return log_ndtr(z), slope * tangents[0]


@tau.defjvp
def _tau_slope(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    """``tau' = Phi``."""
    return tau(primals[0]), ndtr(primals[0]) * tangents[0]


@log_tau.defjvp
def _log_tau_slope(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    """``Phi / tau``, which is ``R(-z) / g(-z)`` below zero."""
    (z,) = primals
    mills, gap, ratio = _scaled_tails(z)
    density = _density(z)
    above = jnp.maximum(z, 0.0)
    slope = jnp.where(z < 0.0, ratio, (1.0 - density * mills) / jnp.where(z < 0.0, 1.0, above + density * gap))
    return log_tau(z), slope * tangents[0]
