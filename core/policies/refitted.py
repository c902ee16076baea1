"""What the Gaussian-process policies share whose hyperparameters are refitted after every observation.

Inputs lie in the unit cube, outputs are standardised on the data seen so far. ARD lengthscales and the prior variance
are estimates, of maximum likelihood unless there is a prior; so is the noise variance, unless the observations carry
known ones, which are then taken at their word. The state is the last fit; it is a candidate for the next.
"""

from dataclasses import replace
from typing import TypedDict

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.checks import require
from core.models.hyperparameters import DEFAULT_BOUNDS, Bounds, Hyperparameters, LogPrior, fit_hyperparameters
from core.models.kernels import STATIONARY, StationaryKernel
from core.models.standardized import Posterior, standardized
from core.policies.base import Policy, SearchEffort, State, effort_for
from core.policies.constants import LENGTHSCALE, NOISE_SCALE
from core.types import Observations

__all__ = ["FitOptions", "RefitOptions", "RefittedPolicy"]

NEGLIGIBLE_NOISE = 1e-9
"""Variance, on standardised outputs, that stands in for the fitted noise where the noise is known."""

KNOWN_NOISE_BOUNDS = replace(DEFAULT_BOUNDS, noise_variance=(NEGLIGIBLE_NOISE, 1.0001 * NEGLIGIBLE_NOISE))


class FitOptions(TypedDict, total=False):
    """Options of :class:`RefittedPolicy` but for the kernel, whose default some methods change."""

    lengthscale: float
    noise_scale: float
    fit_starts: int
    fit_candidates: int
    effort: SearchEffort | None


class RefitOptions(FitOptions, total=False):
    """Options of :class:`RefittedPolicy`."""

    kernel: str


class RefittedPolicy(Policy):
    """Abstract; see the module's docstring.

    Attributes:
        effort: search effort.
        lengthscale, noise_scale: the first starting point of the first fit.
        kernel: covariance kernel.
        fit_starts: starting points that each fit refines by BFGS.
        fit_candidates: starting points that each fit scores, the last fit among them.
    """

    dim: int = eqx.field(static=True)
    effort: SearchEffort
    lengthscale: float | Float[Array, ""]
    noise_scale: float | Float[Array, ""]
    kernel: StationaryKernel = eqx.field(static=True)
    fit_starts: int = eqx.field(static=True)
    fit_candidates: int = eqx.field(static=True)

    def __init__(
        self,
        dim: int,
        *,
        lengthscale: float = LENGTHSCALE,
        noise_scale: float = NOISE_SCALE,
        kernel: str = "matern52",
        fit_starts: int = 2,
        fit_candidates: int = 8,
        effort: SearchEffort | None = None,
    ) -> None:
        """Raises ValueError on a constant outside its range or an unknown kernel."""
        require(lengthscale > 0, f"lengthscale must be positive, got {lengthscale}")
        require(noise_scale > 0, f"noise_scale must be positive, got {noise_scale}")
        require(kernel in STATIONARY, f"kernel must be one of {sorted(STATIONARY)}, got {kernel!r}")
        require(fit_starts >= 1, f"fit_starts must be at least 1, got {fit_starts}")
        require(fit_candidates >= fit_starts, f"fit_candidates must be at least fit_starts, got {fit_candidates}")
        self.dim = dim
        self.effort = effort_for(dim, effort)
        self.lengthscale = jnp.asarray(lengthscale, float)
        self.noise_scale = jnp.asarray(noise_scale, float)
        self.kernel = STATIONARY[kernel]
        self.fit_starts = fit_starts
        self.fit_candidates = fit_candidates

    @property
    def log_prior(self) -> LogPrior | None:
        """Log prior density of the hyperparameters; none for maximum likelihood, the default."""
        return None

    @staticmethod
    def bounds(observations: Observations) -> Bounds:
        """The box of the fit: the default one, but for the noise variance where the observations carry known ones."""
        return KNOWN_NOISE_BOUNDS if observations.noise_variance.shape[1] else DEFAULT_BOUNDS

    def first_guess(self) -> Hyperparameters:
        """The first starting point."""
        return Hyperparameters(
            jnp.broadcast_to(self.lengthscale, (self.dim,)), jnp.ones(()), self.noise_scale**2 * jnp.ones(())
        )

    def fit(self, initial: Hyperparameters, observations: Observations) -> Hyperparameters:
        """The estimate from observations with standardised outputs; ``initial`` is one of the starting points."""
        return fit_hyperparameters(
            observations,
            self.kernel,
            bounds=self.bounds(observations),
            prior=self.log_prior,
            starts=self.fit_starts,
            raw_candidates=self.fit_candidates,
            initial=initial,
        ).parameters

    def posterior(self, theta: Hyperparameters, observations: Observations) -> Posterior:
        """The posterior under some hyperparameters."""
        return Posterior.fit(observations, self.kernel, theta)

    def init(self, key: PRNGKeyArray) -> State:
        """The first starting point, until there are data."""
        del key
        return self.first_guess()

    def update(self, state: State, observations: Observations) -> State:
        """Fit on standardised outputs, warm-started from the last one."""
        return self.fit(state, standardized(observations))

    def in_force(self, state: State) -> Hyperparameters:
        """The hyperparameters of the model by which points are recommended; the state itself by default."""
        theta: Hyperparameters = state
        return theta

    def surrogate(self, state: State, observations: Observations) -> Float[Array, " n"]:
        """Posterior mean at the observed points, in the unit of y."""
        return self.posterior(self.in_force(state), observations).means()

    def predict(self, state: State, observations: Observations, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Posterior mean, in the unit of y."""
        posterior = self.posterior(self.in_force(state), observations)
        return posterior.in_unit_of_y(posterior.process.mean(x))
