"""GP-UCB (Algorithm 4 of the BOKE paper) with fixed hyperparameters."""

from dataclasses import replace
from typing import final

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.gp_ucb import gp_ucb
from core.checks import require
from core.models.hyperparameters import Hyperparameters
from core.models.kernels import STATIONARY, StationaryKernel
from core.models.standardized import Posterior
from core.policies.base import Info, Policy, SearchEffort, State, effort_for
from core.policies.constants import GP_BETA, LENGTHSCALE, NOISE_SCALE
from core.types import Observations

__all__ = ["GpUcb"]


@final
class GpUcb(Policy):
    """GP-UCB, A (A3), with fixed hyperparameters on standardised outputs.

    Known noise variances in the observations replace ``noise_scale``.

    Attributes:
        lengthscale: in units of the cube's side, the same in every dimension.
        noise_scale: standard deviation of the noise on standardised outputs.
        beta: fixed beta of A (A3).
        kernel: covariance kernel; the paper uses the squared exponential.
    """

    dim: int = eqx.field(static=True)
    effort: SearchEffort
    lengthscale: float | Float[Array, ""]
    noise_scale: float | Float[Array, ""]
    beta: float | Float[Array, ""]
    kernel: StationaryKernel = eqx.field(static=True)

    def __init__(
        self,
        dim: int,
        *,
        lengthscale: float = LENGTHSCALE,
        noise_scale: float = NOISE_SCALE,
        beta: float = GP_BETA,
        kernel: str = "squared_exponential",
        effort: SearchEffort | None = None,
    ) -> None:
        """Raises ValueError on a constant outside its range or an unknown kernel."""
        require(lengthscale > 0, f"lengthscale must be positive, got {lengthscale}")
        require(noise_scale >= 0, f"noise_scale must not be negative, got {noise_scale}")
        require(beta >= 0, f"beta must not be negative, got {beta}")
        require(kernel in STATIONARY, f"kernel must be one of {sorted(STATIONARY)}, got {kernel!r}")
        self.dim = dim
        self.effort = effort_for(dim, effort)
        self.lengthscale = jnp.asarray(lengthscale, float)
        self.noise_scale = jnp.asarray(noise_scale, float)
        self.beta = jnp.asarray(beta, float)
        self.kernel = STATIONARY[kernel]

    def hyperparameters(self) -> Hyperparameters:
        """The constants as hyperparameters, on standardised outputs."""
        return Hyperparameters(
            jnp.broadcast_to(self.lengthscale, (self.dim,)), jnp.ones(()), self.noise_scale**2 * jnp.ones(())
        )

    def posterior(self, observations: Observations) -> Posterior:
        """The posterior; the noise variance is the constant one, or the observations' own where they carry it."""
        theta = self.hyperparameters()
        if not observations.noise_variance.shape[1]:
            return Posterior.fit(observations, self.kernel, theta, theta.noise_variance)
        return Posterior.fit(observations, self.kernel, replace(theta, noise_variance=jnp.zeros(())))

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """Algorithm 4, line 3: a maximiser of A (A3)."""
        process = self.posterior(observations).process
        best = self.effort.maximize(key, lambda x: gp_ucb(x, process, self.beta))
        return best.x, state, {"acquisition": best.value, **self.hyperparameters().summary()}

    def surrogate(self, state: State, observations: Observations) -> Float[Array, " n"]:
        """Posterior mean at the observed points, in the unit of y."""
        del state
        return self.posterior(observations).means()

    def predict(self, state: State, observations: Observations, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Posterior mean, in the unit of y."""
        del state
        posterior = self.posterior(observations)
        return posterior.in_unit_of_y(posterior.process.mean(x))
