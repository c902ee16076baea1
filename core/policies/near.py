"""A search that also looks near the best observations, for users' runs and not for the papers' experiments.

Late in a run the acquisition has a narrow peak at the incumbent, which uniform candidates miss. Candidates near x are
``x + 10^(-u) z`` with u uniform on (1/2, 3) and z standard normal, clipped to the cube; in every second candidate each
coordinate moves with probability one half only, since in high dimensions most coordinates of a good point are best
kept.
"""

from typing import final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.policies.base import Policy, SearchEffort
from core.policies.improvement import ImprovementPolicy
from core.search.maximize import BatchFunction, Maximum, ScalarFunction, maximize, shift_lattice

__all__ = ["NearEffort", "candidates_near", "looking_near"]


@final
class NearEffort(SearchEffort):
    """The search of a :class:`SearchEffort` with candidates near given points.

    Attributes:
        near: number of candidates near the points, in all.
    """

    near: int = eqx.field(static=True, default=512)

    @staticmethod
    def of(dim: int, raw_candidates: int = 512, starts: int = 8, max_steps: int = 200, near: int = 512) -> "NearEffort":
        """Sobol candidates in ``dim`` dimensions, and ``near`` of the others; errors as :meth:`SearchEffort.of`."""
        base = SearchEffort.of(dim, raw_candidates, starts, max_steps)
        return NearEffort(base.lattice, starts, max_steps, near)

    def maximize(
        self,
        key: PRNGKeyArray,
        acquisition: ScalarFunction,
        distance: ScalarFunction | None = None,
        around: Float[Array, "k d"] | None = None,
        together: BatchFunction | None = None,
    ) -> Maximum:
        """Maximise as :meth:`SearchEffort.maximize`, with half of the starts near ``around``."""
        shift_key, near_key = jax.random.split(key)
        candidates = shift_lattice(shift_key, jax.lax.stop_gradient(self.lattice))
        close = None if around is None else candidates_near(near_key, around, self.near)
        return maximize(
            acquisition,
            candidates,
            starts=self.starts,
            near=close,
            distance=distance,
            max_steps=self.max_steps,
            together=together,
        )


def candidates_near(key: PRNGKeyArray, around: Float[Array, "k d"], count: int) -> Float[Array, "m d"]:
    """Candidates near the points, each in turn; see the module's docstring."""
    radius_key, direction_key, moving_key = jax.random.split(key, 3)
    centres = jnp.resize(around, (count, around.shape[1]))
    radius = 10.0 ** -jax.random.uniform(radius_key, (count, 1), minval=0.5, maxval=3.0)
    moves = jax.random.bernoulli(moving_key, 0.5, centres.shape) | (jnp.arange(count)[:, None] % 2 == 0)
    steps = radius * jax.random.normal(direction_key, centres.shape)
    return jnp.clip(centres + jnp.where(moves, steps, 0.0), 0.0, 1.0)


def looking_near(policy: Policy) -> Policy:
    """The policy with a :class:`NearEffort`, where the policy names points to look near; any other policy unchanged."""
    if not isinstance(policy, ImprovementPolicy):
        return policy
    changed: Policy = eqx.tree_at(lambda p: p.effort, policy, NearEffort.of(policy.dim))
    return changed
