"""Polynomial interpolation on an interval at the Chebyshev points of the second kind.

With k points ``z_i = (1 - cos(pi i / (k - 1))) / 2`` of [0, 1] and barycentric weights ``(-1)^i``, halved at both ends,

    u(c) ~ sum_i (b_i / (c - z_i)) u(z_i) / sum_i (b_i / (c - z_i)),

the second barycentric formula, which is stable for any k (Berrut & Trefethen 2004, eqs. (4.2) and (5.4)). For a u with
an r-th derivative of bounded variation the error is O(k^(-r)), for an analytic one it falls geometrically.
"""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

__all__ = ["chebyshev_points", "interpolation_matrix"]


def chebyshev_points(count: int) -> Float[Array, " k"]:
    """``z_i`` in [0, 1], ascending, ends included; ``count`` at least 2."""
    return jnp.asarray(0.5 - 0.5 * np.cos(np.pi * np.arange(count) / (count - 1)))


def interpolation_matrix(count: int, targets: Float[Array, " m"]) -> Float[Array, "m k"]:
    """The matrix that takes ``u(z_i)`` to the interpolant at the targets in [0, 1]; its rows sum to one."""
    signs = np.where(np.arange(count) % 2 == 0, 1.0, -1.0)
    signs[[0, -1]] *= 0.5
    difference = targets[:, None] - chebyshev_points(count)[None]
    hit = difference == 0.0
    terms = jnp.asarray(signs)[None] / jnp.where(hit, 1.0, difference)
    smooth = terms / jnp.sum(terms, axis=1, keepdims=True)
    return jnp.where(jnp.any(hit, axis=1, keepdims=True), hit.astype(float), smooth)
