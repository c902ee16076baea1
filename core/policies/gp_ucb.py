"""GP-UCB (Algorithm 4 of the BOKE paper): with fixed hyperparameters, or with ones refitted at every step."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.expected_improvement import incumbent_index
from core.acquisition.gp_ucb import gp_ucb
from core.models.gaussian_process import GaussianProcess
from core.models.hyperparameters import Hyperparameters
from core.models.kernels import STATIONARY, StationaryKernel
from core.models.transform import standardize
from core.policies.base import Info, Policy, SearchEffort, State, effort_for, require
from core.policies.constants import GP_BETA, LENGTHSCALE, NOISE_SCALE
from core.policies.refitted import RefittedPolicy
from core.types import Observations

__all__ = ["GpUcb", "GpUcbRefit"]


class GpUcb(Policy):
    """GP-UCB, eq. (A3), with fixed hyperparameters on standardised outputs.

    Known noise variances in the observations replace ``noise_scale``.

    Attributes:
        lengthscale: in units of the cube's side, the same in every dimension.
        noise_scale: standard deviation of the noise on standardised outputs.
        beta: fixed beta of (A3).
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

    def hyperparameters(self, state: State) -> Hyperparameters:
        """The hyperparameters in force, on standardised outputs."""
        del state
        return Hyperparameters(
            jnp.broadcast_to(self.lengthscale, (self.dim,)), jnp.ones(()), self.noise_scale**2 * jnp.ones(())
        )

    def process(self, state: State, observations: Observations) -> GaussianProcess:
        """The posterior on standardised outputs."""
        z, _, scale = standardize(observations.y, observations.mask)
        theta = self.hyperparameters(state)
        noise = theta.noise_variance
        if observations.noise_variance.shape[1]:
            noise = observations.noise_variance[:, 0] / scale**2
        return GaussianProcess.fit(
            observations.x, z, self.kernel, theta.lengthscale, theta.variance, noise, observations.mask
        )

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """Algorithm 4, line 3: a maximiser of eq. (A3)."""
        process = self.process(state, observations)
        best = self.effort.maximize(key, lambda x: gp_ucb(x, process, self.beta))
        return best.x, state, {"acquisition": best.value, **self.hyperparameters(state).summary()}

    def surrogate(self, state: State, observations: Observations) -> Float[Array, " n"]:
        """Posterior mean at the observed points, in the unit of y."""
        _, mean, scale = standardize(observations.y, observations.mask)
        return mean + scale * jax.vmap(self.process(state, observations).mean)(observations.x)


class GpUcbRefit(RefittedPolicy):
    """GP-UCB whose ARD lengthscales, variance and noise are refitted by maximum likelihood after every observation.

    Attributes:
        beta: fixed beta of (A3); one is also what the public code of the corrected-EI paper uses.
    """

    beta: float | Float[Array, ""]

    def __init__(
        self, dim: int, *, beta: float = GP_BETA, kernel: str = "squared_exponential", **options: object
    ) -> None:
        """As :class:`RefittedPolicy`, and ValueError on a negative beta."""
        require(beta >= 0, f"beta must not be negative, got {beta}")
        super().__init__(dim, kernel=kernel, **options)  # type: ignore[arg-type]
        self.beta = jnp.asarray(beta, float)

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of eq. (A3).

        Diagnostics: ``acquisition``, the bound there in the unit of y, and ``incumbent``, the row of the observed point
        of largest posterior mean.
        """
        posterior = self.posterior(state, observations)
        best = self.effort.maximize(key, lambda x: gp_ucb(x, posterior.process, self.beta))
        bound = posterior.offset + posterior.scale * best.value
        row = incumbent_index(posterior.process).astype(float)
        return best.x, state, {"acquisition": bound, "incumbent": row, **state.summary()}
