"""GP-UCB with maximum-a-posteriori hyperparameters (a peer of Paper D), and the parts that Paper D's methods share.

Matern-5/2 with ARD lengthscales; independent Gamma priors on lengthscales, prior variance and noise variance; beta =
1.96 (Ha et al., appendix C). Outputs are standardised.
"""

from dataclasses import KW_ONLY
from typing import final

import equinox as eqx
from jaxtyping import Array, Float, PRNGKeyArray

from core.checks import require
from core.models.hyperparameters import LogPrior, gamma_prior
from core.policies.base import Info, State
from core.policies.fields import number
from core.policies.fitted_ucb import FittedUcb
from core.types import Observations

__all__ = ["BETA", "PRIOR_RATE", "PRIOR_SHAPE", "GpUcbMap", "MapPolicy"]

BETA = 1.96
PRIOR_SHAPE = 1e-3
PRIOR_RATE = 10.0


class MapPolicy(FittedUcb):
    """Abstract: GP-UCB whose hyperparameters maximise D (9), log likelihood plus log prior.

    The prior is a density of the logarithms of the hyperparameters. The density of the hyperparameters themselves has a
    pole at zero, so that D (9) has no maximum; GPy, too, maximises the density of its transformed parameters, with the
    log-Jacobian of ``log(1 + e^u)`` where ours has that of ``e^u``. They agree for small values.

    Attributes:
        prior_shape, prior_rate: parameters of the Gamma priors. The paper prints Gamma(10^-3, 10) and implements in
            GPy, whose ``Gamma(a, b)`` has the rate b. A rate of 0.1 is the other reading, 10 as a scale, nearly
            uninformative.
    """

    _: KW_ONLY
    beta: float | Float[Array, ""] = number(BETA)
    prior_shape: float = eqx.field(static=True, default=PRIOR_SHAPE)
    prior_rate: float = eqx.field(static=True, default=PRIOR_RATE)

    def __check_init__(self) -> None:
        shape, rate = self.prior_shape, self.prior_rate
        require(0.0 < shape < float("inf"), f"prior_shape must be positive and finite, got {shape}")
        require(0.0 < rate < float("inf"), f"prior_rate must be positive and finite, got {rate}")

    @property
    def log_prior(self) -> LogPrior | None:
        """Gamma priors on every hyperparameter, as a density of their logarithms."""
        return gamma_prior(self.prior_shape, 1.0 / self.prior_rate, of_logarithms=True)


@final
class GpUcbMap(MapPolicy):
    """GP-UCB, A (A3), whose hyperparameters maximise D (9) after every observation; see :class:`MapPolicy`."""

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of A (A3); diagnostics as in :meth:`core.policies.fitted_ucb.FittedUcb.query`."""
        query, info = self.query(key, state, observations)
        return query, state, info
