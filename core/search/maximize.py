"""Maximisation of an acquisition over a box: raw candidates, then bounded BFGS from the best of them.

The problem solved is ``max a(x) subject to lower <= x <= upper`` for a cheap, almost everywhere differentiable,
possibly flat, multi-modal or infinite acquisition a. All of it is pure JAX: it runs inside ``jit`` and under ``vmap``.

Bounds are removed by ``x = lower + (upper - lower) (1 + sin z) / 2``, under which a maximum on a face of the box is a
stationary point in z; starts are moved strictly inside, because the map has zero slope on the faces.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from core.numerics import nan_as_lowest
from core.search.bfgs import minimise_from_each
from core.search.sobol import sobol_points

__all__ = ["BatchFunction", "Maximum", "bounded_bfgs", "candidate_lattice", "maximize", "shift_lattice"]

ScalarFunction = Callable[[Float[Array, " d"]], Float[Array, ""]]
BatchFunction = Callable[[Float[Array, "m d"]], Float[Array, " m"]]

MARGIN = 1e-3  # starts are kept this fraction of the box away from its faces
TOLERANCE = 1e-6  # relative and absolute tolerance of BFGS, on an objective scaled to a range of about one


class Maximum(eqx.Module):
    """Result of :func:`maximize`.

    Attributes:
        x: the maximiser found, inside the box, shape (d,).
        value: the acquisition there; plus infinity where the box holds unexplored points.
        raw_value: the largest value over the raw candidates (never above ``value``).
    """

    x: Float[Array, " d"]
    value: Float[Array, ""]
    raw_value: Float[Array, ""]


def candidate_lattice(count: int, dim: int) -> Float[Array, "m d"]:
    """The first ``count`` points of the Sobol sequence in the unit cube (``count`` a power of two for balance)."""
    exponent = int(np.ceil(np.log2(max(count, 1))))
    return jnp.asarray(sobol_points(exponent, dim)[:count])


def shift_lattice(key: PRNGKeyArray, lattice: Float[Array, "m d"]) -> Float[Array, "m d"]:
    """Cranley-Patterson rotation: the lattice shifted by a uniform random vector, modulo one."""
    return jnp.mod(lattice + jax.random.uniform(key, (1, lattice.shape[1])), 1.0)


def bounded_bfgs(
    objective: ScalarFunction,
    starts: Float[Array, "k d"],
    lower: Float[Array, " d"],
    upper: Float[Array, " d"],
    max_steps: int = 200,
    centre: float | Float[Array, ""] = 0.0,
    scale: float | Float[Array, ""] = 1.0,
    tolerance: float = TOLERANCE,
) -> tuple[Float[Array, "k d"], Float[Array, " k"]]:
    """Local maxima of ``objective`` in the box, one BFGS run a start, vmapped.

    Args:
        objective: function of one point, differentiable almost everywhere.
        starts: starting points in the box.
        lower, upper: the box.
        max_steps: the largest number of iterations, at least one; a run that has not converged by then returns its last
            point.
        centre, scale: a typical value of the objective and a positive number about as large as its variation. BFGS
            works on ``arcsinh((objective - centre) / scale)``, which has the same maximisers, is as good as linear
            within the scale and logarithmic beyond it: bonuses that grow exponentially away from the data stay tame.
        tolerance: relative and absolute tolerance on the step and on the transformed objective.

    Returns:
        The points reached and their objective values (minus infinity in place of NaN).
    """
    width = upper - lower

    def to_box(z: Float[Array, " d"]) -> Float[Array, " d"]:
        return lower + width * (0.5 * (1.0 + jnp.sin(z)))

    def loss(z: Float[Array, " d"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        value = objective(to_box(z))
        return -jnp.arcsinh((value - centre) / scale), value

    def from_box(x: Float[Array, " d"]) -> Float[Array, " d"]:
        return jnp.arcsin(2.0 * jnp.clip((x - lower) / width, MARGIN, 1.0 - MARGIN) - 1.0)

    found, values = minimise_from_each(loss, jax.vmap(from_box)(starts), max_steps, tolerance)
    points = jax.vmap(lambda z: jnp.clip(to_box(z), lower, upper))(found)
    return points, nan_as_lowest(values)


def maximize(
    acquisition: ScalarFunction,
    candidates: Float[Array, "m d"],
    *,
    starts: int = 8,
    near: Float[Array, "k d"] | None = None,
    distance: ScalarFunction | None = None,
    lower: Float[Array, " d"] | None = None,
    upper: Float[Array, " d"] | None = None,
    max_steps: int = 200,
    together: BatchFunction | None = None,
) -> Maximum:
    """Maximise over a box: score all candidates, refine the best ``starts`` by BFGS, return the best point seen.

    The result is never below the best raw candidate. NaN counts as minus infinity. Where some candidate has value plus
    infinity (an unexplored region, W_t(x) = 0), the maximum is infinite and the point returned is the one farthest
    from the data: ``distance`` is maximised instead. A flat acquisition returns its first best candidate.

    Args:
        acquisition: formula of one point.
        candidates: raw candidates inside the box, shape (m, d).
        starts: number of the best candidates that are refined (at most m); 0 for none.
        near: further candidates, shape (k, d), close to each other: half of the starts are the best of them, the other
            half the best of ``candidates``, so that neither crowds out the other.
        distance: distance of a point to the data; needed only by acquisitions that can be plus infinity.
        lower, upper: the box; the unit cube by default.
        max_steps: the largest number of BFGS iterations.
        together: the acquisition of many points at once, in less time or memory than one by one, for scoring.
    """
    dim = candidates.shape[1]
    lower = jnp.zeros(dim) if lower is None else lower
    upper = jnp.ones(dim) if upper is None else upper
    everywhere = candidates.shape[0]
    candidates = candidates if near is None else jnp.concatenate([candidates, near])
    values = nan_as_lowest(jax.vmap(acquisition)(candidates) if together is None else together(candidates))
    objective, scores, unexplored = _explore_first(acquisition, distance, candidates, values, together is not None)

    order = jnp.argsort(-scores)  # stable: the first of equals stays first
    point, score = candidates[order[0]], scores[order[0]]
    if starts > 0:
        chosen = order[: min(starts, candidates.shape[0])]
        if near is not None:
            close = starts // 2
            far, closest = jnp.argsort(-scores[:everywhere]), everywhere + jnp.argsort(-scores[everywhere:])
            chosen = jnp.concatenate([far[: starts - close], closest[:close]])
        centre, scale = _centre_and_scale(scores[order][::-1])
        refined, refined_scores = bounded_bfgs(objective, candidates[chosen], lower, upper, max_steps, centre, scale)
        best = jnp.argmax(refined_scores)
        better = refined_scores[best] > score
        point, score = jnp.where(better, refined[best], point), jnp.where(better, refined_scores[best], score)
    value = jnp.where(unexplored, jnp.inf, score)
    return Maximum(point, value, jnp.max(values))


def _explore_first(
    acquisition: ScalarFunction,
    distance: ScalarFunction | None,
    candidates: Float[Array, "m d"],
    values: Float[Array, " m"],
    sparing: bool,
) -> tuple[ScalarFunction, Float[Array, " m"], Bool[Array, ""]]:
    """The acquisition, or the distance to the data where some candidate is unexplored.

    Where ``sparing``, distances are computed in that case only, and one by one.
    """
    infinite = values == jnp.inf
    unexplored = jnp.any(infinite)
    if distance is None:
        return acquisition, values, unexplored
    if sparing:
        distances = jax.lax.cond(unexplored, lambda: jax.lax.map(distance, candidates), lambda: jnp.zeros_like(values))
        farness = jnp.where(infinite, distances, -jnp.inf)

        def chosen(x: Float[Array, " d"]) -> Float[Array, ""]:
            return jax.lax.cond(unexplored, distance, acquisition, x)

        return chosen, jnp.where(unexplored, farness, values), unexplored
    farness = jnp.where(infinite, jax.vmap(distance)(candidates), -jnp.inf)

    def objective(x: Float[Array, " d"]) -> Float[Array, ""]:
        return jnp.where(unexplored, distance(x), acquisition(x))

    return objective, jnp.where(unexplored, farness, values), unexplored


def _centre_and_scale(ascending: Float[Array, " m"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """Median and interquartile range of the finite scores; their range, then one, where that is zero.

    Scores come sorted, so the minus infinities stand first (plus infinities have been replaced by distances).
    """
    below = jnp.sum(ascending == -jnp.inf)
    last = ascending.shape[0] - 1
    quartiles = ascending[jnp.minimum(below + ((last - below) * jnp.asarray([0, 1, 2, 3, 4])) // 4, last)]
    spread, span = quartiles[3] - quartiles[1], quartiles[4] - quartiles[0]
    scale = jnp.where(spread > 0.0, spread, span)
    regular = jnp.isfinite(scale) & (scale > 0.0)
    return jnp.where(jnp.isfinite(quartiles[2]), quartiles[2], 0.0), jnp.where(regular, scale, 1.0)
