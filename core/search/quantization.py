"""A sample summarised by fewer weighted points, for coarse stages of a search.

The expectation of a smooth u over a sample is that over its cells: ``1/m sum_j u(c_j) ~ sum_k w_k u(z_k)`` with w_k the
share of the sample in the k-th cell and z_k its mean, for which the error is of second order in the size of the cells.
Cells are those of Lloyd's algorithm (Lloyd 1982), a few iterations from the first points of the sample.

Tried in its place with two and four context dimensions: the first 64 to 384 points of the sample, weighted so that
polynomials of total degree 4 to 14 are averaged exactly. Over SBO-KDE's bounds at 60 to 300 observations 64 cells erred
by 0.1 to 0.3 % of their range (two dimensions; 5 % with four), such rules by 0.03 to 100 % (2 to 3 %): the deviation is
not smooth enough for high degrees, whose weights are large and of both signs.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

__all__ = ["nearest_point", "quantize", "quantile_cells"]

ITERATIONS = 4


def nearest_point(points: Float[Array, "m c"], centres: Float[Array, "k c"]) -> Int[Array, " m"]:
    """Index of the centre nearest to each point (the first of equals)."""
    return jnp.argmin(jax.vmap(lambda centre: jnp.sum((points - centre[None]) ** 2, axis=1))(centres), axis=0)


def quantize(
    sample: Float[Array, "m c"], count: int, scale: Float[Array, " c"]
) -> tuple[Float[Array, "k c"], Float[Array, " k"]]:
    """At most ``count`` centres of the sample's cells, and their weights, a distribution.

    Empty cells keep their centre, a point of the sample, with weight zero.

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


def quantile_cells(sample: Float[Array, " m"], count: int) -> tuple[Float[Array, " k"], Float[Array, " k"]]:
    """The sample on the line, sorted, in runs of equal length (to within one): their means and shares.

    Args:
        sample: points, shape (m,).
        count: k, the number of cells; at most m.
    """
    size, cells = sample.shape[0], min(count, sample.shape[0])
    cell = (np.arange(size) * cells) // size
    lengths = np.bincount(cell, minlength=cells)
    total = jax.ops.segment_sum(jnp.sort(sample), cell, num_segments=cells, indices_are_sorted=True)
    return total / lengths, jnp.asarray(lengths / size)
