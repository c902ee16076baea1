"""What a Gaussian process believes of the objective, for pictures and summaries, in the units of the objective.

It is the policy's own, under its last hyperparameters, where it has one and reads no contexts; else one fitted to the
run's evaluations for the purpose.
"""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core.models.standardized import Posterior
from core.optimizer.history import History
from core.optimizer.programs import updated
from core.optimizer.shown import observed, offset
from core.optimizer.surroundings import owned
from core.policies import make
from core.policies.refitted import RefittedPolicy
from core.types import Observations

__all__ = ["INTERVAL", "Belief", "believed"]

INTERVAL = 1.96
"""Standard deviations on either side of the mean: an interval that holds the objective with probability 0.95, if the
process is right."""


class Belief(NamedTuple):
    """Means and standard deviations of the objective (not of observations) at some points, and whose they are."""

    mean: np.ndarray
    deviation: np.ndarray
    noise: float
    whose: str


@owned
def believed(history: History, unit: Float[np.ndarray, "m d"]) -> Belief | None:
    """The belief at points of the unit cube; None before any evaluation has succeeded.

    ``noise`` is the standard deviation of an observation's noise, known or estimated (their root mean square).
    """
    known = observed(history, "drop")
    if known is None:
        return None
    own = isinstance(history.policy, RefittedPolicy) and history.scale is None
    policy: Any = history.policy if own else make("gp_ucb_refit", history.x.shape[1])
    state = history.state if own else None
    if state is None:
        first = policy.init(jax.random.key(0))  # the first guess of the hyperparameters, whatever the key
        state = updated(policy, first, known)
    mean, deviation, noise = _posterior(policy, state, known, jnp.asarray(unit))
    whose = f"model of {type(policy).__name__}" if own else "Gaussian process fitted to the evaluations"
    mean = mean + offset(history.gains[history.ok])
    sign = 1.0 if history.maximize else -1.0
    return Belief(sign * np.asarray(mean), np.asarray(deviation), float(noise), whose)


@eqx.filter_jit
def _posterior(
    policy: RefittedPolicy, state: object, observations: Observations, unit: Float[Array, "m d"]
) -> tuple[Float[Array, " m"], Float[Array, " m"], Float[Array, ""]]:
    posterior: Posterior = policy.posterior(policy.in_force(state), observations)
    mean, deviation = jax.vmap(posterior.process.mean_and_deviation)(unit)
    used = jnp.where(observations.mask, posterior.noise_variance, 0.0)
    noise = jnp.sqrt(jnp.sum(used) / observations.count)
    return posterior.in_unit_of_y(mean), posterior.scale * deviation, posterior.scale * noise
