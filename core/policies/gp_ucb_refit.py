"""GP-UCB (Algorithm 4 of the BOKE paper) with hyperparameters refitted by maximum likelihood at every step."""

from dataclasses import KW_ONLY
from typing import final

from jaxtyping import Array, Float, PRNGKeyArray

from core.models.kernels import STATIONARY, StationaryKernel
from core.policies.base import Info, State
from core.policies.fields import choice
from core.policies.fitted_ucb import FittedUcb
from core.types import Observations

__all__ = ["GpUcbRefit"]


@final
class GpUcbRefit(FittedUcb):
    """GP-UCB, A (A3); ARD lengthscales, variance and noise are refitted by maximum likelihood at every observation.

    A ``beta`` of one is also what the public code of the corrected-EI paper uses.
    """

    _: KW_ONLY
    kernel: StationaryKernel = choice("kernel", STATIONARY, "squared_exponential")

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of A (A3); diagnostics as in :meth:`core.policies.fitted_ucb.FittedUcb.query`."""
        query, info = self.query(key, state, observations)
        return query, state, info
