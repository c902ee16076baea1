"""The shared parts of policies that maximise GP-UCB, A (A3), under hyperparameters refitted at every step."""

from dataclasses import KW_ONLY

import equinox as eqx
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.expected_improvement import incumbent_index
from core.acquisition.gp_ucb import gp_ucb
from core.checks import require
from core.models.hyperparameters import Hyperparameters
from core.models.standardized import Posterior
from core.policies.base import Info
from core.policies.constants import GP_BETA
from core.policies.fields import number
from core.policies.refitted import RefittedPolicy
from core.types import Observations

__all__ = ["FittedUcb", "UcbMaximum"]


class UcbMaximum(eqx.Module):
    """A maximiser of GP-UCB, the bound there in the unit of y, and the posterior that it was searched under."""

    x: Float[Array, " d"]
    bound: Float[Array, ""]
    posterior: Posterior


class FittedUcb(RefittedPolicy):
    """Abstract; see the module's docstring.

    Attributes:
        beta: fixed beta of A (A3).
    """

    _: KW_ONLY
    beta: float | Float[Array, ""] = number(GP_BETA)

    def __check_init__(self) -> None:
        require(float(self.beta) >= 0, f"beta must not be negative, got {self.beta}")

    def maximize(self, key: PRNGKeyArray, theta: Hyperparameters, observations: Observations) -> UcbMaximum:
        """The maximiser of A (A3) under some hyperparameters."""
        posterior = self.posterior(theta, observations)
        best = self.effort.maximize(key, lambda x: gp_ucb(x, posterior.process, self.beta))
        return UcbMaximum(best.x, posterior.in_unit_of_y(best.value), posterior)

    def query(
        self, key: PRNGKeyArray, theta: Hyperparameters, observations: Observations
    ) -> tuple[Float[Array, " d"], Info]:
        """The maximiser under some hyperparameters, and diagnostics.

        These are ``acquisition``, the bound there in the unit of y; ``incumbent``, the row of the observed point of
        largest posterior mean; a summary of the hyperparameters.
        """
        best = self.maximize(key, theta, observations)
        row = incumbent_index(best.posterior.process).astype(float)
        return best.x, {"acquisition": best.bound, "incumbent": row, **theta.summary()}
