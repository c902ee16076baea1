"""The shared parts of Gaussian-process policies whose hyperparameters are refitted after every observation.

Inputs lie in the unit cube, outputs are standardised on the data seen so far. ARD lengthscales and the prior variance
are estimates, of maximum likelihood unless there is a prior; so is the noise variance, unless the observations carry
known variances, which then count as exact. The state is the last fit, which is a candidate for the next fit.
"""

from dataclasses import KW_ONLY, replace

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.checks import require
from core.models.hyperparameters import DEFAULT_BOUNDS, Bounds, Hyperparameters, LogPrior, fit_hyperparameters
from core.models.kernels import STATIONARY, StationaryKernel
from core.models.standardized import Posterior, standardized
from core.policies.base import AcquisitionPolicy, State
from core.policies.constants import GP_NOISE_SCALE, LENGTHSCALE
from core.policies.fields import choice, number
from core.types import Observations

__all__ = ["RefittedPolicy"]

NEGLIGIBLE_NOISE = 1e-9
"""The variance, on standardised outputs, that replaces the fitted noise where the noise is known."""

KNOWN_NOISE_BOUNDS = replace(DEFAULT_BOUNDS, noise_variance=(NEGLIGIBLE_NOISE, 1.0001 * NEGLIGIBLE_NOISE))


class RefittedPolicy(AcquisitionPolicy):
    """Abstract; see the module's docstring.

    Attributes:
        lengthscale, noise_scale: the first starting point of the first fit.
        kernel: covariance kernel.
        fit_starts: starting points that each fit refines by BFGS.
        fit_candidates: starting points that each fit scores, the last fit among them.
    """

    _: KW_ONLY
    lengthscale: float | Float[Array, ""] = number(LENGTHSCALE)
    noise_scale: float | Float[Array, ""] = number(GP_NOISE_SCALE)
    kernel: StationaryKernel = choice("kernel", STATIONARY, "matern52")
    fit_starts: int = eqx.field(static=True, default=2)
    fit_candidates: int = eqx.field(static=True, default=8)

    def __check_init__(self) -> None:
        lengthscale, noise_scale = float(self.lengthscale), float(self.noise_scale)
        require(lengthscale > 0, f"lengthscale must be positive, got {lengthscale}")
        require(noise_scale > 0, f"noise_scale must be positive, got {noise_scale}")
        require(self.fit_starts >= 1, f"fit_starts must be at least 1, got {self.fit_starts}")
        enough = self.fit_candidates >= self.fit_starts
        require(enough, f"fit_candidates must be at least fit_starts, got {self.fit_candidates}")

    @property
    def log_prior(self) -> LogPrior | None:
        """Log prior density of the hyperparameters; none for maximum likelihood, the default."""
        return None

    @staticmethod
    def bounds(observations: Observations) -> Bounds:
        """The box of the fit: the default box, except for the noise variance where the observations carry known
        variances."""
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
