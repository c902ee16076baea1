"""Rule-of-thumb bandwidths for kernel regression and kernel density estimation.

The paper gives only the rates, eqs. (28) and (29); the proportionality constant is ours and is listed with
the other constants in ``docs/constants.md``.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

__all__ = ["fixed", "scott", "silverman"]


def scott(count: int | Int[Array, ""], dim: int, constant: float | Float[Array, ""]) -> Float[Array, ""]:
    """Scott's rule, eq. (28): ``h_t = c t^(-1/(d+4))``; t below 1 counts as 1."""
    return constant * jnp.maximum(jnp.asarray(count, float), 1.0) ** (-1.0 / (dim + 4))


def silverman(count: int | Int[Array, ""], dim: int, constant: float | Float[Array, ""]) -> Float[Array, ""]:
    """Silverman's rule, eq. (29): ``h_t = c (t (d+2) / 4)^(-1/(d+4))``; t below 1 counts as 1."""
    return constant * (jnp.maximum(jnp.asarray(count, float), 1.0) * (dim + 2) / 4.0) ** (-1.0 / (dim + 4))


def fixed(count: int | Int[Array, ""], dim: int, constant: float | Float[Array, ""]) -> Float[Array, ""]:
    """A bandwidth that does not depend on t: ``h_t = c`` (part (i) of Theorem 4)."""
    return jnp.asarray(constant, float)
