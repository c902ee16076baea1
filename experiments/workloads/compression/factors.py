"""Low-rank factors of matrices and of convolution kernels.

* A matrix W (m, n) by truncated singular value decomposition, ``W ~ U_r S_r V_r^T``: the best approximation of rank r
  in the Frobenius norm (Eckart & Young 1936; Denton et al. 2014 for networks).
* A kernel W (N, C, k, k), outputs before inputs, by a k x 1 convolution from C to K channels followed by a 1 x k
  convolution from K to N channels (Tai et al. 2016, Theorem 1): with the matrix ``M[(c, i), (j, n)] = W[n, c, i, j]``,
  the best such pair in the Frobenius norm is the truncated singular value decomposition of M.

Both give all ranks at once: the factors are ordered by singular value, and rank r keeps the first r components. The
rank may be traced: components are masked, never cut off.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from experiments.workloads.compression.ranks import saving_ranks

__all__ = ["Factors", "convolve", "factor_kernel", "factor_matrix", "kept", "matrix_shape", "multiply"]


class Factors(NamedTuple):
    """A weight, and its factors with as many components as save something.

    `whole`: the matrix (m, n) or the kernel (N, C, k, k). `first`, `second`: (m, B) and (B, n), or kernels (B, C, k, 1)
    and (N, B, 1, k); the singular values are shared out evenly.
    """

    whole: Float[Array, "..."]
    first: Float[Array, "..."]
    second: Float[Array, "..."]


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


def factor_kernel(weight: Float[np.ndarray, "N C k k"]) -> Factors:
    """All factorisations of a kernel that save something."""
    outputs, inputs, height, width = weight.shape
    matrix = np.asarray(weight, float).transpose(1, 2, 3, 0).reshape(inputs * height, width * outputs)
    left, right = _decompose(matrix)
    first = left.reshape(inputs, height, -1).transpose(2, 0, 1)[:, :, :, None]
    second = right.reshape(-1, width, outputs).transpose(2, 0, 1)[:, :, None, :]
    return Factors(*(jnp.asarray(part, weight.dtype) for part in (weight, first, second)))


def kept(level: Int[Array, ""], components: int) -> Float[Array, " B"]:
    """1 for the components that a level keeps: level + 1 of them."""
    return (jnp.arange(components) <= level).astype(float)


def multiply(x: Float[Array, "b m"], factors: Factors, level: Int[Array, ""]) -> Float[Array, "b n"]:
    """``x W`` with W at a level (`experiments.workloads.compression.ranks`): rank level + 1, or whole at the last
    level."""
    components = factors.first.shape[1]
    mask = kept(level, components).astype(x.dtype)
    return jax.lax.cond(
        level >= components,
        lambda: x @ factors.whole,
        lambda: ((x @ factors.first) * mask[None, :]) @ factors.second,
    )


def convolve(
    x: Float[Array, "b C h w"], factors: Factors, level: Int[Array, ""], stride: int = 1
) -> Float[Array, "b N p q"]:
    """The convolution (cross-correlation, zeros around, same size over `stride`) with a kernel at a level."""
    padding, components = factors.whole.shape[-1] // 2, factors.first.shape[0]
    mask = kept(level, components).astype(x.dtype)

    def thin() -> Array:
        between = _conv(x, factors.first, (stride, 1), (padding, 0)) * mask[None, :, None, None]
        return _conv(between, factors.second, (1, stride), (0, padding))

    return jax.lax.cond(
        level >= components, lambda: _conv(x, factors.whole, (stride, stride), (padding, padding)), thin
    )


def _conv(x: Array, kernel: Array, strides: tuple[int, int], padding: tuple[int, int]) -> Array:
    return jax.lax.conv_general_dilated(x, kernel, strides, [(side, side) for side in padding])
