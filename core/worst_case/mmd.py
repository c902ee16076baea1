"""Worst-case expectations over a ball of distributions in maximum mean discrepancy, on a finite set of contexts.

The problem solved (Kirschner, Bogunovic, Jegelka & Krause 2020, eq. (8)), for values ``u_j`` of a function at n
contexts, a reference distribution ``p^`` on them and the kernel matrix M of the contexts:

    minimise  p^T u   subject to  p >= 0,  sum_j p_j = 1,  (p - p^)^T M (p - p^) <= eps^2.

:func:`mmd_worst_distribution` solves it by a primal-dual interior-point method (Boyd & Vandenberghe 2004, section 11.7,
with Mehrotra's predictor and corrector). With d = p - p^, ``g = (eps^2 - d^T M d) / 2`` the slack of the ball, s >= 0
the multipliers of p >= 0, lambda >= 0 that of the ball and nu that of the sum, it solves

    u + lambda M d - s + nu 1 = 0,    1^T d = 0,    s_j p_j = mu,    lambda g = mu    for mu -> 0,

one Cholesky factor an iteration, all in JAX: it runs under ``jit`` and ``vmap``. p is feasible at every iteration, and
the gap ``s^T p + lambda g`` bounds the distance of its value from the minimum.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_solve
from jaxtyping import Array, Bool, Float, Int

from core.models.gaussian_process import cholesky
from core.numerics import TINY, root

__all__ = ["MmdBall", "mmd_worst_case", "mmd_worst_distribution"]

MAX_ITERATIONS = 60
GAP = 1e-9  # gap at which the iteration stops, as a share of the values' range
_TO_BOUNDARY = 0.99  # fraction of the way to the boundary that a step may take
_INTERIOR = 0.5  # largest share of the uniform distribution in the first iterate


class MmdBall(eqx.Module):
    """The ball ``{p : ||p - p^||_M <= eps}`` and the quantities common to all problems on it.

    Attributes:
        kernel_matrix: M, positive semi-definite, shape (n, n).
        reference: p^, a distribution, shape (n,).
        radius: eps >= 0.
        reach: ``||e_j - p^||_M`` of the point masses, shape (n,).
    """

    kernel_matrix: Float[Array, "n n"]
    reference: Float[Array, " n"]
    radius: Float[Array, ""]
    reach: Float[Array, " n"]

    @staticmethod
    def of(
        kernel_matrix: Float[Array, "n n"], reference: Float[Array, " n"], radius: float | Float[Array, ""]
    ) -> "MmdBall":
        """The ball around ``reference``."""
        embedded = kernel_matrix @ reference
        squared = jnp.diagonal(kernel_matrix) - 2.0 * embedded + reference @ embedded
        return MmdBall(kernel_matrix, reference, jnp.asarray(radius, float), root(squared))


class _Iterate(eqx.Module):
    """The iterate: p, its multipliers s and lambda, nu, the gap, and the number of iterations so far."""

    p: Float[Array, " n"]
    s: Float[Array, " n"]
    ball: Float[Array, ""]
    nu: Float[Array, ""]
    gap: Float[Array, ""]
    count: Int[Array, ""]


def mmd_worst_distribution(values: Float[Array, " n"], ball: MmdBall) -> Float[Array, " n"]:
    """A minimiser p; a point mass on a smallest value where the ball reaches it, p^ where eps is zero.

    Its value exceeds the minimum by at most about :data:`GAP` times the range of the values.
    """
    lowest = jnp.argmin(values)
    spread = jnp.max(values) - values[lowest]
    constant = ~(spread > 0.0)
    u = (values - values[lowest]) / jnp.where(constant, 1.0, spread)
    reached = ball.reach[lowest] <= ball.radius
    trivial = constant | reached | (ball.radius <= 0.0)
    start = _start(u, ball)
    # A trivial problem starts finished; its iterate is not used.
    start = eqx.tree_at(lambda iterate: iterate.gap, start, jnp.where(trivial, 0.0, start.gap))
    final = jax.lax.while_loop(_unfinished, lambda iterate: _iterate(iterate, u, ball), start)
    at_lowest = jnp.zeros_like(values).at[lowest].set(1.0)
    p = jnp.where(reached, at_lowest, final.p)
    return jnp.where(constant | (ball.radius <= 0.0), ball.reference, p)


def mmd_worst_case(values: Float[Array, " n"], ball: MmdBall) -> Float[Array, ""]:
    """The minimum; its derivative in ``values`` is the minimising distribution (Danskin)."""
    return mmd_worst_distribution(jax.lax.stop_gradient(values), ball) @ values


def _start(u: Float[Array, " n"], ball: MmdBall) -> _Iterate:
    """p^ mixed with the uniform distribution, so that p > 0 and p lies at most halfway to the sphere."""
    n = u.shape[0]
    away = 1.0 / n - ball.reference
    distance = root(away @ (ball.kernel_matrix @ away))
    share = jnp.minimum(_INTERIOR, _INTERIOR * ball.radius / jnp.maximum(distance, TINY))
    p = ball.reference + share * away
    p = p / jnp.sum(p)
    s = jnp.ones(n)
    multiplier = jnp.ones(())
    gap = s @ p + multiplier * _slack(p, ball)
    return _Iterate(p, s, multiplier, jnp.zeros(()), gap, jnp.asarray(0))


def _slack(p: Float[Array, " n"], ball: MmdBall) -> Float[Array, ""]:
    """``g = (eps^2 - d^T M d) / 2``."""
    d = p - ball.reference
    return 0.5 * (ball.radius**2 - d @ (ball.kernel_matrix @ d))


def _unfinished(iterate: _Iterate) -> Bool[Array, ""]:
    return (iterate.gap > GAP) & (iterate.count < MAX_ITERATIONS)


def _largest_step(values: Float[Array, " n"], steps: Float[Array, " n"]) -> Float[Array, ""]:
    """The largest step length up to one along which the values stay non-negative."""
    shrinking = steps < 0.0
    return jnp.minimum(1.0, jnp.min(jnp.where(shrinking, -values / jnp.where(shrinking, steps, -1.0), jnp.inf)))


def _iterate(now: _Iterate, u: Float[Array, " n"], ball: MmdBall) -> _Iterate:
    """One predictor and corrector step; p, s, lambda and nu move by the same step length.

    With ``h = M d`` and the products s p and lambda g to become a and b, eliminating ds and dlambda from the linearised
    conditions leaves, for dp, dnu and ``kappa = (lambda / g) h^T dp``,

        (lambda M + diag(s / p)) dp + kappa h + dnu 1 = r = -(u + nu 1 - a / p + (b / g) h + c),
        h^T dp = (g / lambda) kappa,    1^T dp = 0,

    where c is the corrector's estimate of the dual residual's curvature, ``dlambda M dp`` of the predictor. The matrix
    is scaled by ``sqrt(p / s)`` from both sides, which turns its diagonal part into the identity: no eigenvalue is
    below one, and the Cholesky factor exists whatever M is.
    """
    n = u.shape[0]
    h = ball.kernel_matrix @ (now.p - ball.reference)
    g = _slack(now.p, ball)
    scale = jnp.sqrt(now.p / now.s)
    factor = cholesky(scale[:, None] * (now.ball * ball.kernel_matrix) * scale[None, :] + jnp.eye(n))

    def solve(right: Float[Array, " n"]) -> Float[Array, " n"]:
        return scale * cho_solve((factor, True), scale * right)

    to_one, to_h = solve(jnp.ones(n)), solve(h)
    hh, h1, one = h @ to_h + g / now.ball, jnp.sum(to_h), jnp.sum(to_one)

    def direction(
        a: Float[Array, " n"], b: Float[Array, ""], c: Float[Array, " n"]
    ) -> tuple[Float[Array, " n"], Float[Array, " n"], Float[Array, ""], Float[Array, ""], Float[Array, ""]]:
        """The Newton step in p, s, lambda and nu, and the largest step length inside the constraints."""
        moved = -solve(u + now.nu - a / now.p + (b / g) * h + c)
        along, total = h @ moved, jnp.sum(moved)
        kappa = (along - total * h1 / one) / (hh - h1 * h1 / one)
        nu = (total - kappa * h1) / one
        p = moved - kappa * to_h - nu * to_one
        s = (a - now.s * p) / now.p - now.s
        slope = h @ p
        multiplier = b / g + kappa - now.ball
        curvature = p @ (ball.kernel_matrix @ p)
        largest = slope + jnp.sqrt(slope**2 + 2.0 * g * curvature)
        to_sphere = jnp.minimum(1.0, 2.0 * g / jnp.maximum(largest, TINY))
        inside = jnp.minimum(_largest_step(now.p, p), _largest_step(now.s, s))
        length = jnp.minimum(jnp.minimum(inside, to_sphere), _largest_step(now.ball[None], multiplier[None]))
        return p, s, multiplier, nu, length

    p_step, s_step, ball_step, _, length = direction(jnp.zeros(n), jnp.zeros(()), jnp.zeros(n))
    complementarity = now.s @ now.p + now.ball * g
    trial = now.p + length * p_step
    affine = (now.s + length * s_step) @ trial + (now.ball + length * ball_step) * _slack(trial, ball)
    target = jnp.clip(affine / complementarity, 0.0, 1.0) ** 3 * complementarity / (n + 1)
    curved = ball.kernel_matrix @ p_step
    a = target - s_step * p_step
    b = target + ball_step * (h @ p_step) + 0.5 * now.ball * (p_step @ curved)
    p_step, s_step, ball_step, nu_step, length = direction(a, b, ball_step * curved)
    length = _TO_BOUNDARY * length
    p, s = now.p + length * p_step, now.s + length * s_step
    p = p / jnp.sum(p)
    multiplier, nu = now.ball + length * ball_step, now.nu + length * nu_step
    residual = u + multiplier * (ball.kernel_matrix @ (p - ball.reference)) - s + nu
    gap = s @ p + multiplier * _slack(p, ball) + jnp.max(jnp.abs(residual))
    # Where rounding has the last word, the previous iterate, which is feasible, is the answer.
    stop = eqx.tree_at(lambda iterate: iterate.count, now, jnp.asarray(MAX_ITERATIONS))
    sound = jnp.isfinite(gap) & jnp.all(p >= 0.0) & (_slack(p, ball) > 0.0)
    following = _Iterate(p, s, multiplier, nu, gap, now.count + 1)
    return jax.tree.map(lambda new, old: jnp.where(sound, new, old), following, stop)
