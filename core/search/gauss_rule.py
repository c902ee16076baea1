"""Gauss quadrature for a discrete measure on the line: a sample's averages from far fewer points.

For ``sum_j p_j u(c_j)`` with m points c_j and ``sum_j p_j = 1``, the rule ``sum_i w_i u(z_i)`` with k nodes that is
exact for polynomials u of degree up to 2 k - 1. Its nodes are the eigenvalues of the k x k Jacobi matrix of the
measure, its weights the squares of the first components of the eigenvectors (Golub & Welsch 1969). The Jacobi matrix is
what the Lanczos process makes of ``diag(c)`` from the vector ``sqrt(p)`` (Gautschi 2004, "Orthogonal Polynomials:
Computation and Approximation", section 2.2.3); vectors are orthogonalised twice against all earlier ones, without which
they lose their orthogonality after few steps. The leading block of a Jacobi matrix belongs to the smaller rule.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from core.numerics import TINY

__all__ = ["gauss_rule", "jacobi_matrix"]

_BREAKDOWN = 1e-13  # of the points' range: a residual of that size is rounding, the measure has no more points


def jacobi_matrix(points: Float[Array, " m"], weights: Float[Array, " m"], count: int) -> Float[Array, "k k"]:
    """The Jacobi matrix of the distribution proportional to ``sum_j p_j delta_(c_j)``, O(m k^2).

    A measure of fewer than k distinct points has a smaller one; the rest of the diagonal then holds the mean, coupled
    to nothing, to which :func:`gauss_rule` gives weight zero.

    Args:
        points: c_j, shape (m,).
        weights: p_j >= 0, not all zero, shape (m,).
        count: k >= 1.
    """
    total = jnp.sum(weights)
    mean, spread = weights @ points / total, jnp.max(points) - jnp.min(points)
    centred = points - mean

    def step(
        basis: Float[Array, "k m"], row: Array
    ) -> tuple[Float[Array, "k m"], tuple[Float[Array, ""], Float[Array, ""]]]:
        vector = basis[row]
        image = centred * vector
        diagonal = image @ vector
        for _ in range(2):
            image = image - (basis @ image) @ basis
        norm = jnp.sqrt(image @ image)
        more = norm > _BREAKDOWN * spread
        following = jnp.where(more, image / jnp.maximum(norm, TINY), 0.0)
        return basis.at[row + 1].set(following, mode="drop"), (diagonal, jnp.where(more, norm, 0.0))

    first = jnp.zeros((count, points.shape[0])).at[0].set(jnp.sqrt(weights / total))
    _, (diagonal, off) = jax.lax.scan(step, first, jnp.arange(count))
    return jnp.diag(diagonal + mean) + jnp.diag(off[:-1], 1) + jnp.diag(off[:-1], -1)


def gauss_rule(jacobi: Float[Array, "k k"]) -> tuple[Float[Array, " k"], Float[Array, " k"]]:
    """Nodes, ascending and within the points' range, and weights, which sum to one."""
    nodes, vectors = jnp.linalg.eigh(jacobi)
    return nodes, vectors[0] ** 2
