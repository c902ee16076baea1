"""A sample summarised by fewer weighted points, for coarse stages of a search.

The expectation of a smooth u over a sample is close to the expectation over its cells: ``1/m sum_j u(c_j) ~ sum_k w_k
u(z_k)`` with w_k the share of the sample in the k-th cell and z_k its mean, for which the error is of second order in
the size of the cells. Cells are those of Lloyd's algorithm (Lloyd 1982), a few iterations from the first points of the
sample.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

__all__ = ["nearest_point", "quantize"]

ITERATIONS = 4


def nearest_point(points: Float[Array, "m c"], centres: Float[Array, "k c"]) -> Int[Array, " m"]:
    """Index of the centre nearest to each point (the first of equals)."""
    return jnp.argmin(jax.vmap(lambda centre: jnp.sum((points - centre[None]) ** 2, axis=1))(centres), axis=0)


def quantize(
    sample: Float[Array, "m c"], count: int, scale: Float[Array, " c"]
) -> tuple[Float[Array, "k c"], Float[Array, " k"]]:
    """At most ``count`` centres of the sample's cells, and their weights, a distribution.

    An empty cell keeps its last centre, with weight zero.

    Args:
        sample: points, shape (m, c).
        count: k, the number of cells; at most m.
        scale: unit of distance in each coordinate, such as a kernel's lengthscales.
    """
    unit = sample / scale[None]
    cells = min(count, sample.shape[0])

    def centre(_: Array, centres: Float[Array, "k c"]) -> Float[Array, "k c"]:
        total, weight = sums(centres)
        return jnp.where(weight[:, None] > 0.0, total / jnp.maximum(weight, 1.0)[:, None], centres)

    def sums(centres: Float[Array, "k c"]) -> tuple[Float[Array, "k c"], Float[Array, " k"]]:
        cell = nearest_point(unit, centres)
        return (
            jax.ops.segment_sum(unit, cell, num_segments=cells),
            jax.ops.segment_sum(jnp.ones(sample.shape[0]), cell, num_segments=cells),
        )

    centres = jax.lax.fori_loop(0, ITERATIONS, centre, unit[:cells])
    total, weight = sums(centres)
    means = jnp.where(weight[:, None] > 0.0, total / jnp.maximum(weight, 1.0)[:, None], centres)
    return means * scale[None], weight / sample.shape[0]
