"""Policies on a finite decision set: BOKE as Theorem 8 analyses it, and UCB1 (Auer et al. 2002)."""

from abc import abstractmethod
from typing import final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.acquisition.boke import beta_finite, ikr_ucb
from core.checks import require
from core.models.kernels import SMOOTHING, SmoothingKernel, squared_distance
from core.policies.base import Info, Policy, State
from core.types import Observations

__all__ = ["FiniteBoke", "FinitePolicy", "Ucb1"]


class FinitePolicy(Policy):
    """Abstract: takes the arm of largest score, the first among equals.

    Attributes:
        arms: the decision set X, shape (m, d).
    """

    dim: int = eqx.field(static=True)
    arms: Float[Array, "m d"]

    def __init__(self, arms: Float[Array, "m d"]) -> None:
        """Raises ValueError on arms outside the unit cube."""
        arms = jnp.asarray(arms, float)
        require(arms.ndim == 2 and arms.shape[0] >= 1, f"arms must have shape (m, d) with m >= 1, got {arms.shape}")
        require(bool(jnp.all((arms >= 0.0) & (arms <= 1.0))), "arms must lie in the unit cube")
        self.arms = arms
        self.dim = int(arms.shape[1])

    @abstractmethod
    def scores(self, observations: Observations) -> Float[Array, " m"]:
        """What is maximised, for every arm."""

    def nearest(self, x: Float[Array, " d"]) -> Int[Array, ""]:
        """Which arm a point is: one that came back from the units of the objective is an arm up to rounding only."""
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

    Outputs are not standardised: the theorem speaks of the noise in the unit of y. Arms of infinite
    value (W = 0) count as equal.

    Attributes:
        bandwidth: fixed h.
        noise_scale: s, the sub-Gaussian parameter of the noise, in the unit of y.
    """

    bandwidth: float | Float[Array, ""]
    noise_scale: float | Float[Array, ""]
    kernel: SmoothingKernel = eqx.field(static=True)

    def __init__(
        self, arms: Float[Array, "m d"], *, bandwidth: float, noise_scale: float, kernel: str = "epanechnikov"
    ) -> None:
        """Raises ValueError on arms outside the unit cube, constants out of range or an unknown kernel."""
        require(bandwidth > 0, f"bandwidth must be positive, got {bandwidth}")
        require(noise_scale >= 0, f"noise_scale must not be negative, got {noise_scale}")
        require(kernel in SMOOTHING, f"kernel must be one of {sorted(SMOOTHING)}, got {kernel!r}")
        super().__init__(arms)
        self.bandwidth = jnp.asarray(bandwidth, float)
        self.noise_scale = jnp.asarray(noise_scale, float)
        self.kernel = SMOOTHING[kernel]

    def scores(self, observations: Observations) -> Float[Array, " m"]:
        """A (14)."""
        beta = beta_finite(observations.count, self.noise_scale, self.kernel.bound)

        def score(arm: Float[Array, " d"]) -> Float[Array, ""]:
            x, y, mask = observations.x, observations.y, observations.mask
            return ikr_ucb(arm, x, y, self.bandwidth, beta, self.kernel, mask)

        return jax.vmap(score)(self.arms)


@final
class Ucb1(FinitePolicy):
    """UCB1: ``mean + sqrt(exploration * log t / n)``; arms not yet tried come first, in order.

    Auer et al. (2002) take ``exploration = 2`` for rewards in [0, 1]; ``4 s^2`` makes it the small-bandwidth limit of
    :class:`FiniteBoke`.

    Attributes:
        exploration: constant under the root, in squared units of y.
    """

    exploration: float | Float[Array, ""]

    def __init__(self, arms: Float[Array, "m d"], *, exploration: float = 2.0) -> None:
        """Raises ValueError on arms outside the unit cube or a negative exploration constant."""
        require(exploration >= 0, f"exploration must not be negative, got {exploration}")
        super().__init__(arms)
        self.exploration = jnp.asarray(exploration, float)

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
