"""Maximisation of a costly objective over the unit cube, with the help of cheaper objectives that resemble it.

The objectives of this project's methods for random contexts are functionals of m = 1,024 values or more a point. Each
has a coarse version, from a few of these values, and a model, which is closer and costlier, from some more. The search
is that of :func:`core.search.maximize.maximize`, raw candidates and then bounded BFGS from the best of them, as
successive halving over versions that come closer: each round refines fewer points, and better.

1. The coarse objective at all raw candidates, and at points that the caller gives (``anchors``): the observed
   decisions, around which the coarse objective may be off and maxima are narrow.
2. BFGS on the coarse objective from the best ``starts``: a few steps, then the rest from the best ``survivors``.
3. The model at the best points reached, at the best raw candidate and at the best anchors; BFGS on the model from the
   best ``polished``.
4. The fine objective at the best ``compared`` of the points reached. From the best of these, BFGS on approximations
   that have the fine objective's value and slope where they begin (``near``), again and again until they have its value
   where they end and little is gained: the first-order correction of multi-fidelity optimisation (Alexandrov et al.
   1998), which converges to a maximum of the fine objective.

At a sharp ridge, as in StableOpt's objective, BFGS may still stall: the tests then demand a thousandth of the range.
Points that are kept lie apart. The value returned is the largest value of the fine objective that was computed; the
other objectives only decide where to look. On a CPU, points are taken one after another: the working set of one point
fits the cache, which was measured three to five times faster than one batch of all points.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from core.numerics import nan_as_lowest
from core.search.batching import batch
from core.search.maximize import Maximum, ScalarFunction, bounded_bfgs

__all__ = ["StagedEffort", "best_apart", "maximize_in_stages"]


COARSE_TOLERANCE = 1e-4  # tolerance of BFGS; a coarse maximum is only a starting point
FINE_TOLERANCE = 1e-7
GAIN, NEGLIGIBLE = 1e-7, 1e-9
"""Tolerances as shares of the scale. The last stage goes on where it gained more than the first, because BFGS may stop
early at a kink, or where the error of an approximation at its end was larger than the second."""


class StagedEffort(eqx.Module):
    """The effort of the stages, beyond the raw candidates and starts of a :class:`core.policies.base.SearchEffort`.

    Attributes:
        first_steps: the largest number of BFGS iterations on the coarse objective, in the first round.
        survivors: number of the points reached that go into the second round.
        coarse_steps: the same in the second round.
        anchors: number of the given points that the model scores.
        polished: number of points refined on the model.
        model_steps: the largest number of BFGS iterations on the model.
        compared: number of the points reached there that the fine objective scores.
        corrections: the largest number of refinements of the best of these, each on an approximation that is exact at
            its start.
        fine_steps: the largest number of BFGS iterations on each: at a kink, many short steps.
        apart: distance in the unit cube, in every coordinate, under which two points count as one.
    """

    first_steps: int = eqx.field(static=True, default=3)
    survivors: int = eqx.field(static=True, default=12)
    coarse_steps: int = eqx.field(static=True, default=10)
    anchors: int = eqx.field(static=True, default=6)
    polished: int = eqx.field(static=True, default=4)
    model_steps: int = eqx.field(static=True, default=8)
    compared: int = eqx.field(static=True, default=2)
    corrections: int = eqx.field(static=True, default=6)
    fine_steps: int = eqx.field(static=True, default=40)
    apart: float = eqx.field(static=True, default=0.02)


def maximize_in_stages(
    coarse: ScalarFunction,
    model: ScalarFunction,
    near: Callable[[Float[Array, " d"]], ScalarFunction],
    fine: ScalarFunction,
    candidates: Float[Array, "m d"],
    starts: int,
    effort: StagedEffort,
    anchors: Float[Array, "a d"],
) -> Maximum:
    """Maximise ``fine`` over the unit cube by the method of the module's docstring.

    NaN counts as minus infinity. The objectives must be finite or NaN. ``raw_value`` of the result is the fine
    objective's before the last stage's BFGS.

    Args:
        coarse, model, fine: the objective in three versions, in the same unit.
        near: an approximation of ``fine`` with its value and slope at a given point.
        candidates: raw candidates in the unit cube, shape (m, d).
        starts: number of the best candidates that are refined on the coarse objective (at most m).
        effort: the rest of the budget.
        anchors: further points of the unit cube to score, shape (a, d).
    """
    raw = nan_as_lowest(batch(coarse, candidates))
    order = jnp.argsort(-raw)  # stable: the first of equals stays first
    centre = raw[order[raw.shape[0] // 2]]
    spread = raw[order[0]] - centre
    scale = jnp.where(jnp.isfinite(spread) & (spread > 0.0), spread, 1.0)
    centre = jnp.where(jnp.isfinite(centre), centre, 0.0)

    def refine(
        objective: ScalarFunction, start: Float[Array, " d"], steps: int, tolerance: float
    ) -> tuple[Float[Array, " d"], Float[Array, ""]]:
        dim = start.shape[0]
        found = bounded_bfgs(objective, start[None], jnp.zeros(dim), jnp.ones(dim), steps, centre, scale, tolerance)
        return found[0][0], found[1][0]

    def best(points: Float[Array, "k d"], scores: Float[Array, " k"], count: int) -> tuple[Array, Array]:
        kept = best_apart(points, scores, min(count, points.shape[0]), effort.apart)
        return points[kept], scores[kept]

    points = candidates[order[: min(starts, candidates.shape[0])]]
    for steps in (effort.first_steps, effort.coarse_steps):
        reached, heights = batch(lambda x, n=steps: refine(coarse, x, n, COARSE_TOLERANCE), points)
        points, _ = best(reached, heights, effort.survivors)
    given, _ = best(anchors, nan_as_lowest(batch(coarse, anchors)), effort.anchors)
    points = jnp.concatenate([candidates[order[:1]], points, given])
    points, levels = best(points, nan_as_lowest(batch(model, points)), effort.polished)
    reached, heights = batch(lambda x: refine(model, x, effort.model_steps, COARSE_TOLERANCE), points)
    # Starts on a face are moved inside, which may lose more than is gained.
    reached = jnp.where((heights >= levels)[:, None], reached, points)
    points, _ = best(reached, jnp.maximum(heights, levels), effort.compared)
    values = nan_as_lowest(batch(fine, points))
    begun = jnp.argmax(values)

    def again(carry: tuple[Array, Array, Array, Array]) -> tuple[Array, Array, Array, Array]:
        count, x, value, _ = carry
        point, level = refine(near(x), x, effort.fine_steps, FINE_TOLERANCE)
        reached = nan_as_lowest(fine(point))
        better, gain, off = reached > value, reached - value, jnp.abs(reached - level)
        more = better & ((gain > GAIN * scale) | (off > NEGLIGIBLE * scale))
        return count + 1, jnp.where(better, point, x), jnp.where(better, reached, value), more

    def promising(carry: tuple[Array, Array, Array, Array]) -> Array:
        return carry[3] & (carry[0] < effort.corrections)

    start = (jnp.asarray(0), points[begun], values[begun], jnp.isfinite(values[begun]))
    _, x, value, _ = jax.lax.while_loop(promising, again, start)
    return Maximum(x, value, values[begun])


def best_apart(points: Float[Array, "m d"], scores: Float[Array, " m"], count: int, distance: float) -> Array:
    """Indices of the best points, none within ``distance`` of a better one (the best again where none is left)."""
    remaining, chosen = scores, []
    first = jnp.argmax(scores)
    for _ in range(count):
        index = jnp.where(jnp.any(remaining > -jnp.inf), jnp.argmax(remaining), first)
        chosen.append(index)
        close = jnp.max(jnp.abs(points - points[index][None]), axis=1) <= distance
        remaining = jnp.where(close, -jnp.inf, remaining)
    return jnp.stack(chosen)
