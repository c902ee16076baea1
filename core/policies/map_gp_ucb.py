"""GP-UCB with maximum-a-posteriori hyperparameters, and with lengthscales shrunk until it explores (Paper D's peers).

Matern-5/2 with ARD lengthscales; independent Gamma priors on lengthscales, prior variance and noise variance; beta =
1.96 (Ha et al., appendix C). Outputs are standardised.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.acquisition.gp_ucb import gp_ucb, posterior_deviation
from core.models.hyperparameters import Hyperparameters, LogPrior, gamma_prior
from core.policies.base import Info, State, require
from core.policies.gp_ucb import GpUcbRefit
from core.search.maximize import Maximum
from core.types import Observations

__all__ = ["BETA", "PRIOR_SCALE", "PRIOR_SHAPE", "GpUcbMap", "WangDeFreitas"]

BETA = 1.96
PRIOR_SHAPE = 1e-3
PRIOR_SCALE = 10.0
DEVIATION = 0.1  # kappa of Wang & de Freitas
FACTORS = tuple(2.0 ** (step / 2) for step in range(11))  # the grid of their scaling factors, 1 to 32


class GpUcbMap(GpUcbRefit):
    """GP-UCB whose hyperparameters maximise eq. (9), log likelihood plus log prior, after every observation.

    The prior density is that of the logarithms of the hyperparameters. That of the hyperparameters themselves has a
    pole at zero, and (9) then no maximum.

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
        **options: object,
    ) -> None:
        """As :class:`GpUcbRefit`, and ValueError on a prior that is none."""
        require(0.0 < prior_shape < float("inf"), f"prior_shape must be positive and finite, got {prior_shape}")
        require(0.0 < prior_scale < float("inf"), f"prior_scale must be positive and finite, got {prior_scale}")
        super().__init__(dim, beta=beta, kernel=kernel, **options)
        self.prior_shape = prior_shape
        self.prior_scale = prior_scale

    @property
    def log_prior(self) -> LogPrior | None:
        """Gamma priors on every hyperparameter, as a density of their logarithms."""
        return gamma_prior(self.prior_shape, self.prior_scale, of_logarithms=True)


class WangDeFreitas(GpUcbMap):
    """GP-UCB with the lengthscales divided by the smallest factor that makes the query uncertain enough.

    ``l = l_MAP / s``, s the smallest factor of a grid for which the maximiser ``x_{t+1}`` of GP-UCB has
    ``sigma_t(x_{t+1}) >= kappa``; the last factor where none does. Source: Wang & de Freitas (2014) in the variant that
    Berkenkamp et al. (2019) compare with and Ha et al. run with ``kappa = 0.1``. The deviation is that of f on
    standardised outputs.

    Attributes:
        deviation: kappa.
        factors: the grid, increasing.
    """

    deviation: float = eqx.field(static=True)
    factors: tuple[float, ...] = eqx.field(static=True)

    def __init__(
        self, dim: int, *, deviation: float = DEVIATION, factors: tuple[float, ...] = FACTORS, **options: object
    ) -> None:
        """As :class:`GpUcbMap`, and ValueError on a negative deviation or factors that do not increase from 1."""
        require(deviation >= 0.0, f"deviation must not be negative, got {deviation}")
        increasing = all(low < high for low, high in zip(factors, factors[1:], strict=False))
        require(len(factors) > 0 and factors[0] >= 1.0 and increasing, f"factors must increase from 1, got {factors}")
        super().__init__(dim, **options)  # type: ignore[arg-type]
        self.deviation = deviation
        self.factors = tuple(factors)

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The maximiser of (A3) under the first sufficient factor.

        Diagnostics: ``acquisition``, the bound there in the unit of y; ``factor``, the one used; ``deviation``, in
        standard units; the hyperparameters before shrinking.
        """
        factors = jnp.asarray(self.factors)

        def search(index: Int[Array, ""]) -> tuple[Maximum, Float[Array, ""], Float[Array, ""]]:
            """The maximiser under a factor, the bound in the unit of y, the deviation there."""
            shrunk = Hyperparameters(state.lengthscale / factors[index], state.variance, state.noise_variance)
            posterior = self.posterior(shrunk, observations)
            best = self.effort.maximize(key, lambda x: gp_ucb(x, posterior.process, self.beta))
            bound = posterior.offset + posterior.scale * best.value
            return best, bound, posterior_deviation(best.x, posterior.process)

        Carry = tuple[Int[Array, ""], Float[Array, " d"], Float[Array, ""], Float[Array, ""]]

        def unfinished(carry: Carry) -> Array:
            return (carry[3] < self.deviation) & (carry[0] < len(self.factors) - 1)

        def advance(carry: Carry) -> Carry:
            index = carry[0] + 1
            best, bound, deviation = search(index)
            return index, best.x, bound, deviation

        start = (jnp.asarray(-1), jnp.zeros(self.dim), jnp.zeros(()), jnp.asarray(-1.0))
        index, query, bound, deviation = jax.lax.while_loop(unfinished, advance, start)
        info = {"acquisition": bound, "factor": factors[index], "deviation": deviation, **state.summary()}
        return query, state, info
