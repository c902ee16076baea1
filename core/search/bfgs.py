"""BFGS with a backtracking line search, from many starts at once.

Minimise a loss f over R^d (Nocedal & Wright 2006, algorithms 3.1 and 6.1). From the accepted point z with gradient g
and inverse Hessian B, started at the identity, the trial point is ``z - a B g``, first with a = 1. A trial point z' is
accepted where

    f(z') - f(z) <= ARMIJO g^T (z' - z)    and    g^T (z' - z) <= 0,

else a is halved. With ``s = z' - z``, ``r = g' - g`` and ``rho = s^T r``, an accepted point changes B to

    B + (rho + r^T B r) s s^T / rho^2 - (B r s^T + s r^T B) / rho,

where rho is above rounding. A run ends where the step and the change of f are below tolerance, absolute and relative.

An iteration computes f once, and its gradient where the point is accepted. A loop holds one copy of each, because most
of a search's compile time is spent on these copies.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from core.search.batching import batch

__all__ = ["MANY", "TOGETHER", "minimise_from_each"]

Loss = Callable[[Float[Array, " d"]], tuple[Float[Array, ""], Float[Array, ""]]]
"""A function from a point to the value to minimise, and a by-product that is kept for the accepted point."""

ARMIJO = 0.1
MANY = 32  # number of starts from which the last runs end by themselves
TOGETHER = 14  # steps before that; four in five of fifty starts on smooth acquisitions had ended by then


class _Run(eqx.Module):
    """The state of a run: flags, the accepted point, and the next trial point.

    Attributes:
        active, first: True while the run goes on, and while it has no accepted point yet.
        point, loss, value, gradient, inverse_hessian: z, f, the by-product, g and B.
        trial, length: ``z - a B g`` and a.
    """

    active: Bool[Array, ""]
    first: Bool[Array, ""]
    point: Float[Array, " d"]
    loss: Float[Array, ""]
    value: Float[Array, ""]
    gradient: Float[Array, " d"]
    inverse_hessian: Float[Array, "d d"]
    trial: Float[Array, " d"]
    length: Float[Array, ""]


def minimise_from_each(
    loss: Loss, starts: Float[Array, "k d"], max_steps: int, tolerance: float
) -> tuple[Float[Array, "k d"], Float[Array, " k"]]:
    """The points where BFGS ends from every start, and the loss's by-product there; NaN where no loss was computed.

    All starts advance in one batch until each has ended. On a CPU a single start goes on by itself, and so do the runs
    of ``MANY`` or more starts that have not ended after ``TOGETHER`` steps: no run waits for the slowest one, and no
    gradient is computed at a point that the line search rejects.

    Args:
        loss: function of one point, differentiable almost everywhere.
        starts: starting points, shape (k, d). A run from a point that is not finite ends there.
        max_steps: the largest number of evaluations of the loss, that at the start included; at least one.
        tolerance: relative and absolute.
    """
    runs, count = jax.vmap(_begin)(starts), starts.shape[0]
    some = 0 if count == 1 else TOGETHER if count >= MANY else max_steps
    if jax.default_backend() != "cpu" or some >= max_steps:
        runs = _together(loss, tolerance, runs, max_steps)
    else:
        if some:
            runs = _together(loss, tolerance, runs, some)
        runs = batch(lambda run: _alone(loss, tolerance, run, max_steps - some), runs)
    return runs.point, runs.value


def _begin(start: Float[Array, " d"]) -> _Run:
    zero, one, nothing = jnp.zeros((), start.dtype), jnp.ones((), start.dtype), jnp.zeros_like(start)
    return _Run(
        active=jnp.all(jnp.isfinite(start)),
        first=jnp.asarray(True),
        point=start,
        loss=zero,
        value=zero + jnp.nan,
        gradient=nothing,
        inverse_hessian=jnp.eye(start.shape[0], dtype=start.dtype),
        trial=start,
        length=one,
    )


def _step(loss: Loss, tolerance: float, run: _Run) -> _Run:
    """The run after its trial point has been tried."""
    trial_loss, pull_back, value = jax.vjp(loss, run.trial, has_aux=True)
    moved = run.trial - run.point
    predicted, change = run.gradient @ moved, trial_loss - run.loss
    accept = run.first | ((change <= ARMIJO * predicted) & (predicted <= 0.0))

    def accepted() -> _Run:
        (gradient,) = pull_back(jnp.ones_like(trial_loss))
        inverse_hessian = _updated(run.inverse_hessian, moved, gradient - run.gradient)
        trial = run.trial - inverse_hessian @ gradient
        small = jnp.all(jnp.abs(moved) < tolerance * (1.0 + jnp.abs(run.trial)))
        ended = small & (jnp.abs(change) < tolerance * (1.0 + jnp.abs(trial_loss))) & ~run.first
        active = run.active & ~ended & jnp.all(jnp.isfinite(trial))
        one = jnp.ones_like(run.length)
        return _Run(active, jnp.asarray(False), run.trial, trial_loss, value, gradient, inverse_hessian, trial, one)

    def rejected() -> _Run:
        length = 0.5 * run.length
        trial = run.point - length * (run.inverse_hessian @ run.gradient)
        return eqx.tree_at(lambda r: (r.trial, r.length), run, (trial, length))

    return jax.lax.cond(accept, accepted, rejected)


def _updated(inverse: Float[Array, "d d"], s: Float[Array, " d"], r: Float[Array, " d"]) -> Float[Array, "d d"]:
    """The inverse Hessian after a step s along which the gradient changed by r."""
    rho, image = r @ s, inverse @ r
    curved = rho > jnp.finfo(rho.dtype).eps
    safe = jnp.where(curved, rho, 1.0)
    raised = (safe + r @ image) * jnp.outer(s, s) / safe**2
    return jnp.where(curved, inverse + raised - (jnp.outer(image, s) + jnp.outer(s, image)) / safe, inverse)


def _together(loss: Loss, tolerance: float, runs: _Run, steps: int) -> _Run:
    def one_more(carry: tuple[Array, _Run]) -> tuple[Array, _Run]:
        count, runs = carry

        def where_active(new: Array, old: Array) -> Array:
            return jnp.where(runs.active.reshape(-1, *[1] * (new.ndim - 1)), new, old)

        return count + 1, jax.tree.map(where_active, jax.vmap(lambda run: _step(loss, tolerance, run))(runs), runs)

    return jax.lax.while_loop(lambda c: jnp.any(c[1].active) & (c[0] < steps), one_more, (jnp.asarray(0), runs))[1]


def _alone(loss: Loss, tolerance: float, run: _Run, steps: int) -> _Run:
    def one_more(carry: tuple[Array, _Run]) -> tuple[Array, _Run]:
        return carry[0] + 1, _step(loss, tolerance, carry[1])

    return jax.lax.while_loop(lambda c: c[1].active & (c[0] < steps), one_more, (jnp.asarray(0), run))[1]
