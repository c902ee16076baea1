"""GP-UCB (Algorithm 4 of the BOKE paper) with hyperparameters refitted by maximum likelihood at every step."""

from typing import Unpack, final

from jaxtyping import Array, Float, PRNGKeyArray

from core.policies.base import Info, State
from core.policies.constants import GP_BETA
from core.policies.fitted_ucb import FittedUcb
from core.policies.refitted import FitOptions
from core.types import Observations

__all__ = ["GpUcbRefit"]


@final
class GpUcbRefit(FittedUcb):
    """GP-UCB whose ARD lengthscales, variance and noise are refitted by maximum likelihood after every observation.

    A ``beta`` of one is also what the public code of the corrected-EI paper uses.
    """

    def __init__(
        self, dim: int, *, beta: float = GP_BETA, kernel: str = "squared_exponential", **options: Unpack[FitOptions]
    ) -> None:
        """As :class:`core.policies.fitted_ucb.FittedUcb`."""
        super().__init__(dim, beta=beta, kernel=kernel, **options)

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of A (A3); diagnostics as in :meth:`core.policies.fitted_ucb.FittedUcb.query`."""
        query, info = self.query(key, state, observations)
        return query, state, info
