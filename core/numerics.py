"""Tools that several formulas share: roots with a finite slope, floors, NaN as the lowest value; gradients only when
used."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

__all__ = [
    "ROUNDING",
    "TINY",
    "VARIANCE_FLOOR",
    "deferred_gradient",
    "floored_deviation",
    "nan_as_lowest",
    "root",
    "smallest",
]

TINY = 1e-300
"""The floor that keeps a divisor or the argument of a logarithm positive; smaller values do not matter."""

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
    """The values with minus infinity in place of NaN, so that NaN is never the largest."""
    return jnp.where(jnp.isnan(values), -jnp.inf, values)


def smallest(values: Float[Array, " n"]) -> Float[Array, ""]:
    """The smallest value, with the gradient of the first of equals.

    The gradient of ``jnp.min`` divides by the count of values equal to the minimum. Inside a larger program the
    compiler may compute the values twice and round them differently: then no value is equal, and the gradient is NaN.
    """
    return values[jnp.argmin(jax.lax.stop_gradient(values))]


def deferred_gradient(
    evaluate: Callable[[Float[Array, " p"]], tuple[Float[Array, ""], Any]],
    gradient: Callable[[Float[Array, " p"], Any], Float[Array, " p"]],
) -> Callable[[Float[Array, " p"]], Float[Array, ""]]:
    """A function of one vector whose gradient is computed where it is used, not where the function is linearised.

    A line search linearises at every point that it tries and uses the gradient only at accepted points. The extra
    computation of the gradient would be wasted at the other points; here it belongs to the reverse pass, which a
    conditional leaves out. The function is differentiable once, in reverse mode.

    Args:
        evaluate: function that returns the value, and a by-product for the gradient.
        gradient: the gradient, from the point and the by-product. It is traced after ``evaluate``, elsewhere: arrays in
            its closure must exist before the function is called.
    """

    @jax.custom_vjp
    def function(point: Float[Array, " p"]) -> Float[Array, ""]:
        return evaluate(point)[0]

    def forward(point: Float[Array, " p"]) -> tuple[Float[Array, ""], tuple[Float[Array, " p"], Any]]:
        value, by_product = evaluate(point)
        return value, (point, by_product)

    def backward(given: tuple[Float[Array, " p"], Any], cotangent: Float[Array, ""]) -> tuple[Float[Array, " p"]]:
        return (cotangent * gradient(*given),)

    function.defvjp(forward, backward)
    differentiable: Callable[[Float[Array, " p"]], Float[Array, ""]] = function
    return differentiable
