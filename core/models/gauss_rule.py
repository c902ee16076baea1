"""Gauss rule of a discrete measure on the line: few nodes that integrate polynomials as many points do.

For points ``c_i`` with weights ``w_i >= 0`` the ``n`` nodes ``g_k`` and weights ``v_k`` satisfy

    sum_k v_k q(g_k) = sum_i w_i q(c_i)    for every polynomial q of degree at most 2 n - 1,

so that the average of a smooth function over many samples of a one-dimensional context costs ``n`` evaluations.
Lanczos' iteration on ``diag(c)``, started at ``sqrt(w)``, gives the Jacobi matrix of the measure; its eigenvalues are
the nodes, the squared first components of its eigenvectors the weights. Each vector is orthogonalised twice against all
earlier ones: without that the iteration finds the same node again and again.

Source: Golub & Welsch (1969), "Calculation of Gauss quadrature rules", Mathematics of Computation 23; Gautschi (2004),
"Orthogonal Polynomials: Computation and Approximation", section 2.2 (Lanczos' method for discrete measures).
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

__all__ = ["gauss_rule"]

_BREAKDOWN = 64.0
"""In units of the rounding error: a remainder shorter than this is one of a measure that has no further node."""


def gauss_rule(
    points: Float[Array, " m"], weights: Float[Array, " m"], nodes: int
) -> tuple[Float[Array, " n"], Float[Array, " n"]]:
    """Nodes (ascending) and weights of the ``n``-point Gauss rule of ``sum_i w_i delta(c_i)``.

    Args:
        points: c, in any order; they may repeat.
        weights: w, none negative, of positive sum.
        nodes: n, static.

    Returns:
        Nodes between the smallest and the largest point, and weights of the same sum as ``weights``. Where the measure
        has fewer than ``n`` distinct points of positive weight, these are the rule, and the remaining nodes, at the
        middle of the range, have the weight zero.

    Raises:
        ValueError: ``nodes`` is not positive.

    Constants of a search, not parameters to differentiate by: the derivative of an eigenvector is not defined where
    nodes coincide.
    """
    if nodes < 1:
        raise ValueError(f"nodes must be positive, not {nodes}")
    low, high = jnp.min(points), jnp.max(points)
    middle, half = (low + high) / 2, (high - low) / 2
    scaled = (points - middle) / jnp.where(half > 0, half, 1.0)  # in [-1, 1]
    total = jnp.sum(weights)
    threshold = _BREAKDOWN * jnp.finfo(points.dtype).eps

    def step(
        k: jax.Array,
        carry: tuple[Float[Array, "n m"], Float[Array, " n"], Float[Array, " n"], Float[Array, " m"]],
    ) -> tuple[Float[Array, "n m"], Float[Array, " n"], Float[Array, " n"], Float[Array, " m"]]:
        basis, diagonal, beside, vector = carry
        basis = basis.at[k].set(vector)
        image = scaled * vector
        diagonal = diagonal.at[k].set(vector @ image)
        for _ in range(2):
            image = image - basis.T @ (basis @ image)
        length = jnp.sqrt(image @ image)
        going = length > threshold
        beside = beside.at[k].set(jnp.where(going, length, 0.0))
        return basis, diagonal, beside, jnp.where(going, image / jnp.where(going, length, 1.0), 0.0)

    empty = jnp.zeros(nodes, points.dtype)
    start = (jnp.zeros((nodes, points.shape[0]), points.dtype), empty, empty, jnp.sqrt(weights / total))
    _, diagonal, beside, _ = jax.lax.fori_loop(0, nodes, step, start)
    jacobi = jnp.diag(diagonal) + jnp.diag(beside[:-1], 1) + jnp.diag(beside[:-1], -1)
    places, vectors = jnp.linalg.eigh(jacobi)
    return middle + half * places, total * vectors[0] ** 2
