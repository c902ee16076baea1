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
from core.search.batching import batch
from core.search.sobol import sobol_points

__all__ = ["Maximum", "bounded_bfgs", "candidate_lattice", "maximize", "shift_lattice"]

ScalarFunction = Callable[[Float[Array, " d"]], Float[Array, ""]]

MARGIN = 1e-3  # starts are kept this fraction of the box away from its faces
TOLERANCE = 1e-6  # relative and absolute tolerance of BFGS, on an objective scaled to a range of about one


MANY = 32  # starts from which on the last to end do so by themselves
TOGETHER = 14  # steps before that; of fifty starts on smooth acquisitions four in five had ended by then


class _Run(eqx.Module):
    """A run of BFGS: whether it goes on, where it is, and the arrays of the solver's state."""

    active: Bool[Array, ""]
    z: Float[Array, " d"]
    state: Any


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
    """Where optimistix's BFGS ends from every start.

    Step by step what ``optimistix.minimise`` does under ``vmap``, without its derivative by the implicit function
    theorem: traced through that and batched, a search took twice as long to its first call. All starts advance in one
    batch until each has ended. On a CPU, a single start, and those of ``MANY`` or more that have not ended after
    ``TOGETHER`` steps, go on by themselves: nobody waits for the slowest, and where a line search rejects a point, no
    gradient is computed there.
    """
    import optimistix as optx  # when first needed: its import takes a third of the time of that of JAX

    solver: Any = optx.BFGS(rtol=tolerance, atol=tolerance)
    none: frozenset[object] = frozenset()
    number = jax.ShapeDtypeStruct((), starts.dtype)
    function = eqx.filter_closure_convert(lambda z, args: (loss(z), None), starts[0], None)
    going_on: Any = optx.RESULTS.successful
    state = solver.init(function, starts[0], None, {}, number, None, none)
    state, static = eqx.partition(state, eqx.is_array)

    def first(start: Float[Array, " d"]) -> _Run:
        state = eqx.filter(solver.init(function, start, None, {}, number, None, none), eqx.is_array)
        return _Run(jnp.all(jnp.isfinite(start)), start, state)

    def step(run: _Run) -> _Run:
        reached, state, _ = solver.step(function, run.z, None, {}, eqx.combine(run.state, static), none)
        ended, result = solver.terminate(function, run.z, None, {}, state, none)
        active = run.active & ~ended & (result == going_on) & jnp.all(jnp.isfinite(run.z))
        return _Run(active, reached, eqx.filter(state, eqx.is_array))

    def together(runs: _Run, steps: int) -> _Run:
        def one_more(carry: tuple[Array, _Run]) -> tuple[Array, _Run]:
            count, runs = carry

            def where_active(new: Array, old: Array) -> Array:
                return jnp.where(runs.active.reshape(-1, *[1] * (new.ndim - 1)), new, old)

            return count + 1, jax.tree.map(where_active, jax.vmap(step)(runs), runs)

        return jax.lax.while_loop(lambda c: jnp.any(c[1].active) & (c[0] < steps), one_more, (jnp.asarray(0), runs))[1]

    def alone(run: _Run, steps: int) -> _Run:
        def one_more(carry: tuple[Array, _Run]) -> tuple[Array, _Run]:
            return carry[0] + 1, step(carry[1])

        return jax.lax.while_loop(lambda c: c[1].active & (c[0] < steps), one_more, (jnp.asarray(0), run))[1]

    runs, count = jax.vmap(first)(starts), starts.shape[0]
    some = 0 if count == 1 else TOGETHER if count >= MANY else max_steps
    if jax.default_backend() != "cpu" or some >= max_steps:
        return together(runs, max_steps).z
    if some:
        runs = together(runs, some)
    return batch(lambda run: alone(run, max_steps - some), runs).z


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
