"""IKR-UCB, the acquisition of BOKE: kernel regression plus a bonus from kernel density.

Source: Zhu et al., A (14)-(16) and (20); the values of beta_t are those of Theorems 8 and 9. (The scanned
text of the earlier version shows the bonus of A (14) as ``sqrt(beta_t sigma_t)``; A (20) and the later version settle
``sqrt(beta_t) sigma_t``.)
"""

import math

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from core.models.bandwidth import Bandwidth
from core.models.density import bonus_from_log_density
from core.models.kernels import GAUSSIAN, SmoothingKernel
from core.models.regression import log_weights, nearest_neighbour_mean, relative_weights

__all__ = [
    "beta_continuum",
    "beta_finite",
    "ikr_ucb",
    "regression_and_bonus",
    "rescaled_ikr_ucb",
    "upper_confidence",
]


def beta_continuum(
    count: int | Int[Array, ""],
    noise_scale: float | Float[Array, ""],
    delta: float | Float[Array, ""],
    bound: float = 1.0,
) -> Float[Array, ""]:
    """Theorem 9: ``beta_t = 2 s^2 M_Psi log(2 pi^2 t^2 / (3 delta))``.

    Args:
        count: t >= 1, the number of observations (0 counts as 1).
        noise_scale: s, the sub-Gaussian parameter of the noise, in the unit of y.
        delta: failure probability, in (0, 1).
        bound: M_Psi, the supremum of the kernel profile.
    """
    t = jnp.maximum(jnp.asarray(count, float), 1.0)
    return 2.0 * noise_scale**2 * bound * (jnp.log(2.0 * math.pi**2 / (3.0 * delta)) + 2.0 * jnp.log(t))


def beta_finite(
    count: int | Int[Array, ""], noise_scale: float | Float[Array, ""], bound: float = 1.0
) -> Float[Array, ""]:
    """Theorem 8: ``beta_t = 4 s^2 M_Psi log t`` (zero at t = 1)."""
    return 4.0 * noise_scale**2 * bound * jnp.log(jnp.maximum(jnp.asarray(count, float), 1.0))


def regression_and_bonus(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    data_y: Float[Array, " n"],
    bandwidth: Bandwidth,
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """``m_t(x)`` of A (5) and ``W_t(x)^(-1/2)`` of A (15) from one pass over the data."""
    weights, shift, covered = relative_weights(log_weights(x, data_x, bandwidth, kernel, mask))
    total = jnp.where(covered, jnp.sum(weights), 1.0)
    mean = jnp.sum(weights * data_y) / total
    if kernel.radius != jnp.inf:
        mean = jnp.where(covered, mean, nearest_neighbour_mean(x, data_x, data_y, mask, kernel.norm, bandwidth))
    return mean, bonus_from_log_density(jnp.where(covered, jnp.log(total) + shift, -jnp.inf))


def upper_confidence(
    mean: Float[Array, ""], bonus: Float[Array, ""], beta: float | Float[Array, ""]
) -> Float[Array, ""]:
    """``mean + sqrt(beta_t) bonus``; plus infinity where the bonus is, also with beta = 0."""
    explored = jnp.isfinite(bonus)
    finite = mean + jnp.sqrt(jnp.asarray(beta, float)) * jnp.where(explored, bonus, 0.0)
    return jnp.where(explored, finite, jnp.inf)


def ikr_ucb(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    data_y: Float[Array, " n"],
    bandwidth: Bandwidth,
    beta: float | Float[Array, ""],
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, ""]:
    """A (14): ``m_t(x) + sqrt(beta_t) W_t(x)^(-1/2)``; plus infinity where ``W_t(x) = 0``, also with beta = 0."""
    mean, bonus = regression_and_bonus(x, data_x, data_y, bandwidth, kernel, mask)
    return upper_confidence(mean, bonus, beta)


def rescaled_ikr_ucb(
    x: Float[Array, " d"],
    data_x: Float[Array, "n d"],
    data_y: Float[Array, " n"],
    bandwidth: Bandwidth,
    beta: float | Float[Array, ""],
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " n"] | None = None,
) -> Float[Array, ""]:
    """A (20): ``beta_t^(-1/2) m_t(x) + W_t(x)^(-1/2)``, the same preferences as :func:`ikr_ucb` for beta > 0."""
    mean, bonus = regression_and_bonus(x, data_x, data_y, bandwidth, kernel, mask)
    return mean / jnp.sqrt(jnp.asarray(beta, float)) + bonus
