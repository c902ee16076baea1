"""KR-UCB over the observed points (Yee, Lisy & Bowling 2016), A (A4)."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from core.models.bandwidth import Bandwidth
from core.models.density import log_density
from core.models.kernels import GAUSSIAN, SmoothingKernel, squared_distance
from core.models.regression import kernel_regression

__all__ = ["distinct_points", "kr_ucb_scores"]


def kr_ucb_scores(
    data_x: Float[Array, "n d"],
    data_y: Float[Array, " n"],
    bandwidth: Bandwidth,
    exploration: float | Float[Array, ""],
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, " n"]:
    """A (A4) at every observed point: ``m_t(x_i) + C sqrt(log sum_j W_t(x_j) / W_t(x_i))``; O(t^2).

    ``exploration`` is C, in the unit of y. Masked rows score minus infinity.
    """
    used = jnp.ones(data_x.shape[0], bool) if mask is None else mask
    mean = jax.vmap(kernel_regression, in_axes=(0, None, None, None, None, None))(
        data_x, data_x, data_y, bandwidth, kernel, used
    )
    log_w = jax.vmap(log_density, in_axes=(0, None, None, None, None))(data_x, data_x, bandwidth, kernel, used)
    weights = jnp.where(used, jnp.exp(log_w), 0.0)
    total = jnp.maximum(jnp.log(jnp.maximum(jnp.sum(weights), 1.0)), 0.0)
    bonus = exploration * jnp.sqrt(total / jnp.where(used, weights, 1.0))
    return jnp.where(used, mean + bonus, -jnp.inf)


def distinct_points(data_x: Float[Array, "n d"], mask: Bool[Array, " n"]) -> Int[Array, ""]:
    """Number of distinct points among the rows in use (exact floating-point equality)."""
    same = jax.vmap(jax.vmap(squared_distance, in_axes=(None, 0)), in_axes=(0, None))(data_x, data_x) == 0.0
    earlier = jnp.tril(jnp.ones_like(same), k=-1)
    seen_before = jnp.any(same & earlier & mask[None, :], axis=1)
    return jnp.sum(mask & ~seen_before)
