"""Floating-point guards that several formulas share: roots with a finite slope, floors, NaN as the lowest value."""

import jax.numpy as jnp
from jaxtyping import Array, Float

__all__ = ["ROUNDING", "TINY", "VARIANCE_FLOOR", "floored_deviation", "nan_as_lowest", "root"]

TINY = 1e-300
"""Keeps a divisor or the argument of a logarithm positive; nothing that counts is as small."""

ROUNDING = 32 * float(jnp.finfo(float).eps)
"""Bounds the relative rounding error of a squared distance, and of a logarithm of a kernel value, in d <= 12."""

VARIANCE_FLOOR = 1e-20
"""Smallest posterior variance under a square root, relative to the prior's: the slope stays finite at the data."""


def root(squared: Float[Array, "*n"]) -> Float[Array, "*n"]:
    """``sqrt(max(s, 0))``, with gradient zero (not infinity or NaN) where s <= 0.

    A sum of squares must be exact where it vanishes: made of differences, ``x - x'`` or ``(x - x') / l``, never of
    differences of quotients. The compiler evaluates ``s > 0`` more than once, and where rounding (fused multiply-add)
    can make zero of one evaluation and not of the other, the norm of a zero vector would be one.
    """
    positive = squared > 0.0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, squared, 1.0)), 0.0)


def floored_deviation(variance: Float[Array, "*n"], prior_variance: Float[Array, ""]) -> Float[Array, "*n"]:
    """``sqrt(max(v, VARIANCE_FLOOR v_0))``: at least ``1e-10`` prior standard deviations."""
    return jnp.sqrt(jnp.maximum(variance, VARIANCE_FLOOR * prior_variance))


def nan_as_lowest(values: Float[Array, "*n"]) -> Float[Array, "*n"]:
    """The values with minus infinity in place of NaN: what cannot be compared is never the largest."""
    return jnp.where(jnp.isnan(values), -jnp.inf, values)
