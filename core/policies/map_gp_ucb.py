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

__all__ = ["BETA", "PRIOR_SCALE", "PRIOR_SHAPE", "GpUcbMap", "MapOptions", "MapPolicy"]

BETA = 1.96
PRIOR_SHAPE = 1e-3
PRIOR_SCALE = 10.0


class MapOptions(FitOptions, total=False):
    """Options of :class:`MapPolicy`."""

    beta: float
    kernel: str
    prior_shape: float
    prior_scale: float


class MapPolicy(FittedUcb):
    """Abstract: GP-UCB whose hyperparameters maximise D (9), log likelihood plus log prior.

    The prior density is that of the logarithms of the hyperparameters. That of the hyperparameters themselves has a
    pole at zero, and D (9) then no maximum.

    Attributes:
        prior_shape, prior_scale: of the Gamma priors. The paper prints Gamma(10^-3, 10) and does not say whether 10 is
            a scale or a rate; the scale is the reading under which the prior is nearly uninformative.
    """

    prior_shape: float = eqx.field(static=True)
    prior_scale: float = eqx.field(static=True)

    def __init__(
        self,
        dim: int,
        *,
        beta: float = BETA,
        kernel: str = "matern52",
        prior_shape: float = PRIOR_SHAPE,
        prior_scale: float = PRIOR_SCALE,
        **options: Unpack[FitOptions],
    ) -> None:
        """As :class:`core.policies.fitted_ucb.FittedUcb`, and ValueError on a prior that is none."""
        require(0.0 < prior_shape < float("inf"), f"prior_shape must be positive and finite, got {prior_shape}")
        require(0.0 < prior_scale < float("inf"), f"prior_scale must be positive and finite, got {prior_scale}")
        super().__init__(dim, beta=beta, kernel=kernel, **options)
        self.prior_shape = prior_shape
        self.prior_scale = prior_scale

    @property
    def log_prior(self) -> LogPrior | None:
        """Gamma priors on every hyperparameter, as a density of their logarithms."""
        return gamma_prior(self.prior_shape, self.prior_scale, of_logarithms=True)


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
