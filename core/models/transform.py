"""Standardisation of observed values, on the data seen so far."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

__all__ = ["standardize", "standardize_on_host"]

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


def standardize_on_host(y: Float[np.ndarray, " n"]) -> tuple[Float[np.ndarray, " n"], float, float]:
    """:func:`standardize` of rows that are all in use."""
    mean = float(np.sum(y) / len(y))
    centred = y - mean
    spread = float(np.max(np.abs(centred)))
    unit = spread if spread > 0.0 else 1.0
    deviation = unit * float(np.sqrt(np.sum((centred / unit) ** 2) / len(y)))
    scale = 1.0 if deviation <= _RELATIVE_FLOOR * float(np.max(np.abs(y))) else deviation
    return centred / scale, mean, scale
