"""Space-filling policies: density-based exploration A (12), GP-variance exploration, and uniform random search."""

from typing import ClassVar, final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.gp_ucb import posterior_deviation
from core.checks import require
from core.models.bandwidth import RULES, BandwidthRule, overall
from core.models.density import log_density, nearest_distance
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import SMOOTHING, STATIONARY, CovarianceKernel, SmoothingKernel
from core.policies.base import Info, Policy, SearchEffort, State, effort_for
from core.policies.constants import BANDWIDTH, LENGTHSCALE
from core.types import Observations

__all__ = ["DensityExploration", "GpExploration", "RandomSearch"]


@final
class DensityExploration(Policy):
    """DE, A (12): ``x_{t+1} = argmin W_t(x)``, blind to the observed values.

    The acquisition maximised is ``-log W_t(x)``, which has the same maximisers.

    Attributes:
        bandwidth: constant c of the bandwidth rule.
        rule: bandwidth rule, one of :data:`core.models.bandwidth.RULES`.
    """

    reads_values: ClassVar[bool] = False

    dim: int = eqx.field(static=True)
    effort: SearchEffort
    bandwidth: float | Float[Array, ""]
    kernel: SmoothingKernel = eqx.field(static=True)
    rule: BandwidthRule = eqx.field(static=True)

    def __init__(
        self,
        dim: int,
        *,
        bandwidth: float = BANDWIDTH,
        kernel: str = "gaussian",
        rule: str = "scott",
        effort: SearchEffort | None = None,
    ) -> None:
        """Raises ValueError on a bandwidth that is not positive, or an unknown kernel or rule."""
        require(bandwidth > 0, f"bandwidth must be positive, got {bandwidth}")
        require(kernel in SMOOTHING, f"kernel must be one of {sorted(SMOOTHING)}, got {kernel!r}")
        require(rule in RULES, f"rule must be one of {sorted(RULES)}, got {rule!r}")
        self.dim = dim
        self.effort = effort_for(dim, effort)
        self.bandwidth = jnp.asarray(bandwidth, float)
        self.kernel = SMOOTHING[kernel]
        self.rule = RULES[rule]

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The point of smallest density; where the density is zero somewhere, the point farthest from the data."""
        mask = observations.mask
        h = self.rule(observations.x, self.bandwidth, mask)

        def acquisition(x: Float[Array, " d"]) -> Float[Array, ""]:
            return -log_density(x, observations.x, h, self.kernel, mask)

        def distance(x: Float[Array, " d"]) -> Float[Array, ""]:
            return nearest_distance(x, observations.x, mask, h)

        best = self.effort.maximize(key, acquisition, distance)
        return best.x, state, {"acquisition": best.value, "bandwidth": overall(h)}


@final
class GpExploration(Policy):
    """GP-variance exploration (the P-greedy algorithm): ``x_{t+1} = argmax sigma_t(x)``, noise-free.

    Source: Wenzel, Santin & Haasdonk (2021); Fig. 3's peer. Its rate ``t^(-1/d)`` is proved for kernels of finite
    smoothness, hence Matern-5/2 by default.
    """

    reads_values: ClassVar[bool] = False

    dim: int = eqx.field(static=True)
    effort: SearchEffort
    lengthscale: float | Float[Array, ""]
    noise_variance: float | Float[Array, ""]
    kernel: CovarianceKernel = eqx.field(static=True)

    def __init__(
        self,
        dim: int,
        *,
        lengthscale: float = LENGTHSCALE,
        noise_variance: float = 0.0,
        kernel: str = "matern52",
        effort: SearchEffort | None = None,
    ) -> None:
        """Raises ValueError on a lengthscale that is not positive, a negative noise variance or an unknown kernel."""
        require(lengthscale > 0, f"lengthscale must be positive, got {lengthscale}")
        require(noise_variance >= 0, f"noise_variance must not be negative, got {noise_variance}")
        require(kernel in STATIONARY, f"kernel must be one of {sorted(STATIONARY)}, got {kernel!r}")
        self.dim = dim
        self.effort = effort_for(dim, effort)
        self.lengthscale = jnp.asarray(lengthscale, float)
        self.noise_variance = jnp.asarray(noise_variance, float)
        self.kernel = STATIONARY[kernel]

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The point of largest posterior standard deviation."""
        lengthscale = jnp.broadcast_to(self.lengthscale, (self.dim,))
        process = GaussianProcess.fit(
            observations.x,
            jnp.zeros_like(observations.y),
            self.kernel,
            lengthscale,
            1.0,
            self.noise_variance,
            observations.mask,
        )
        best = self.effort.maximize(key, lambda x: posterior_deviation(x, process))
        return best.x, state, {"acquisition": best.value}


@final
class RandomSearch(Policy):
    """Queries uniform in the unit cube."""

    reads_values: ClassVar[bool] = False

    dim: int = eqx.field(static=True)

    def __init__(self, dim: int) -> None:
        """Raises ValueError on a dimension below 1."""
        require(dim >= 1, f"dim must be at least 1, got {dim}")
        self.dim = dim

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A uniform point."""
        del observations
        return jax.random.uniform(key, (self.dim,)), state, {}
