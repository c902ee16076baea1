"""Kernel density, density-based exploration and the fill distance.

A (11): ``W_t(x) = sum_i k(x, x_i)``, an unnormalised kernel density estimate; A (15): the exploration
bonus ``W_t(x)^(-1/2)``; A (13): the fill distance. All densities are computed as log-sum-exp.
"""

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from core.models.bandwidth import Bandwidth
from core.models.kernels import GAUSSIAN, SmoothingKernel, squared_distance
from core.models.regression import in_bandwidths, log_weights, relative_weights
from core.numerics import root

__all__ = [
    "LOG_DENSITY_FLOOR",
    "bonus_from_log_density",
    "density",
    "exploration_bonus",
    "fill_distance",
    "log_density",
    "nearest_distance",
    "normalized_density_1d",
]

LOG_DENSITY_FLOOR = -700.0  # exp(-700) is close to the smallest normal double; squares of the bonus stay finite


def log_density(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    bandwidth: Bandwidth,
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, ""]:
    """``log W_t(x)``, A (11); minus infinity where no data point has positive weight."""
    return _logsumexp(log_weights(x, data_x, bandwidth, kernel, mask))


def _logsumexp(values: Float[Array, " n"]) -> Float[Array, ""]:
    """Log-sum-exp whose gradient is zero, not NaN, where every value is minus infinity."""
    weights, shift, covered = relative_weights(values)
    total = jnp.sum(weights)
    return jnp.where(covered, jnp.log(jnp.where(covered, total, 1.0)) + shift, -jnp.inf)


def density(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    bandwidth: Bandwidth,
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, ""]:
    """``W_t(x) = sum_i k(x, x_i)``, A (11); lies between 0 and ``t M_Psi``."""
    return jnp.exp(log_density(x, data_x, bandwidth, kernel, mask))


def exploration_bonus(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    bandwidth: Bandwidth,
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, ""]:
    """``W_t(x)^(-1/2)``, A (15); plus infinity where ``W_t(x) = 0``, by the paper's convention c/0 = infinity.

    A density below ``exp(LOG_DENSITY_FLOOR)``, which a double cannot hold, counts as zero. The gradient is zero, not
    NaN, where the bonus is infinite.
    """
    return bonus_from_log_density(log_density(x, data_x, bandwidth, kernel, mask))


def bonus_from_log_density(log_w: Float[Array, ""]) -> Float[Array, ""]:
    """``exp(-log W / 2)``, infinite with gradient zero where W counts as zero; see :func:`exploration_bonus`."""
    covered = log_w > LOG_DENSITY_FLOOR
    return jnp.where(covered, jnp.exp(-0.5 * jnp.maximum(log_w, LOG_DENSITY_FLOOR)), jnp.inf)


def normalized_density_1d(
    x: Float[Array, ""], data_x: Float[Array, " n"], bandwidth: float | Float[Array, ""]
) -> Float[Array, ""]:
    """Figure 2's density on the line, Gaussian kernel: ``W_t(x) / (sqrt(2 pi) h t)``; integrates to one over R."""
    weight = density(x[None], data_x[:, None], bandwidth)
    return weight / (math.sqrt(2.0 * math.pi) * bandwidth * data_x.shape[0])


def nearest_distance(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    mask: Bool[Array, " n"] | None = None,
    bandwidth: Bandwidth = 1.0,
) -> Float[Array, ""]:
    """``d(x, X_t)``, the Euclidean distance from x to its nearest data point; infinite without data.

    With a bandwidth an axis the distance is ``||(x - x_i) / h||``: the larger it is, the faster W_t(x) vanishes.
    """
    squared = jax.vmap(squared_distance, in_axes=(None, 0))(*in_bandwidths(x, data_x, bandwidth))
    if mask is not None:
        squared = jnp.where(mask, squared, jnp.inf)
    return root(jnp.min(squared))


def fill_distance(
    candidates: Float[Array, "m d"], data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None = None
) -> Float[Array, ""]:
    """Fill distance, A (13), over a finite set: ``max_j d(candidate_j, X_t)``.

    A lower bound of the fill distance of the set that the candidates sample; it is exact on the candidates.
    """
    return jnp.max(jax.vmap(nearest_distance, in_axes=(0, None, None))(candidates, data_x, mask))
