"""Maximisation over the unit cube of an objective that is dear, with the help of a cheap one that resembles it.

The objectives of this project's methods for random contexts are functionals of m = 1,024 values a point. Their coarse
versions see some 64 of those. The search is that of :func:`core.search.maximize.maximize`, raw candidates and then
bounded BFGS from the best of them, done on the coarse objective; its results are then scored by the fine one, and the
best few, apart from each other, are refined on that:

1. the coarse objective at all raw candidates;
2. BFGS on the coarse objective from the best ``starts`` of them;
3. the fine objective at the best ``finalists`` of the points reached that lie apart, at the best raw candidate, and at
   points that the caller gives (``anchors``), such as those where there are data and a coarse objective may be off;
4. BFGS on the fine objective from the best ``polished`` of these that lie apart.

Where the fine objective has approximations (``closer``, each one closer and dearer than the one before), the first of
them takes its place in 3 and 4, and each other one goes on from the best point reached on the one before, as it sees
it. The fine objective is then computed where that ends. Only where the last approximation is off there, by more than
``CLOSE`` of the scale, it is tilted by the slope that it lacks and refined once more from there: an approximation with
the fine objective's value and slope, as in multi-fidelity optimisation (Alexandrov et al. 1998). Where it is off by
more than ``AGREEMENT``, the fine objective is computed at the best point that 2 reached as well, below which the result
then is not.

Where the coarse objective is as smooth as the fine one, 2 may be done in two rounds (``halving``): a few steps from
every start, the rest from the best ``survivors`` of the points reached that lie apart. It is successive halving: most
starts end in the same few maxima. Where there are many kinks, a few steps tell less: of DRBO-KDE's worst cases over two
context dimensions up to a thousandth of the range was lost.

The value returned is the fine objective's, the largest of all that were computed; the others decide where to look,
never what is reported. On a CPU, points are taken one after another: the working set of one fits the cache, which was
measured three to five times faster than all in one batch.
"""

from collections.abc import Callable, Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from core.numerics import nan_as_lowest
from core.search.batching import batch
from core.search.maximize import Maximum, ScalarFunction, bounded_bfgs

__all__ = ["StagedEffort", "best_apart", "maximize_in_stages"]


COARSE_TOLERANCE = 1e-4  # of BFGS; a coarse maximum is only a place to start from
FINE_TOLERANCE = 1e-7
CLOSE, AGREEMENT = 1e-5, 1e-3
"""Largest difference between the last approximation and the fine objective at the end of the search, as a share of the
scale. The approximation was off by 1e-6 or less, except where a context's lengthscale is a tenth of its cube or
smaller. There up to 2e-5 of the range was lost without the tilt, on data that nearly fix the function, and less than
1e-6 with the tilt."""


class StagedEffort(eqx.Module):
    """How hard the stages search, beyond the raw candidates and starts of a :class:`core.policies.base.SearchEffort`.

    Attributes:
        coarse_steps: BFGS iterations at most on the coarse objective.
        first_steps: the same in the first of two rounds.
        survivors: how many of the points reached go into the second.
        finalists: how many points reached on the coarse objective are scored by the fine one.
        polished: how many points are refined on the fine objective.
        fine_steps: BFGS iterations at most on the fine objective, or on the first of its approximations.
        last_steps: the same on each other approximation, from one point: at a kink, many short steps.
        apart: distance in the unit cube, in every coordinate, under which two points count as one.
    """

    coarse_steps: int = eqx.field(static=True, default=10)
    first_steps: int = eqx.field(static=True, default=3)
    survivors: int = eqx.field(static=True, default=12)
    finalists: int = eqx.field(static=True, default=12)
    polished: int = eqx.field(static=True, default=4)
    fine_steps: int = eqx.field(static=True, default=15)
    last_steps: int = eqx.field(static=True, default=40)
    apart: float = eqx.field(static=True, default=0.02)


