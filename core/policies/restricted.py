"""Searches within limits: only points that can be evaluated, and only where known constraints allow them.

Two searches take the place of a policy's own (:class:`core.policies.base.SearchEffort`):

* :class:`SnappedEffort` maximises the acquisition *behind* the map of a space, ``a(T(x))``. Data lie at fixed points of
  T, so a kernel in a sees ``k(T(x), T(x'))``: the transformation of Garrido-Merchán and Hernández-Lobato (2020).
* :class:`ListedEffort` takes the best of the given candidates. Constraints are predicates in Python, which no compiled
  program can call: candidates that satisfy them are drawn outside (:mod:`core.spaces.region`), first spread over the
  allowed region, then ever closer around the best.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from core.checks import require
from core.policies import Policy, SearchEffort
from core.policies.finite import FinitePolicy
from core.policies.joint import ContextPolicy
from core.policies.kr_ucb import KrUcb
from core.search.maximize import BatchFunction, Maximum, ScalarFunction, maximize
from core.spaces import region as _region
from core.spaces.region import Region
from core.spaces.space import Space

__all__ = ["ListedEffort", "SnappedEffort", "propose_from", "snapping"]

Proposed = TypeVar("Proposed", bound=tuple[Any, ...])

RADII = (0.1, 0.05, 0.02, 0.01, 0.004, 0.001)
"""The widths of the rounds around the best candidate, in units of the cube's side."""


class SnappedEffort(SearchEffort):
    """The search of a policy on a space with integers or choices.

    Attributes:
        space: the space whose map is T.
        effort: the search behind the map.
    """

    space: Space = eqx.field(static=True)
    effort: SearchEffort

    def maximize(
        self,
        key: PRNGKeyArray,
        acquisition: ScalarFunction,
        distance: ScalarFunction | None = None,
        around: Float[Array, "k d"] | None = None,
        together: BatchFunction | None = None,
    ) -> Maximum:
        """``max a(T(x))``; the point returned is T(x)."""
        snap = self.space.snap
        far = None if distance is None else lambda x: distance(snap(x))
        many = None if together is None else lambda points: together(jax.vmap(snap)(points))
        best = self.effort.maximize(key, lambda x: acquisition(snap(x)), far, around, many)
        return Maximum(snap(best.x), best.value, best.raw_value)


class ListedEffort(SearchEffort):
    """The search among listed candidates: the rows of ``lattice``, as they are."""

    def maximize(
        self,
        key: PRNGKeyArray,
        acquisition: ScalarFunction,
        distance: ScalarFunction | None = None,
        around: Float[Array, "k d"] | None = None,
        together: BatchFunction | None = None,
    ) -> Maximum:
        """The candidate of largest acquisition; the first of equals."""
        del key, around
        listed = jax.lax.stop_gradient(self.lattice)
        return maximize(acquisition, listed, starts=0, distance=distance, together=together)


def snapping(policy: Policy, space: Space | None, constrained: bool) -> Policy:
    """The policy, restricted to points of the space.

    Raises:
        ValueError: a policy whose search cannot be restricted, with integers, choices or a constraint.
    """
    rounded = space is not None and space.rounds
    if rounded or constrained:
        fixed = isinstance(policy, (ContextPolicy, FinitePolicy, KrUcb))
        name, what = type(policy).__name__, "constraint" if constrained else "integers or choices"
        require(not fixed, f"{name} has a search of its own, which cannot be restricted: no {what} with it")
    if space is None or not rounded or not hasattr(policy, "effort"):
        return policy
    effort: SearchEffort = cast(Any, policy).effort
    return _with_effort(policy, SnappedEffort(effort.lattice, effort.starts, effort.max_steps, space, effort))


def propose_from(
    propose: Callable[[Policy], Proposed], policy: Policy, rng: np.random.Generator, region: Region
) -> Proposed:
    """A proposal among candidates that are allowed.

    Args:
        propose: function that makes a policy's proposal, whose point in the cube comes first.
        policy: the policy whose search is replaced; a policy without a search, such as random search, keeps its own
            point where that is allowed, and takes the first candidate otherwise.
        rng: draws the candidates.
        region: the allowed region.

    Raises:
        ValueError: see :meth:`core.spaces.region.Region.spread`.
    """
    candidates = region.spread(rng)
    if not hasattr(policy, "effort"):
        proposed = propose(policy)
        own = region.snap(np.asarray(proposed[0]))
        return proposed if region.allowed(own) else _moved(proposed, candidates[0])
    proposed = propose(_listed(policy, candidates))
    for radius in RADII if region.cells is None else ():
        best = np.asarray(proposed[0])
        proposed = propose(_listed(policy, np.stack([best, *region.around(rng, best, radius)])))
    return proposed


def _moved(proposed: Proposed, point: np.ndarray) -> Any:
    return (jnp.asarray(point), *proposed[1:])


def _listed(policy: Policy, candidates: np.ndarray) -> Policy:
    """The policy with the candidates, repeated up to a fixed number: one compiled program serves all."""
    rows = np.take(candidates, np.arange(_region.CANDIDATES), axis=0, mode="wrap")
    return _with_effort(policy, ListedEffort(jnp.asarray(rows), 0, 0))


def _with_effort(policy: Policy, effort: SearchEffort) -> Policy:
    changed: Policy = eqx.tree_at(lambda p: p.effort, policy, effort)
    return changed
