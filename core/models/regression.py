"""Kernel regression (Nadaraya-Watson) in log space, with its nearest-neighbour extension.

A (5): ``m_t(x) = sum_i k(x, x_i) y_i / sum_i k(x, x_i)``, evaluated as a soft-max over ``log k(x, x_i)``, so
that a bandwidth near zero gives the nearest-neighbour mean of Proposition 1 and never 0/0. Where a compactly
supported kernel leaves ``W_t(x) = 0``, the value is that nearest-neighbour mean (section 4.1).
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from core.models.bandwidth import Bandwidth
from core.models.kernels import GAUSSIAN, SmoothingKernel, l1_distance, squared_distance
from core.numerics import ROUNDING

__all__ = ["in_bandwidths", "kernel_regression", "log_weights", "nearest_neighbour_mean", "relative_weights"]


def log_weights(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    bandwidth: Bandwidth,
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, " n"]:
    """``log k(x, x_i; h)`` for every data point; minus infinity for masked rows."""
    values = jax.vmap(kernel.log_value, in_axes=(None, 0, None))(x, data_x, jnp.asarray(bandwidth, float))
    return values if mask is None else jnp.where(mask, values, -jnp.inf)


def in_bandwidths(
    x: Float[Array, " d"], data_x: Float[Array, "n d"], bandwidth: Bandwidth
) -> tuple[Float[Array, " d"], Float[Array, "n d"]]:
    """The point and the data with bandwidths an axis as units; as they are where one bandwidth serves all axes."""
    if jnp.ndim(bandwidth) == 0:
        return x, data_x
    unit = jnp.asarray(bandwidth, float)
    return x / unit, data_x / unit[None, :]


@jax.custom_jvp
def _at_most_zero(values: Float[Array, " n"], slack: Float[Array, ""]) -> Float[Array, " n"]:
    """``min(values + slack, 0)``, with the derivative of ``values``."""
    return jnp.minimum(values + slack, 0.0)


@_at_most_zero.defjvp
def _at_most_zero_jvp(primals: tuple[Array, Array], tangents: tuple[Array, Array]) -> tuple[Array, Array]:
    return _at_most_zero(*primals), tangents[0]


def relative_weights(
    log_k: Float[Array, " n"],
) -> tuple[Float[Array, " n"], Float[Array, ""], Bool[Array, ""]]:
    """``exp(log k_i - s)`` with ``s = max_i log k_i``; the shift s; whether any weight is positive.

    Log-weights that differ from the largest by no more than their own rounding error count as equal to it, so that the
    largest relative weight is one. Without that, a compiled program can divide zero by zero: the compiler computes
    ``log k_i`` twice, once for the maximum and once for the difference, and may round it differently (fused
    multiply-add); at ``h = 1e-12`` the last digit of ``log k_i`` is worth 10^10.

    Where no weight is positive, s is zero. The gradient does not pass through s (it cancels in every ratio).
    """
    top = jax.lax.stop_gradient(jnp.max(log_k))
    shift = jnp.where(jnp.isfinite(top), top, 0.0)
    weights = jnp.exp(_at_most_zero(log_k - shift, ROUNDING * jnp.abs(shift)))
    return weights, shift, jnp.sum(weights) > 0.5


def nearest_neighbour_mean(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    data_y: Float[Array, " n"],
    mask: Bool[Array, " n"] | None = None,
    norm: str = "l2",
    bandwidth: Bandwidth = 1.0,
) -> Float[Array, ""]:
    """Right side of A (10): the mean of y over all data points at the smallest distance from x.

    Ties (distances that differ by no more than their rounding error, duplicates among them) are averaged. ``norm`` is
    "l2" or "l1". With no data the mean is NaN. Bandwidths that differ between axes are units of distance along them:
    the neighbour found is the one that kernel regression tends to as all of them shrink alike.
    """
    distance = squared_distance if norm == "l2" else l1_distance
    distances = jax.vmap(distance, in_axes=(None, 0))(*in_bandwidths(x, data_x, bandwidth))
    if mask is not None:
        distances = jnp.where(mask, distances, jnp.inf)
    # Not "==": the compiler may round the two computations of the same distance differently.
    nearest = (distances <= (1.0 + ROUNDING) * jnp.min(distances)) & jnp.isfinite(distances)
    return jnp.sum(jnp.where(nearest, data_y, 0.0)) / jnp.sum(nearest)


def kernel_regression(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    data_y: Float[Array, " n"],
    bandwidth: Bandwidth,
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, ""]:
    """Kernel regression m_t(x), A (5); A (10) where ``W_t(x) = 0``.

    Args:
        x: query point, shape (d,).
        data_x: data points X_t, shape (n, d).
        data_y: observed values y_t, shape (n,), any unit; the result has the same unit.
        bandwidth: h > 0, in the unit of x, one for all axes or one an axis.
        kernel: one of :data:`core.models.kernels.SMOOTHING`.
        mask: rows in use; all of them by default. With no row in use the result is NaN.
    """
    weights, _, covered = relative_weights(log_weights(x, data_x, bandwidth, kernel, mask))
    smooth = jnp.sum(weights * data_y) / jnp.where(covered, jnp.sum(weights), 1.0)
    if kernel.radius == jnp.inf and mask is None:
        return smooth
    return jnp.where(covered, smooth, nearest_neighbour_mean(x, data_x, data_y, mask, kernel.norm, bandwidth))
