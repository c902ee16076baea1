"""The map from [0, 1] to the rank of a layer, and the size of a layer at a rank.

Sources: Denton et al., "Exploiting linear structure within convolutional networks for efficient evaluation" (NeurIPS
2014) for matrices; Tai et al., "Convolutional neural networks with low-rank regularization" (ICLR 2016) for
convolutions. Paper B takes its "scaling scheme" for ranks from Ma et al. (ICCV 2019); ours is stated here.

A weight matrix of m x n numbers becomes r (m + n) numbers at rank r, which saves something while r (m + n) < m n. So
the levels of a layer are its ranks r = 1, ..., B, B the largest that saves something, and one more: the layer left
whole. A coordinate x in [0, 1] chooses among these B + 1 levels by equal intervals. A convolution of k x k with C
inputs and N outputs is a matrix of C k x k N numbers (`experiments.workloads.compression.factors`).
"""

from collections.abc import Sequence

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from experiments.problems.checks import require

__all__ = ["Levels", "saving_ranks"]


def saving_ranks(rows: int, columns: int) -> int:
    """B: the number of ranks of an m x n matrix that save something, the largest r with ``r (m + n) < m n`` (0 for thin
    ones)."""
    return max((rows * columns - 1) // (rows + columns), 0)


class Levels(eqx.Module):
    """The levels of d layers and the size of the network at each choice of them.

    Attributes:
        count: number of levels of each layer, B + 1, shape (d,).
        sizes: numbers of a layer at its levels, in increasing order, shape (d, L); beyond `count` the whole layer.
        others: numbers of the network that stay as they are: biases, layers that are not compressed.
    """

    count: Int[Array, " d"]
    sizes: Float[Array, "d L"]
    others: Float[Array, ""]

    @staticmethod
    def of(shapes: Sequence[tuple[int, int]], others: int, width: int | None = None) -> "Levels":
        """The levels of layers with these matrix shapes.

        Args:
            shapes: (m, n) of each layer.
            others: numbers that are never compressed.
            width: L, at least the largest number of levels (default: that); a larger one lets networks of different
                sizes share one compiled program.

        Raises:
            ValueError: no layers, or too small a width.
        """
        require(len(shapes) > 0, "shapes: expected at least one layer")
        count = np.array([saving_ranks(*shape) + 1 for shape in shapes])
        width = int(count.max()) if width is None else width
        require(width >= count.max(), f"width: expected at least {count.max()} levels, got {width}")
        ranks = np.arange(1, width + 1)
        sizes = [
            np.where(ranks < levels, ranks * (rows + columns), rows * columns)
            for (rows, columns), levels in zip(shapes, count, strict=True)
        ]
        return Levels(jnp.asarray(count), jnp.asarray(np.array(sizes), float), jnp.asarray(others, float))

    def choose(self, x: Float[Array, " d"]) -> Int[Array, " d"]:
        """The level of each layer, 0 for rank 1, ..., count - 1 for the layer left whole, by equal intervals of x."""
        level = jnp.floor(x * self.count).astype(int)
        return jnp.clip(level, 0, self.count - 1)

    def ratio(self, level: Int[Array, " d"]) -> Float[Array, ""]:
        """Size of the network at these levels over its original size, (0, 1]."""
        rows = jnp.arange(self.count.shape[0])
        whole = jnp.sum(self.sizes[:, -1]) + self.others
        return (jnp.sum(self.sizes[rows, level]) + self.others) / whole
