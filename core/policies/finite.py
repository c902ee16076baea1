"""Policies on a finite decision set: BOKE as Theorem 8 analyses it, and UCB1 (Auer et al. 2002)."""

from abc import abstractmethod
from dataclasses import KW_ONLY
from typing import final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.acquisition.boke import beta_finite, ikr_ucb
from core.checks import require
from core.models.kernels import SMOOTHING, SmoothingKernel, squared_distance
from core.policies.base import Info, Policy, State
from core.policies.fields import as_floats, choice, number
from core.types import Observations

__all__ = ["FiniteBoke", "FinitePolicy", "Ucb1"]


class FinitePolicy(Policy):
    """Abstract: takes the arm of largest score, the first among equals.

    Attributes:
        arms: the decision set X, shape (m, d).
    """

    dim: int = eqx.field(static=True, init=False)
    arms: Float[Array, "m d"] = eqx.field(converter=as_floats)

    def __post_init__(self) -> None:
        """The dimension is that of the arms."""
        shape = self.arms.shape
        require(len(shape) == 2 and shape[0] >= 1, f"arms must have shape (m, d) with m >= 1, got {shape}")
        require(bool(jnp.all((self.arms >= 0.0) & (self.arms <= 1.0))), "arms must lie in the unit cube")
        self.dim = int(shape[1])

    @abstractmethod
    def scores(self, observations: Observations) -> Float[Array, " m"]:
        """The score of every arm, which the policy maximises."""

    def nearest(self, x: Float[Array, " d"]) -> Int[Array, ""]:
        """The index of the nearest arm; a point from the objective's units is an arm only up to rounding."""
        return jnp.argmin(jax.vmap(squared_distance, in_axes=(0, None))(self.arms, x))

    def project(self, x: Float[Array, " d"]) -> Float[Array, " d"]:
        """The nearest arm."""
        return self.arms[self.nearest(x)]

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The first arm of largest score. Diagnostics: ``arm``, its row, and ``acquisition``, its score."""
        del key
        scores = self.scores(observations)
        chosen = jnp.argmax(scores)
        return self.arms[chosen], state, {"arm": chosen.astype(float), "acquisition": scores[chosen]}


@final
class FiniteBoke(FinitePolicy):
    """IKR-UCB A (14) over given arms with Theorem 8's ``beta_t = 4 s^2 M_Psi log t``.

    Outputs are not standardised, since the theorem takes the noise in the unit of y. Arms of infinite value (W = 0)
    count as equal.

    Attributes:
        bandwidth: fixed h.
        noise_scale: s, the sub-Gaussian parameter of the noise, in the unit of y.
    """

    _: KW_ONLY
    bandwidth: float | Float[Array, ""] = number()
    noise_scale: float | Float[Array, ""] = number()
    kernel: SmoothingKernel = choice("kernel", SMOOTHING, "epanechnikov")

    def __check_init__(self) -> None:
        bandwidth, noise_scale = float(self.bandwidth), float(self.noise_scale)
        require(bandwidth > 0, f"bandwidth must be positive, got {bandwidth}")
        require(noise_scale >= 0, f"noise_scale must not be negative, got {noise_scale}")

    def scores(self, observations: Observations) -> Float[Array, " m"]:
        """A (14)."""
        beta = beta_finite(observations.count, self.noise_scale, self.kernel.bound)

        def score(arm: Float[Array, " d"]) -> Float[Array, ""]:
            x, y, mask = observations.x, observations.y, observations.mask
            return ikr_ucb(arm, x, y, self.bandwidth, beta, self.kernel, mask)

        return jax.vmap(score)(self.arms)


@final
class Ucb1(FinitePolicy):
    """UCB1 (Auer et al. 2002): ``mean + sqrt(exploration * log t / n)``; arms not yet tried come first, in order.

    Auer et al. (2002) take ``exploration = 2`` for rewards in [0, 1]; ``4 s^2`` makes it the small-bandwidth limit of
    :class:`FiniteBoke`.

    Attributes:
        exploration: constant under the root, in squared units of y.
    """

    _: KW_ONLY
    exploration: float | Float[Array, ""] = number(2.0)

    def __check_init__(self) -> None:
        require(float(self.exploration) >= 0, f"exploration must not be negative, got {self.exploration}")

    def scores(self, observations: Observations) -> Float[Array, " m"]:
        """Upper confidence bounds."""
        log_t = jnp.log(jnp.maximum(observations.count.astype(float), 1.0))
        pulled = jax.vmap(self.nearest)(observations.x)

        def score(arm: Int[Array, ""]) -> Float[Array, ""]:
            hits = (pulled == arm) & observations.mask
            pulls = jnp.sum(hits)
            tried = jnp.maximum(pulls, 1)
            mean = jnp.sum(jnp.where(hits, observations.y, 0.0)) / tried
            return jnp.where(pulls > 0, mean + jnp.sqrt(self.exploration * log_t / tried), jnp.inf)

        return jax.vmap(score)(jnp.arange(self.arms.shape[0]))
