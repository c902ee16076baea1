"""Nearest-neighbour pseudo-data of UHE-BO: i.i.d. uniform points with the observed value of their nearest neighbour.

Source: Ha et al., section 5.2, D (2), and Algorithm 1, lines 14 and 15. Hyperparameters estimated from queries of
Bayesian optimisation suffer from the way these were chosen; the paper's loss is the usual one on pseudo-data instead.
The posterior is then conditioned on the *real* data.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from core.models.kernels import squared_distance
from core.types import Observations

__all__ = ["PSEUDO_PER_POINT", "nearest_observation", "pseudo_data"]

PSEUDO_PER_POINT = 2
"""``M_t = 2 |D_{t-1}|``, appendix C."""


def nearest_observation(x: Float[Array, " d"], points: Float[Array, "n d"], mask: Bool[Array, " n"]) -> Int[Array, ""]:
    """``argmin_i ||x - x_i||_2`` over the rows in use; the first of equals."""
    distances = jax.vmap(squared_distance, in_axes=(None, 0))(x, points)
    return jnp.argmin(jnp.where(mask, distances, jnp.inf))


def pseudo_data(key: PRNGKeyArray, observations: Observations, per_point: int = PSEUDO_PER_POINT) -> Observations:
    """``(x'_j, y(x^'_j))``, j = 1..M_t: x'_j uniform in the cube, ``x^'_j`` its nearest observed point.

    The loss D (2) of a hyperparameter is minus :func:`core.models.hyperparameters.log_posterior` of these.

    Args:
        key: for the uniform points.
        observations: D_{t-1}, at least one; standardised where the loss is to be.
        per_point: M_t / |D_{t-1}|; the paper asks for at least one.

    Returns:
        ``per_point`` times as many rows at ``per_point`` times the capacity. Contexts and known noise variances go with
        the values.

    Raises:
        ValueError: fewer than one pseudo-point an observation.
    """
    if per_point < 1:
        raise ValueError(f"per_point must be at least 1, got {per_point}")
    capacity = per_point * observations.capacity
    count = per_point * observations.count
    points = jax.random.uniform(key, (capacity, observations.dim))
    mask = observations.mask
    nearest = jax.vmap(lambda x: nearest_observation(x, observations.x, mask))(points)
    used = jnp.arange(capacity) < count
    return Observations(
        x=jnp.where(used[:, None], points, 0.0),
        context=jnp.where(used[:, None], observations.context[nearest], 0.0),
        y=jnp.where(used, observations.y[nearest], 0.0),
        noise_variance=jnp.where(used[:, None], observations.noise_variance[nearest], 0.0),
        count=count,
    )