def maximize_in_stages(
    coarse: ScalarFunction,
    fine: ScalarFunction,
    candidates: Float[Array, "m d"],
    starts: int,
    effort: StagedEffort,
    near: Callable[[Float[Array, " d"]], ScalarFunction] | None = None,
    closer: Sequence[ScalarFunction] = (),
    halving: bool = False,
    anchors: Float[Array, "a d"] | None = None,
) -> Maximum:
    """Maximise ``fine`` over the unit cube as the module's docstring says.

    NaN counts as minus infinity. The objectives must be finite or NaN.

    ``raw_value`` of the result is the fine objective at the best raw candidate; with ``closer``, at the best point
    reached on the coarse objective, minus infinity where it was not computed there.

    Args:
        coarse, fine: the two objectives, in the same unit.
        candidates: raw candidates in the unit cube, shape (m, d).
        starts: how many of the best are refined on the coarse objective (at most m).
        effort: the rest of the budget.
        near: the objective to refine in place of ``fine`` from a given start: one that agrees with it there and is
            cheaper; its results are scored by ``fine``.
        closer: cheaper approximations of ``fine``, each closer than the one before.
        halving: whether all but the best starts end after ``first_steps``.
        anchors: further points of the unit cube to be scored and, if among the best, refined; none by default.
    """
    raw = nan_as_lowest(batch(coarse, candidates))
    order = jnp.argsort(-raw)  # stable: the first of equals stays first
    best_raw = candidates[order[: min(starts, candidates.shape[0])]]
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

    begun = best_raw
    if halving:
        met, levels = batch(lambda start: refine(coarse, start, effort.first_steps, COARSE_TOLERANCE), best_raw)
        begun = met[best_apart(met, levels, min(effort.survivors, best_raw.shape[0]), effort.apart)]
    reached, heights = batch(lambda start: refine(coarse, start, effort.coarse_steps, COARSE_TOLERANCE), begun)
    chosen = best_apart(reached, heights, min(effort.finalists, reached.shape[0]), effort.apart)
    given = reached[:0] if anchors is None else anchors
    finalists = jnp.concatenate([candidates[order[:1]], reached[chosen], given])
    close = closer[0] if closer else fine
    scores = nan_as_lowest(batch(close, finalists))
    best_few = finalists[best_apart(finalists, scores, min(effort.polished, scores.shape[0]), effort.apart)]
    final, levels = batch(
        lambda start: refine(close if near is None else near(start), start, effort.fine_steps, FINE_TOLERANCE),
        best_few,
    )
    if closer:
        for objective in closer[1:]:
            best = jnp.argmax(nan_as_lowest(batch(objective, final)))
            point, level = refine(objective, final[best], effort.last_steps, FINE_TOLERANCE)
            final, levels = point[None], level[None]
        end = jnp.argmax(levels)
        value = nan_as_lowest(fine(final[end]))
        off = jnp.abs(value - levels[end])

        def tilted(x: Float[Array, " d"]) -> tuple[Float[Array, " d"], Float[Array, ""]]:
            last = closer[-1]
            tilt = jnp.nan_to_num(jax.grad(fine)(x) - jax.grad(last)(x))
            point, _ = refine(lambda z: last(z) + tilt @ (z - x), x, effort.last_steps, FINE_TOLERANCE)
            return point, nan_as_lowest(fine(point))

        point, better = jax.lax.cond(off <= CLOSE * scale, lambda x: (x, value), tilted, final[end])
        other = jax.lax.cond(
            off <= AGREEMENT * scale,
            lambda x: jnp.full_like(value, -jnp.inf),
            lambda x: nan_as_lowest(fine(x)),
            reached[chosen[0]],
        )
        points = jnp.stack([reached[chosen[0]], final[end], point])
        values = jnp.stack([other, value, better])
    else:
        points = jnp.concatenate([finalists, final])
        values = jnp.concatenate([scores, nan_as_lowest(batch(fine, final))])
    best = jnp.argmax(values)
    return Maximum(points[best], values[best], values[0])


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
