"""GP-UCB (Algorithm 4 of the BOKE paper) with fixed hyperparameters."""

from dataclasses import KW_ONLY, replace
from typing import final

import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.gp_ucb import gp_ucb
from core.checks import require
from core.models.hyperparameters import Hyperparameters
from core.models.kernels import STATIONARY, StationaryKernel
from core.models.standardized import Posterior
from core.policies.base import AcquisitionPolicy, Info, State
from core.policies.constants import GP_BETA, GP_NOISE_SCALE, LENGTHSCALE
from core.policies.fields import choice, number
from core.types import Observations

__all__ = ["GpUcb"]


@final
class GpUcb(AcquisitionPolicy):
    """GP-UCB, A (A3), with fixed hyperparameters on standardised outputs.

    Known noise variances in the observations replace ``noise_scale``.

    Attributes:
        lengthscale: in units of the cube's side, the same in every dimension.
        noise_scale: standard deviation of the noise on standardised outputs.
        beta: fixed beta of A (A3).
        kernel: covariance kernel; the paper uses the squared exponential.
    """

    _: KW_ONLY
    lengthscale: float | Float[Array, ""] = number(LENGTHSCALE)
    noise_scale: float | Float[Array, ""] = number(GP_NOISE_SCALE)
    beta: float | Float[Array, ""] = number(GP_BETA)
    kernel: StationaryKernel = choice("kernel", STATIONARY, "squared_exponential")

    def __check_init__(self) -> None:
        lengthscale, noise_scale, beta = float(self.lengthscale), float(self.noise_scale), float(self.beta)
        require(lengthscale > 0, f"lengthscale must be positive, got {lengthscale}")
        require(noise_scale >= 0, f"noise_scale must not be negative, got {noise_scale}")
        require(beta >= 0, f"beta must not be negative, got {beta}")

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
