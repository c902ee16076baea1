"""BFGS from many starts at once: local minima of a function of one point, without bounds.

Nocedal and Wright (2006), "Numerical Optimization", algorithm 6.1, with a backtracking line search under Armijo's
condition (their 3.4 and algorithm 3.1). With g the gradient, H the approximate inverse Hessian, at first the identity,
``s = z' - z`` and ``q = g' - g``::

    z' = z - a H g,   a = 1, 1/2, 1/4, ... until l(z') - l(z) <= 0.1 g.s <= 0
    H' = H + (s.q + q.Hq) s s^T / (s.q)^2 - (Hq s^T + s (Hq)^T) / s.q,   where s.q > eps, else H

It ends once step and decrease are within the tolerance. These are the operations of ``optimistix.BFGS``, in its order,
for one vector: a test compares every bit. (In larger programs XLA fuses them otherwise and rounding differs: queries of
whole runs were seen to move by up to 1.4e-9, a thousandth of the tolerance.) Optimistix serves any structure of arrays,
any line search and differentiation through the solution, and a program pays for that as it is traced, lowered and
compiled. Without it `optimize` was measured to take a sixth less time to its first proposal.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

__all__ = ["bfgs_from_each"]

SUFFICIENT_DECREASE = 0.1  # share of the decrease predicted by the slope that a step must bring
BACKTRACKING = 0.5


class _Run(NamedTuple):
    """Where one run stands: its point, the next trial, and what is known at the point."""

    active: Bool[Array, ""]
    first: Bool[Array, ""]
    trial: Float[Array, " d"]
    step_size: Float[Array, ""]
    point: Float[Array, " d"]
    value: Float[Array, ""]
    gradient: Float[Array, " d"]
    inverse_hessian: Float[Array, "d d"]
    direction: Float[Array, " d"]


def bfgs_from_each(
    loss: Callable[[Float[Array, " d"]], Float[Array, ""]],
    starts: Float[Array, "k d"],
    max_steps: int,
    tolerance: float,
) -> Float[Array, "k d"]:
    """Where BFGS ends from every start, in one loop that goes on until all have ended.

    Args:
        loss: formula of one point, differentiable almost everywhere.
        starts: starting points.
        max_steps: evaluations of the loss at most, trials of the line search included.
        tolerance: relative and absolute tolerance on the step and on the loss.

    Returns:
        The last point of every run that a step led to; the start where that or its loss is not finite.
    """

    def one_more(carry: tuple[Int[Array, ""], _Run]) -> tuple[Int[Array, ""], _Run]:
        count, runs = carry
        return count + 1, jax.vmap(lambda run: _step(loss, run, tolerance))(runs)

    def going_on(carry: tuple[Int[Array, ""], _Run]) -> Bool[Array, ""]:
        count, runs = carry
        return jnp.any(runs.active) & (count < max_steps)

    carry = (jnp.asarray(0), jax.vmap(_at)(starts))
    return jax.lax.while_loop(going_on, one_more, carry)[1].point


def _at(start: Float[Array, " d"]) -> _Run:
    """A run whose first trial is its start."""
    one, zero, none = jnp.ones((), start.dtype), jnp.zeros((), start.dtype), jnp.zeros_like(start)
    identity = jnp.eye(start.shape[0], dtype=start.dtype)
    active = jnp.all(jnp.isfinite(start))
    return _Run(active, jnp.asarray(True), start, one, start, zero, none, identity, none)


def _step(loss: Callable[[Float[Array, " d"]], Float[Array, ""]], run: _Run, tolerance: float) -> _Run:
    """The run after one trial, which is accepted or halves the next step; a run that has ended stays."""
    value, gradient = jax.value_and_grad(loss)(run.trial)
    step = run.trial - run.point
    predicted = jnp.dot(run.gradient, step, precision="highest")
    enough = value - run.value <= SUFFICIENT_DECREASE * predicted
    accepted = run.first | (enough & (predicted <= 0))
    step_size = jnp.where(accepted, 1.0, BACKTRACKING * run.step_size)

    inverse_hessian = _updated(run.inverse_hessian, step, gradient - run.gradient)
    direction = jnp.matmul(inverse_hessian, gradient, precision="highest")
    small = jnp.max(jnp.abs(jnp.abs(step) / (tolerance + tolerance * jnp.abs(run.trial)))) < 1
    flat = jnp.abs(value - run.value) / (tolerance + tolerance * jnp.abs(value)) < 1

    found = (run.trial, value, gradient, inverse_hessian, direction)
    known = (run.point, run.value, run.gradient, run.inverse_hessian, run.direction)
    point, value, gradient, inverse_hessian, direction = (
        jnp.where(accepted, new, old) for new, old in zip(found, known, strict=True)
    )
    ended = accepted & ~run.first & small & flat
    active = ~ended & jnp.all(jnp.isfinite(run.point))
    trial = point + -step_size * direction
    after = _Run(active, jnp.asarray(False), trial, step_size, point, value, gradient, inverse_hessian, direction)
    kept = run._replace(active=jnp.asarray(False))
    return jax.tree.map(lambda new, old: jnp.where(run.active, new, old), after, kept)


def _updated(
    inverse_hessian: Float[Array, "d d"], step: Float[Array, " d"], change: Float[Array, " d"]
) -> Float[Array, "d d"]:
    """The inverse Hessian after a step that changed the gradient."""
    curvature = jnp.dot(change, step, precision="highest")
    mapped = jnp.matmul(inverse_hessian, change, precision="highest")
    stretch = ((curvature + jnp.dot(change, mapped, precision="highest")) * jnp.outer(step, step)) / curvature**2
    mixed = (jnp.outer(mapped, step) + jnp.outer(step, mapped)) / curvature
    usable = curvature > jnp.finfo(curvature.dtype).eps
    return jnp.where(usable, inverse_hessian + stretch - mixed, inverse_hessian)
