"""Whether the observations of a run are exact or noisy: what is known of them, or what the likelihood says.

Where variances of the noise are known, they say it. Else a Gaussian process with the noise variance fitted is compared
with one without noise, both at the hyperparameters of largest likelihood: observations count as noisy where twice the
difference of the log likelihoods exceeds ``CRITICAL``, the 95 % quantile of its distribution for exact observations,
half of which is zero and half chi-square of one degree (Chernoff 1954: zero is at the edge of the noise's range). They
count as exact where noise explains nothing: the fitted variance is the least that the fit allows, or the difference is
below ``NOTHING``. In between the data do not tell.
"""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from core.models.hyperparameters import Hyperparameters
from core.optimizer.history import History
from core.optimizer.programs import first_state, log_likelihood, updated
from core.optimizer.shown import observed
from core.optimizer.surroundings import owned
from core.policies import make
from core.policies.refitted import RefittedPolicy
from core.types import Observations

__all__ = ["CRITICAL", "FLOOR", "NOTHING", "is_exact"]

CRITICAL, NOTHING = 2.71, 0.01

FLOOR = 2e-6
"""Fitted noise variance, on standardised outputs, up to which the fit's lower bound, 1e-6, is what holds it up."""


@owned
def is_exact(history: History) -> bool | None:
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


def _fitted(history: History, known: Observations) -> tuple[Any, Hyperparameters]:
    """A policy whose state is hyperparameters of largest likelihood, and these: the run's own or another."""
    own, state = history.policy, history.state
    likeliest = isinstance(own, RefittedPolicy) and own.log_prior is None and not history.failures
    if likeliest and isinstance(state, Hyperparameters):
        return own, state
    policy: Any = make("gp_ucb_refit", history.x.shape[1])
    theta: Hyperparameters = updated(policy, first_state(policy, jax.random.key(0)), known)
    return policy, theta
