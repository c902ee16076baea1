"""The posterior of a run, for pictures and summaries: the objective's mean and deviation, and whether it is exact.

The Gaussian process is the policy's own, under its last hyperparameters, where the policy has one and reads no
contexts. Otherwise a process is fitted to the run's evaluations for the purpose.

Whether observations are exact or noisy is known where variances of the noise are known. Otherwise a Gaussian process
with the noise variance fitted is compared with one without noise, both at the hyperparameters of largest likelihood:
observations count as noisy where twice the difference of the log likelihoods exceeds ``CRITICAL``, the 95 % quantile
of its distribution for exact observations, half of which is zero and half chi-square of one degree (Chernoff 1954:
zero is at the edge of the noise's range). They count as exact where noise explains nothing: the fitted variance is the
least that the fit allows, or the difference is below ``NOTHING``. In between the data do not tell.
"""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core.environment import owned
from core.models.hyperparameters import Hyperparameters
from core.models.standardized import Posterior
from core.optimizer.encoding import observed, offset
from core.optimizer.programs import first_state, log_likelihood, updated
from core.optimizer.record import Record
from core.policies import make
from core.policies.refitted import RefittedPolicy
from core.types import Observations

__all__ = ["CRITICAL", "FLOOR", "INTERVAL", "NOTHING", "Prediction", "is_exact", "predict"]

INTERVAL = 1.96
"""Standard deviations on either side of the mean: an interval that holds the objective with probability 0.95, if the
process is right."""

CRITICAL, NOTHING = 2.71, 0.01
"""Twice the difference of log likelihoods: noisy above the one, exact below the other."""

FLOOR = 2e-6
"""Fitted noise variance, on standardised outputs, up to which the fit's lower bound, 1e-6, is what holds it up."""


class Prediction(NamedTuple):
    """Means and standard deviations of the objective (not of observations) at some points, and whose they are."""

    mean: np.ndarray
    deviation: np.ndarray
    noise: float
    whose: str


@owned
def predict(history: Record, unit: Float[np.ndarray, "m d"]) -> Prediction | None:
    """The posterior at points of the unit cube; None before any evaluation has succeeded.

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
    return Prediction(sign * np.asarray(mean), np.asarray(deviation), float(noise), whose)


@eqx.filter_jit
def _posterior(
    policy: RefittedPolicy, state: object, observations: Observations, unit: Float[Array, "m d"]
) -> tuple[Float[Array, " m"], Float[Array, " m"], Float[Array, ""]]:
    posterior: Posterior = policy.posterior(policy.in_force(state), observations)
    mean, deviation = jax.vmap(posterior.process.mean_and_deviation)(unit)
    used = jnp.where(observations.mask, posterior.noise_variance, 0.0)
    noise = jnp.sqrt(jnp.sum(used) / observations.count)
    return posterior.in_unit_of_y(mean), posterior.scale * deviation, posterior.scale * noise


@owned
def is_exact(history: Record) -> bool | None:
    """Whether observations are exact; None where that cannot be told, as before any has succeeded."""
    known = observed(history, "drop", scale=history.scale)
    if known is None:
        return None
    if history.noise_variance is not None:
        return not np.any(history.noise_variance > 0.0)
    policy, theta = _fitted(history, known)
    if float(theta.noise_variance) <= FLOOR:
        return True
    exact = eqx.tree_at(lambda o: o.noise_variance, known, jnp.zeros((known.capacity, 1)))
    without: Hyperparameters = updated(policy, first_state(policy, jax.random.key(0)), exact)
    gain = log_likelihood(policy, theta, known) - log_likelihood(policy, without, exact)
    return False if 2.0 * float(gain) > CRITICAL else True if 2.0 * float(gain) <= NOTHING else None


def _fitted(history: Record, known: Observations) -> tuple[Any, Hyperparameters]:
    """A policy whose state is hyperparameters of largest likelihood, and these: the run's own or another."""
    own, state = history.policy, history.state
    likeliest = isinstance(own, RefittedPolicy) and own.log_prior is None and not history.failures
    if likeliest and isinstance(state, Hyperparameters):
        return own, state
    policy: Any = make("gp_ucb_refit", history.x.shape[1])
    theta: Hyperparameters = updated(policy, first_state(policy, jax.random.key(0)), known)
    return policy, theta
