"""Space-filling policies: density-based exploration A (12), GP-variance exploration, and uniform random search."""

from dataclasses import KW_ONLY
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
from core.policies.base import AcquisitionPolicy, Info, Policy, State
from core.policies.constants import EXPLORATION_BANDWIDTH, LENGTHSCALE
from core.policies.fields import choice, number
from core.types import Observations

__all__ = ["DensityExploration", "GpExploration", "RandomSearch"]


@final
class DensityExploration(AcquisitionPolicy):
    """Density-based exploration, A (12): ``x_{t+1} = argmin W_t(x)``, blind to the observed values.

    The acquisition maximised is ``-log W_t(x)``, which has the same maximisers.

    Attributes:
        bandwidth: constant c of the bandwidth rule.
        rule: bandwidth rule, one of :data:`core.models.bandwidth.RULES`.
    """

    reads_values: ClassVar[bool] = False

    _: KW_ONLY
    bandwidth: float | Float[Array, ""] = number(EXPLORATION_BANDWIDTH)
    kernel: SmoothingKernel = choice("kernel", SMOOTHING, "gaussian")
    rule: BandwidthRule = choice("rule", RULES, "scott")

    def __check_init__(self) -> None:
        require(float(self.bandwidth) > 0, f"bandwidth must be positive, got {self.bandwidth}")

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
class GpExploration(AcquisitionPolicy):
    """GP-variance exploration (the P-greedy algorithm): ``x_{t+1} = argmax sigma_t(x)``, noise-free.

    Source: Wenzel, Santin & Haasdonk (2021); Fig. 3's peer. Its rate ``t^(-1/d)`` is proved for kernels of finite
    smoothness, hence Matern-5/2 by default.
    """

    reads_values: ClassVar[bool] = False

    _: KW_ONLY
    lengthscale: float | Float[Array, ""] = number(LENGTHSCALE)
    noise_variance: float | Float[Array, ""] = number(0.0)
    kernel: CovarianceKernel = choice("kernel", STATIONARY, "matern52")

    def __check_init__(self) -> None:
        lengthscale, noise_variance = float(self.lengthscale), float(self.noise_variance)
        require(lengthscale > 0, f"lengthscale must be positive, got {lengthscale}")
        require(noise_variance >= 0, f"noise_variance must not be negative, got {noise_variance}")

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
    """Random search: queries uniform in the unit cube."""

    reads_values: ClassVar[bool] = False

    dim: int = eqx.field(static=True)

    def __check_init__(self) -> None:
        require(self.dim >= 1, f"dim must be at least 1, got {self.dim}")

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A uniform point."""
        del observations
        return jax.random.uniform(key, (self.dim,)), state, {}
