"""Standardisation of observed values, on the data seen so far."""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

__all__ = ["standardize"]

_RELATIVE_FLOOR = 1e-10


def standardize(
    y: Float[Array, " n"], mask: Bool[Array, " n"]
) -> tuple[Float[Array, " n"], Float[Array, ""], Float[Array, ""]]:
    """``(y - mean) / sd`` over the rows in use (zero elsewhere), with the mean and the sd used.

    The sd is the population one. Where it is below ``1e-10`` of the largest absolute value, the observations count as
    constant and the sd used is one.
    """
    count = jnp.maximum(jnp.sum(mask), 1)
    mean = jnp.sum(jnp.where(mask, y, 0.0)) / count
    centred = jnp.where(mask, y - mean, 0.0)
    spread = jnp.max(jnp.abs(centred))
    unit = jnp.where(spread > 0.0, spread, 1.0)
    deviation = unit * jnp.sqrt(jnp.sum((centred / unit) ** 2) / count)
    constant = deviation <= _RELATIVE_FLOOR * jnp.max(jnp.abs(jnp.where(mask, y, 0.0)))
    scale = jnp.where(constant, 1.0, deviation)
    return centred / scale, mean, scale
