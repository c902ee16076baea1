"""Kernel regression (Nadaraya-Watson) in log space, with its nearest-neighbour extension.

Eq. (5): ``m_t(x) = sum_i k(x, x_i) y_i / sum_i k(x, x_i)``, evaluated as a soft-max over ``log k(x, x_i)``, so
that a bandwidth near zero gives the nearest-neighbour mean of Proposition 1 and never 0/0. Where a compactly
supported kernel leaves ``W_t(x) = 0``, the value is that nearest-neighbour mean (section 4.1).
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from core.kernels import GAUSSIAN, SmoothingKernel, l1_distance, squared_distance

__all__ = ["kernel_regression", "log_weights", "nearest_neighbour_mean"]


def log_weights(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    bandwidth: float | Float[Array, ""],
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, " n"]:
    """``log k(x, x_i; h)`` for every data point; minus infinity for masked rows."""
    values = jax.vmap(kernel.log_value, in_axes=(None, 0, None))(x, data_x, jnp.asarray(bandwidth, float))
    return values if mask is None else jnp.where(mask, values, -jnp.inf)


def nearest_neighbour_mean(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    data_y: Float[Array, " n"],
    mask: Bool[Array, " n"] | None = None,
    norm: str = "l2",
) -> Float[Array, ""]:
    """Right side of eq. (10): the mean of y over all data points at the smallest distance from x.

    Ties (equal floating-point distances, duplicates among them) are averaged. ``norm`` is "l2" or "l1". With no
    data the mean is NaN.
    """
    distance = squared_distance if norm == "l2" else l1_distance
    distances = jax.vmap(distance, in_axes=(None, 0))(x, data_x)
    if mask is not None:
        distances = jnp.where(mask, distances, jnp.inf)
    nearest = (distances == jnp.min(distances)) & jnp.isfinite(distances)
    return jnp.sum(jnp.where(nearest, data_y, 0.0)) / jnp.sum(nearest)


def kernel_regression(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    data_y: Float[Array, " n"],
    bandwidth: float | Float[Array, ""],
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, ""]:
    """Kernel regression m_t(x), eq. (5); eq. (10) where ``W_t(x) = 0``.

    Args:
        x: query point, shape (d,).
        data_x: data points X_t, shape (n, d).
        data_y: observed values y_t, shape (n,), any unit; the result has the same unit.
        bandwidth: h > 0, in the unit of x.
        kernel: one of :data:`core.kernels.SMOOTHING`.
        mask: rows in use; all of them by default. With no row in use the result is NaN.
    """
    log_k = log_weights(x, data_x, bandwidth, kernel, mask)
    top = jnp.max(log_k)
    covered = jnp.isfinite(top)
    weights = jnp.exp(log_k - jax.lax.stop_gradient(jnp.where(covered, top, 0.0)))
    total = jnp.sum(weights)
    smooth = jnp.sum(weights * data_y) / jnp.where(covered, total, 1.0)
    if kernel.radius == jnp.inf and mask is None:
        return smooth
    return jnp.where(covered, smooth, nearest_neighbour_mean(x, data_x, data_y, mask, kernel.norm))
