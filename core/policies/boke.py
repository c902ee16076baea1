"""BOKE (Algorithm 2) and BOKE+ (Algorithm 3): kernel regression with density-based exploration.

Source: Zhu et al., "Bayesian Optimization by Kernel Regression and Density-based Exploration".
"""

from abc import abstractmethod
from dataclasses import KW_ONLY
from typing import final

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.boke import beta_continuum, regression_and_bonus, upper_confidence
from core.checks import require
from core.models.bandwidth import RULES, BandwidthRule, overall
from core.models.density import bonus_from_log_density, nearest_distance
from core.models.kernels import SMOOTHING, SmoothingKernel
from core.models.large_scale import kernel_regression_and_density
from core.models.regression import kernel_regression
from core.models.transform import standardize
from core.policies.base import AcquisitionPolicy, Info, State
from core.policies.constants import BANDWIDTH, DELTA, EXPLORATION_PROBABILITY, NOISE_SCALE, RULE
from core.policies.fields import choice, number
from core.types import Observations

__all__ = ["LARGE", "Boke", "BokePlus", "KernelRegressionPolicy"]

LARGE = 1024
"""The capacity from which :mod:`core.models.large_scale` scores candidates, in less time and bounded memory."""


class KernelRegressionPolicy(AcquisitionPolicy):
    """Abstract: maximise IKR-UCB, A (14), on standardised outputs, with Theorem 9's beta_t, or exploit, A (16).

    Attributes:
        bandwidth: constant c of the bandwidth rule.
        noise_scale: sub-Gaussian parameter of the noise on standardised outputs.
        delta: failure probability in beta_t.
        kernel: smoothing kernel.
        rule: bandwidth rule, one of :data:`core.models.bandwidth.RULES`.
    """

    _: KW_ONLY
    bandwidth: float | Float[Array, ""] = number(BANDWIDTH)
    noise_scale: float | Float[Array, ""] = number(NOISE_SCALE)
    delta: float | Float[Array, ""] = number(DELTA)
    kernel: SmoothingKernel = choice("kernel", SMOOTHING, "gaussian")
    rule: BandwidthRule = choice("rule", RULES, RULE)

    def __check_init__(self) -> None:
        bandwidth, noise_scale, delta = float(self.bandwidth), float(self.noise_scale), float(self.delta)
        require(bandwidth > 0, f"bandwidth must be positive, got {bandwidth}")
        require(noise_scale >= 0, f"noise_scale must not be negative, got {noise_scale}")
        require(0 < delta < 1, f"delta must lie in (0, 1), got {delta}")

    def current_bandwidth(self, observations: Observations) -> Array:
        """h_t of the bandwidth rule: one for all axes, or one an axis."""
        return self.rule(observations.x, self.bandwidth, observations.mask)

    def current_beta(self, observations: Observations) -> Float[Array, ""]:
        """beta_t of Theorem 9."""
        return beta_continuum(observations.count, self.noise_scale, self.delta, self.kernel.bound)

    @abstractmethod
    def explores(self, key: PRNGKeyArray) -> tuple[Float[Array, ""], PRNGKeyArray]:
        """The indicator of exploration, 1 or 0, and the key of the step's search."""

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of A (14) in a step that explores, of A (16) in one that does not."""
        explore, search_key = self.explores(key)
        mask = observations.mask
        z, _, _ = standardize(observations.y, mask)
        h, beta = self.current_bandwidth(observations), self.current_beta(observations)

        def acquisition(x: Float[Array, " d"]) -> Float[Array, ""]:
            mean, bonus = regression_and_bonus(x, observations.x, z, h, self.kernel, mask)
            # Pure exploitation is finite also where W_t(x) = 0: the nearest-neighbour extension.
            return jnp.where(explore > 0.0, upper_confidence(mean, bonus, beta), mean)

        def distance(x: Float[Array, " d"]) -> Float[Array, ""]:
            return nearest_distance(x, observations.x, mask, h)

        def together(points: Float[Array, "m d"]) -> Float[Array, " m"]:
            mean, log_w = kernel_regression_and_density(points, observations.x, z, h, self.kernel, mask)
            bonus = jax.vmap(bonus_from_log_density)(log_w)
            return jnp.where(explore > 0.0, jax.vmap(upper_confidence, in_axes=(0, 0, None))(mean, bonus, beta), mean)

        many = together if observations.capacity >= LARGE else None
        best = self.effort.maximize(search_key, acquisition, distance, together=many)
        info = {"acquisition": best.value, "bandwidth": overall(h), "beta": beta, "explore": explore}
        return best.x, state, info

    def surrogate(self, state: State, observations: Observations) -> Float[Array, " n"]:
        """m_t at the observed points, A (5), in the unit of y."""
        h = self.current_bandwidth(observations)
        batched = jax.vmap(kernel_regression, in_axes=(0, None, None, None, None, None))
        return batched(observations.x, observations.x, observations.y, h, self.kernel, observations.mask)

    def predict(self, state: State, observations: Observations, x: Float[Array, " d"]) -> Float[Array, ""]:
        """m_t(x), A (5), in the unit of y."""
        del state
        h = self.current_bandwidth(observations)
        return kernel_regression(x, observations.x, observations.y, h, self.kernel, observations.mask)


@final
class Boke(KernelRegressionPolicy):
    """BOKE, Algorithm 2 of A: every step maximises IKR-UCB, A (14)."""

    def explores(self, key: PRNGKeyArray) -> tuple[Float[Array, ""], PRNGKeyArray]:
        """Line 3: every step explores."""
        return jnp.ones(()), key


@final
class BokePlus(KernelRegressionPolicy):
    """BOKE+, Algorithm 3 of A: with probability p a step maximises IKR-UCB, A (14), otherwise the estimate, A (16).

    Attributes:
        exploration_probability: p in (0, 1]; p = 1 is BOKE.
    """

    _: KW_ONLY
    exploration_probability: float | Float[Array, ""] = number(EXPLORATION_PROBABILITY)

    def __check_init__(self) -> None:
        probability = float(self.exploration_probability)
        require(0 < probability <= 1, f"exploration_probability must lie in (0, 1], got {probability}")

    def explores(self, key: PRNGKeyArray) -> tuple[Float[Array, ""], PRNGKeyArray]:
        """Algorithm 3, lines 3 and 4: a step explores with probability p."""
        coin_key, search_key = jax.random.split(key)
        return jax.random.bernoulli(coin_key, self.exploration_probability).astype(float), search_key
