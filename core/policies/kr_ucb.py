"""KR-UCB (Algorithm 5): choose among the observed points, widen progressively to new ones nearby.

Source: Yee, Lisy & Bowling (2016), as configured in appendix A.2 of the BOKE paper.
"""

from dataclasses import KW_ONLY
from typing import final

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.kr_ucb import distinct_points, kr_ucb_scores
from core.checks import require
from core.models.bandwidth import RULES, BandwidthRule, overall
from core.models.density import log_density
from core.models.kernels import GAUSSIAN
from core.models.regression import kernel_regression
from core.models.transform import standardize
from core.numerics import root
from core.policies.base import AcquisitionPolicy, Info, State
from core.policies.constants import BANDWIDTH, KR_UCB_EXPLORATION, KR_UCB_THRESHOLD, KR_UCB_WIDENING, RULE
from core.policies.fields import choice, number
from core.types import Observations

__all__ = ["KrUcb"]

_INSIDE = 1.0 - 1e-9  # the ball of A (A5) is open


@final
class KrUcb(AcquisitionPolicy):
    """KR-UCB (Yee et al. 2016), Algorithm 5 of A, with a Gaussian kernel.

    While ``t^alpha`` is below the number of distinct observed points, the method observes again the best of these
    points by A (A4). Otherwise it tries a new point: the least dense point, by A (A5), within the ball ``k(x, x~) >
    tau`` around that best point. The ball is ``||(x - x~) / h|| < sqrt(2 log(1/tau))``, an ellipsoid where axes have
    bandwidths of their own.

    Attributes:
        bandwidth: constant c of the bandwidth rule.
        exploration: C of A (A4), on standardised outputs.
        widening: alpha in (0, 1).
        threshold: tau in (0, 1).
        rule: bandwidth rule, one of :data:`core.models.bandwidth.RULES`.
    """

    _: KW_ONLY
    bandwidth: float | Float[Array, ""] = number(BANDWIDTH)
    exploration: float | Float[Array, ""] = number(KR_UCB_EXPLORATION)
    widening: float | Float[Array, ""] = number(KR_UCB_WIDENING)
    threshold: float | Float[Array, ""] = number(KR_UCB_THRESHOLD)
    rule: BandwidthRule = choice("rule", RULES, RULE)

    def __check_init__(self) -> None:
        bandwidth, exploration = float(self.bandwidth), float(self.exploration)
        widening, threshold = float(self.widening), float(self.threshold)
        require(bandwidth > 0, f"bandwidth must be positive, got {bandwidth}")
        require(exploration >= 0, f"exploration must not be negative, got {exploration}")
        require(0 < widening < 1, f"widening must lie in (0, 1), got {widening}")
        require(0 < threshold < 1, f"threshold must lie in (0, 1), got {threshold}")

    def current_bandwidth(self, observations: Observations) -> Array:
        """h_t of the bandwidth rule: one for all axes, or one an axis."""
        return self.rule(observations.x, self.bandwidth, observations.mask)

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """Algorithm 5, line 3."""
        mask = observations.mask
        z, _, _ = standardize(observations.y, mask)
        h = self.current_bandwidth(observations)
        scores = kr_ucb_scores(observations.x, z, h, self.exploration, GAUSSIAN, mask)
        chosen = jnp.argmax(scores)
        centre = observations.x[chosen]
        radius = h * jnp.sqrt(-2.0 * jnp.log(self.threshold)) * _INSIDE

        def to_ball(unit: Float[Array, " d"]) -> Float[Array, " d"]:
            """The cube mapped onto the ball around the centre, clipped to the unit cube (which keeps it inside)."""
            offset = 2.0 * unit - 1.0
            shrink = jnp.maximum(1.0, root(jnp.sum(offset**2)))
            return jnp.clip(centre + radius * offset / shrink, 0.0, 1.0)

        def sparseness(unit: Float[Array, " d"]) -> Float[Array, ""]:
            return -log_density(to_ball(unit), observations.x, h, GAUSSIAN, mask)

        growth = jnp.maximum(observations.count, 1).astype(float) ** self.widening
        widen = growth >= distinct_points(observations.x, mask)
        # Only the branch taken is computed, which makes KR-UCB fast; under vmap both are.
        query = jax.lax.cond(widen, lambda: to_ball(self.effort.maximize(key, sparseness).x), lambda: centre)
        return query, state, {"acquisition": scores[chosen], "bandwidth": overall(h), "widen": widen.astype(float)}

    def surrogate(self, state: State, observations: Observations) -> Float[Array, " n"]:
        """m_t at the observed points, A (5), in the unit of y."""
        h = self.current_bandwidth(observations)
        batched = jax.vmap(kernel_regression, in_axes=(0, None, None, None, None, None))
        return batched(observations.x, observations.x, observations.y, h, GAUSSIAN, observations.mask)

    def predict(self, state: State, observations: Observations, x: Float[Array, " d"]) -> Float[Array, ""]:
        """m_t(x), A (5), in the unit of y."""
        del state
        h = self.current_bandwidth(observations)
        return kernel_regression(x, observations.x, observations.y, h, GAUSSIAN, observations.mask)
