"""GP-UCB with maximum-a-posteriori hyperparameters (a peer of Paper D), and what its other methods share with it.

Matern-5/2 with ARD lengthscales; independent Gamma priors on lengthscales, prior variance and noise variance; beta =
1.96 (Ha et al., appendix C). Outputs are standardised.
"""

from typing import Unpack, final

import equinox as eqx
from jaxtyping import Array, Float, PRNGKeyArray

from core.checks import require
from core.models.hyperparameters import LogPrior, gamma_prior
from core.policies.base import Info, State
from core.policies.fitted_ucb import FittedUcb
from core.policies.refitted import FitOptions
from core.types import Observations

__all__ = ["BETA", "PRIOR_RATE", "PRIOR_SHAPE", "GpUcbMap", "MapOptions", "MapPolicy"]

BETA = 1.96
PRIOR_SHAPE = 1e-3
PRIOR_RATE = 10.0


class MapOptions(FitOptions, total=False):
    """Options of :class:`MapPolicy`."""

    beta: float
    kernel: str
    prior_shape: float
    prior_rate: float


class MapPolicy(FittedUcb):
    """Abstract: GP-UCB whose hyperparameters maximise D (9), log likelihood plus log prior.

    The prior density is that of the logarithms of the hyperparameters. That of the hyperparameters themselves has a
    pole at zero, and D (9) then no maximum; GPy, too, maximises the density of its transformed parameters, with the
    log-Jacobian of ``log(1 + e^u)`` where ours has that of ``e^u``. They agree for small values.

    Attributes:
        prior_shape, prior_rate: of the Gamma priors. The paper prints Gamma(10^-3, 10) and implements in GPy, whose
            ``Gamma(a, b)`` has the rate b. A rate of 0.1 is the other reading, 10 as a scale, nearly uninformative.
    """

    prior_shape: float = eqx.field(static=True)
    prior_rate: float = eqx.field(static=True)

    def __init__(
        self,
        dim: int,
        *,
        beta: float = BETA,
        kernel: str = "matern52",
        prior_shape: float = PRIOR_SHAPE,
        prior_rate: float = PRIOR_RATE,
        **options: Unpack[FitOptions],
    ) -> None:
        """As :class:`core.policies.fitted_ucb.FittedUcb`, and ValueError on a prior that is none."""
        require(0.0 < prior_shape < float("inf"), f"prior_shape must be positive and finite, got {prior_shape}")
        require(0.0 < prior_rate < float("inf"), f"prior_rate must be positive and finite, got {prior_rate}")
        super().__init__(dim, beta=beta, kernel=kernel, **options)
        self.prior_shape = prior_shape
        self.prior_rate = prior_rate

    @property
    def log_prior(self) -> LogPrior | None:
        """Gamma priors on every hyperparameter, as a density of their logarithms."""
        return gamma_prior(self.prior_shape, 1.0 / self.prior_rate, of_logarithms=True)


@final
class GpUcbMap(MapPolicy):
    """GP-UCB whose hyperparameters maximise D (9) after every observation; see :class:`MapPolicy`."""

    def __init__(self, dim: int, **options: Unpack[MapOptions]) -> None:
        """As :class:`MapPolicy`."""
        super().__init__(dim, **options)

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of A (A3); diagnostics as in :meth:`core.policies.fitted_ucb.FittedUcb.query`."""
        query, info = self.query(key, state, observations)
        return query, state, info
