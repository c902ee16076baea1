"""Do both sides fit the same function, and is our maximum as high? Log posteriors of both estimates."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from benchmarks.hyperparameters import peer
from benchmarks.hyperparameters.peer import Task
from core.models.hyperparameters import Hyperparameters, log_posterior
from core.policies import make
from core.types import Observations

__all__ = ["SHORTFALL", "VALUE_TOLERANCE", "agreement"]

SHORTFALL = 1e-4
"""The allowed shortfall of our log posterior against the peer's, an observation: the tolerance of our fits."""

VALUE_TOLERANCE = 1e-2 * SHORTFALL
"""Largest difference of the two log posteriors at the same hyperparameters, an observation: small beside the former.

With noise variance 1e-6 the covariance is so ill conditioned that the rounding of its entries alone leaves about 1e-8.
"""


def agreement(task: Task, theirs: np.ndarray) -> dict[str, Any]:
    """Our fit from the task's start beside the peer's estimate ``theirs``, shape (d + 2,).

    Returns:
        ``ours``, ``peer``: our log posterior of both estimates, in nats; ``value_difference``: the largest
        difference of the two functions there, an observation; ``shortfall``: of ours, an observation, negative where
        ours is higher; ``agree``.
    """
    data = Observations.of(jnp.asarray(task.fit_x), jnp.asarray(task.fit_z))
    policy: Any = make("gp_ucb_map", task.x.shape[1])
    found = policy.fit(Hyperparameters(jnp.asarray(task.start[:-2]), *map(jnp.asarray, task.start[-2:])), data)
    estimates = np.array([*found.lengthscale, found.variance, found.noise_variance]), theirs
    objective = log_posterior(data, policy.kernel, policy.log_prior)
    values = np.array([float(objective(jnp.log(jnp.asarray(theta)))) for theta in estimates])
    peers = np.array([peer.log_posterior(task.fit_x, task.fit_z, theta) for theta in estimates])
    difference = float(np.max(np.abs(values - peers))) / len(task.fit_z)
    shortfall = float(values[1] - values[0]) / len(task.fit_z)
    return {
        "ours": float(values[0]),
        "peer": float(values[1]),
        "value_difference": difference,
        "shortfall": shortfall,
        "agree": bool(difference <= VALUE_TOLERANCE and shortfall <= SHORTFALL),
    }
