"""Low-rank factors of matrices and of convolution kernels.

* A matrix W (m, n) by truncated singular value decomposition, ``W ~ U_r S_r V_r^T``: the best approximation of rank r
  in the Frobenius norm (Eckart & Young 1936; Denton et al. 2014 for networks).
* A kernel W (N, C, k, k), outputs before inputs, by a k x 1 convolution from C to K channels followed by a 1 x k
  convolution from K to N channels (Tai et al. 2016, Theorem 1): with the matrix ``M[(c, i), (j, n)] = W[n, c, i, j]``,
  the best such pair in the Frobenius norm is the truncated singular value decomposition of M.

Both give all ranks at once: the factors are ordered by singular value, and rank r keeps the first r components.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from experiments.workloads.compression.ranks import saving_ranks

__all__ = ["Convolution", "Factors", "convolve", "factor_matrix", "matrix_shape"]


class Factors(NamedTuple):
    """A matrix `whole` (m, n), and its factors `first` (m, B) and `second` (B, n) with as many components as save
    something; the singular values are shared out evenly."""

    whole: Float[Array, "m n"]
    first: Float[Array, "m B"]
    second: Float[Array, "B n"]


def matrix_shape(weight: np.ndarray) -> tuple[int, int]:
    """Rows and columns of the matrix that is factored: (m, n) itself, (C k, k N) for a kernel (N, C, k, k)."""
    if weight.ndim == 2:
        return int(weight.shape[0]), int(weight.shape[1])
    outputs, inputs, height, width = weight.shape
    return int(inputs * height), int(width * outputs)


def _decompose(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    keep = saving_ranks(*matrix.shape)
    root = np.sqrt(values[:keep])
    return left[:, :keep] * root, root[:, None] * right[:keep]


def factor_matrix(weight: Float[np.ndarray, "m n"]) -> Factors:
    """All truncations of a matrix that save something."""
    first, second = _decompose(np.asarray(weight, float))
    return Factors(*(jnp.asarray(part, weight.dtype) for part in (weight, first, second)))


def convolve(
    x: Float[Any, "b h w C"], kernel: Float[Any, "k l C N"], stride: tuple[int, int] = (1, 1), xp: Any = np
) -> Float[Any, "b p q N"]:
    """The cross-correlation with a kernel of odd sides, zeros around, of the images' size over the stride: one product
    of the images' patches with a matrix, in NumPy or in JAX."""
    sides = [side // 2 for side in kernel.shape[:2]]
    padded = xp.pad(x, [(0, 0), (sides[0],) * 2, (sides[1],) * 2, (0, 0)]) if any(sides) else x
    ends = x.shape[1:3]
    patches = [
        padded[:, i : i + ends[0] : stride[0], j : j + ends[1] : stride[1]]
        for i in range(kernel.shape[0])
        for j in range(kernel.shape[1])
    ]
    return xp.concatenate(patches, axis=-1) @ kernel.reshape(-1, kernel.shape[-1])


@dataclass(frozen=True)
class Convolution:
    """A kernel `whole` (k, k, C, N), and the factors `first` (k, 1, C, B) and `second` (1, k, B, N) with as many
    components as save something; the singular values are shared out evenly."""

    whole: Float[np.ndarray, "k k C N"]
    first: Float[np.ndarray, "k 1 C B"]
    second: Float[np.ndarray, "1 k B N"]

    @staticmethod
    def of(weight: Float[np.ndarray, "N C k k"]) -> "Convolution":
        """All factorisations of a kernel that save something."""
        outputs, inputs, height, width = weight.shape
        matrix = np.asarray(weight, float).transpose(1, 2, 3, 0).reshape(inputs * height, width * outputs)
        left, right = _decompose(matrix)
        first = left.reshape(inputs, height, 1, -1).transpose(1, 2, 0, 3)
        second = right.reshape(1, -1, width, outputs).transpose(0, 2, 1, 3)
        parts = weight.transpose(2, 3, 1, 0), first, second
        return Convolution(*(np.ascontiguousarray(part, weight.dtype) for part in parts))

    def __call__(self, x: Float[np.ndarray, "b h w C"], level: int, stride: int = 1) -> Float[np.ndarray, "b p q N"]:
        """The convolution with the kernel at a level (`experiments.workloads.compression.ranks`): rank level + 1, or
        whole at the last level."""
        if level >= self.first.shape[-1]:
            return convolve(x, self.whole, (stride, stride))
        rank = level + 1
        between = convolve(x, self.first[..., :rank], (stride, 1))
        return convolve(between, self.second[:, :, :rank], (1, stride))
