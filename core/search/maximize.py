"""Maximisation of an acquisition over a box: raw candidates, then bounded BFGS from the best of them.

The problem solved is ``max a(x) subject to lower <= x <= upper`` for a cheap, almost everywhere differentiable,
possibly flat, multi-modal or infinite acquisition a. All of it is pure JAX: it runs inside ``jit`` and under ``vmap``.

Bounds are removed by ``x = lower + (upper - lower) (1 + sin z) / 2``, under which a maximum on a face of the box is a
stationary point in z; starts are moved strictly inside, because the map has zero slope on the faces.
"""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from core.numerics import nan_as_lowest
from core.search.sobol import sobol_points

__all__ = ["Maximum", "bounded_bfgs", "candidate_lattice", "maximize", "shift_lattice"]

ScalarFunction = Callable[[Float[Array, " d"]], Float[Array, ""]]

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
        max_steps: iterations at most; a run that has not converged by then returns where it is.
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

    def loss(z: Float[Array, " d"]) -> Float[Array, ""]:
        return -jnp.arcsinh((objective(to_box(z)) - centre) / scale)

    def from_box(x: Float[Array, " d"]) -> Float[Array, " d"]:
        return jnp.arcsin(2.0 * jnp.clip((x - lower) / width, MARGIN, 1.0 - MARGIN) - 1.0)

    found = _minimise_from_each(loss, jax.vmap(from_box)(starts), max_steps, tolerance)
    points = jax.vmap(lambda z: jnp.clip(to_box(z), lower, upper))(found)
    values = jax.vmap(objective)(points)
    return points, nan_as_lowest(values)


def _minimise_from_each(
    loss: ScalarFunction, starts: Float[Array, "k d"], max_steps: int, tolerance: float
) -> Float[Array, "k d"]:
    """Where optimistix's BFGS ends from every start, in one loop that goes on until all have ended.

    Step by step what ``optimistix.minimise`` does under ``vmap``, without its derivative by the implicit function
    theorem: traced through that and batched, a search took twice as long to its first call.
    """
    import optimistix as optx  # when first needed: its import takes a third of the time of that of JAX

    solver: Any = optx.BFGS(rtol=tolerance, atol=tolerance)
    none: frozenset[object] = frozenset()
    number = jax.ShapeDtypeStruct((), starts.dtype)
    function = eqx.filter_closure_convert(lambda z, args: (loss(z), None), starts[0], None)
    going_on: Any = optx.RESULTS.successful
    state = solver.init(function, starts[0], None, {}, number, None, none)
    state, static = eqx.partition(state, eqx.is_array)

    def first(start: Float[Array, " d"]) -> Any:
        return eqx.filter(solver.init(function, start, None, {}, number, None, none), eqx.is_array)

    def step(z: Float[Array, " d"], state: Any) -> tuple[Float[Array, " d"], Any, Bool[Array, ""]]:
        reached, state, _ = solver.step(function, z, None, {}, eqx.combine(state, static), none)
        ended, result = solver.terminate(function, z, None, {}, state, none)
        more = ~ended & (result == going_on) & jnp.all(jnp.isfinite(z))
        return reached, eqx.filter(state, eqx.is_array), more

    def one_more(carry: Any) -> Any:
        count, active, z, state = carry
        reached, after, more = jax.vmap(step)(z, state)

        def where_active(new: Array, old: Array) -> Array:
            return jnp.where(active.reshape(-1, *[1] * (new.ndim - 1)), new, old)

        z, state = jax.tree.map(where_active, (reached, after), (z, state))
        return count + 1, active & more, z, state

    active = jnp.all(jnp.isfinite(starts), axis=1)
    carry = (jnp.asarray(0), active, starts, jax.vmap(first)(starts))
    return jax.lax.while_loop(lambda c: jnp.any(c[1]) & (c[0] < max_steps), one_more, carry)[2]


def maximize(
    acquisition: ScalarFunction,
    candidates: Float[Array, "m d"],
    *,
    starts: int = 8,
    distance: ScalarFunction | None = None,
    lower: Float[Array, " d"] | None = None,
    upper: Float[Array, " d"] | None = None,
    max_steps: int = 200,
) -> Maximum:
    """Maximise over a box: score all candidates, refine the best ``starts`` by BFGS, return the best point seen.

    The result is never below the best raw candidate. NaN counts as minus infinity. Where some candidate has value plus
    infinity (an unexplored region, W_t(x) = 0), the maximum is infinite and the point returned is the one farthest
    from the data: ``distance`` is maximised instead. A flat acquisition returns its first best candidate.

    Args:
        acquisition: formula of one point.
        candidates: raw candidates inside the box, shape (m, d).
        starts: how many of the best candidates are refined (at most m); 0 for none.
        distance: distance of a point to the data; needed only by acquisitions that can be plus infinity.
        lower, upper: the box; the unit cube by default.
        max_steps: BFGS iterations at most.
    """
    dim = candidates.shape[1]
    lower = jnp.zeros(dim) if lower is None else lower
    upper = jnp.ones(dim) if upper is None else upper
    values = nan_as_lowest(jax.vmap(acquisition)(candidates))
    objective, scores, unexplored = _explore_first(acquisition, distance, candidates, values)

    order = jnp.argsort(-scores)  # stable: the first of equals stays first
    point, score = candidates[order[0]], scores[order[0]]
    if starts > 0:
        chosen = order[: min(starts, candidates.shape[0])]
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
) -> tuple[ScalarFunction, Float[Array, " m"], Bool[Array, ""]]:
    """The acquisition, or the distance to the data where some candidate is unexplored."""
    infinite = values == jnp.inf
    unexplored = jnp.any(infinite)
    if distance is None:
        return acquisition, values, unexplored
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
