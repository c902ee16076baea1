"""Policies on a finite decision set: BOKE as Theorem 8 analyses it, and UCB1 (Auer et al. 2002)."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.acquisition.boke import beta_finite, ikr_ucb
from core.models.kernels import SMOOTHING, SmoothingKernel, squared_distance
from core.policies.base import Info, Policy, State, require
from core.types import Observations

__all__ = ["FiniteBoke", "Ucb1"]


def _check_arms(arms: Float[Array, "m d"]) -> Float[Array, "m d"]:
    arms = jnp.asarray(arms, float)
    require(arms.ndim == 2 and arms.shape[0] >= 1, f"arms must have shape (m, d) with m >= 1, got {arms.shape}")
    require(bool(jnp.all((arms >= 0.0) & (arms <= 1.0))), "arms must lie in the unit cube")
    return arms


def _nearest(arms: Float[Array, "m d"], x: Float[Array, " d"]) -> Int[Array, ""]:
    """Which arm a point is: one that came back from the units of the objective is an arm up to rounding only."""
    return jnp.argmin(jax.vmap(squared_distance, in_axes=(0, None))(arms, x))


class FiniteBoke(Policy):
    """IKR-UCB (14) over given arms with Theorem 8's ``beta_t = 4 s^2 M_Psi log t``.

    Outputs are not standardised: the theorem speaks of the noise in the unit of y. Among arms of infinite value (W = 0)
    and among ties the first is taken.

    Attributes:
        arms: the decision set X, shape (m, d).
        bandwidth: fixed h.
        noise_scale: s, the sub-Gaussian parameter of the noise, in the unit of y.
    """

    dim: int = eqx.field(static=True)
    arms: Float[Array, "m d"]
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
        self.arms = _check_arms(arms)
        self.dim = int(self.arms.shape[1])
        self.bandwidth = jnp.asarray(bandwidth, float)
        self.noise_scale = jnp.asarray(noise_scale, float)
        self.kernel = SMOOTHING[kernel]

    def project(self, x: Float[Array, " d"]) -> Float[Array, " d"]:
        """The nearest arm."""
        return self.arms[_nearest(self.arms, x)]

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The first arm of largest eq. (14)."""
        del key
        beta = beta_finite(observations.count, self.noise_scale, self.kernel.bound)

        def score(arm: Float[Array, " d"]) -> Float[Array, ""]:
            x, y, mask = observations.x, observations.y, observations.mask
            return ikr_ucb(arm, x, y, self.bandwidth, beta, self.kernel, mask)

        scores = jax.vmap(score)(self.arms)
        chosen = jnp.argmax(scores)
        return self.arms[chosen], state, {"arm": chosen.astype(float), "acquisition": scores[chosen]}


class Ucb1(Policy):
    """UCB1: ``mean + sqrt(exploration * log t / n)``; arms not yet tried come first, in order.

    Auer et al. (2002) take ``exploration = 2`` for rewards in [0, 1]; ``4 s^2`` makes it the small-bandwidth limit of
    :class:`FiniteBoke`.

    Attributes:
        arms: the decision set, shape (m, d).
        exploration: constant under the root, in squared units of y.
    """

    dim: int = eqx.field(static=True)
    arms: Float[Array, "m d"]
    exploration: float | Float[Array, ""]

    def __init__(self, arms: Float[Array, "m d"], *, exploration: float = 2.0) -> None:
        """Raises ValueError on arms outside the unit cube or a negative exploration constant."""
        require(exploration >= 0, f"exploration must not be negative, got {exploration}")
        self.arms = _check_arms(arms)
        self.dim = int(self.arms.shape[1])
        self.exploration = jnp.asarray(exploration, float)

    def project(self, x: Float[Array, " d"]) -> Float[Array, " d"]:
        """The nearest arm."""
        return self.arms[_nearest(self.arms, x)]

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The first arm of largest upper confidence bound."""
        del key
        log_t = jnp.log(jnp.maximum(observations.count.astype(float), 1.0))

        pulled = jax.vmap(_nearest, in_axes=(None, 0))(self.arms, observations.x)

        def score(arm: Int[Array, ""]) -> Float[Array, ""]:
            hits = (pulled == arm) & observations.mask
            pulls = jnp.sum(hits)
            tried = jnp.maximum(pulls, 1)
            mean = jnp.sum(jnp.where(hits, observations.y, 0.0)) / tried
            return jnp.where(pulls > 0, mean + jnp.sqrt(self.exploration * log_t / tried), jnp.inf)

        scores = jax.vmap(score)(jnp.arange(self.arms.shape[0]))
        chosen = jnp.argmax(scores)
        return self.arms[chosen], state, {"arm": chosen.astype(float), "acquisition": scores[chosen]}
