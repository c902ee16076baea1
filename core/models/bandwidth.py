"""Rule-of-thumb bandwidths for kernel regression and kernel density estimation.

The paper gives only the rates, A (28) and (29). Their proportionality factor is here ``c sqrt(d)``: a fraction c of
the unit cube's diagonal, since distances between points of the cube grow like sqrt(d), and a kernel of fixed width sees
no neighbour in many dimensions. c is listed with the other constants in ``docs/constants.md``.
"""

import math

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

__all__ = ["fixed", "scott", "silverman"]


def scott(count: int | Int[Array, ""], dim: int, constant: float | Float[Array, ""]) -> Float[Array, ""]:
    """Scott's rule, A (28): ``h_t = c sqrt(d) t^(-1/(d+4))``; t below 1 counts as 1."""
    return constant * math.sqrt(dim) * jnp.maximum(jnp.asarray(count, float), 1.0) ** (-1.0 / (dim + 4))


def silverman(count: int | Int[Array, ""], dim: int, constant: float | Float[Array, ""]) -> Float[Array, ""]:
    """Silverman's rule, A (29): ``h_t = c sqrt(d) (t (d+2) / 4)^(-1/(d+4))``; t below 1 counts as 1."""
    t = jnp.maximum(jnp.asarray(count, float), 1.0)
    return constant * math.sqrt(dim) * (t * (dim + 2) / 4.0) ** (-1.0 / (dim + 4))


def fixed(count: int | Int[Array, ""], dim: int, constant: float | Float[Array, ""]) -> Float[Array, ""]:
    """A bandwidth that does not depend on t nor d: ``h_t = c`` (part (i) of Theorem 4)."""
    return jnp.asarray(constant, float)
