"""The worst case over a ball of maximum mean discrepancy, approximated by the midpoint of two cheap bounds.

The minimum V(eps) of :mod:`core.worst_case.mmd` is a convex, non-increasing function of the radius with ``V(0) = e``,
the expectation under the reference p^, and ``V(eps) = m``, the smallest value, from ``eps* = ||e_j - p^||_M`` on, j its
index. With the worst-case sensitivity ``S = -V'(0+)``, convexity puts it between a tangent and a chord,

    max(e - eps S, m)  <=  V(eps)  <=  e - (e - m) min(eps / eps*, 1),

and the minimax approximation is their midpoint, whose largest error is the smallest possible for a function with these
bounds alone. In closed form

    S^2 = min over c of (u - c 1)^T M^{-1} (u - c 1),

exact where p^ > 0 everywhere. Otherwise the closed form lets p leave the simplex, and the tangent is a weaker bound.

Kernel matrices of fine grids are numerically singular. S uses ``M + RIDGE I``, with which the tangent may exceed V.
``identity=True`` replaces M by the identity in S alone, the cheap variant of the source.

Source: Tay, Foo, Urano, Leong & Low (2022), "Efficient Distributionally Robust Bayesian Optimization with Worst-case
Sensitivity"; Gotoh, Kim & Lim (2020) for the sensitivity.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.linalg import solve_triangular
from jaxtyping import Array, Float

from core.models.gaussian_process import cholesky
from core.numerics import root
from core.worst_case.mmd import MmdBall

__all__ = ["RIDGE", "ScreenedSensitivity", "Sensitivity", "minimax_bounds", "minimax_worst_case"]

RIDGE = 1e-3
"""The number added to the diagonal of the (unit-diagonal) kernel matrix for the worst-case sensitivity, as in its
source."""


class Sensitivity(eqx.Module):
    """The part of the worst-case sensitivity that all functions on one set of contexts share.

    Attributes:
        factor: lower, ``L L^T = M + RIDGE I``, shape (n, n); empty, (n, 0), for the identity.
        ones: ``L^{-1} 1``, or 1 itself, shape (n,).
    """

    factor: Float[Array, "n r"]
    ones: Float[Array, " n"]

    @staticmethod
    def of(kernel_matrix: Float[Array, "n n"], identity: bool = False) -> "Sensitivity":
        """One Cholesky factor. S is a triangular solve, because S is computed too rarely to pay for an inverse."""
        n = kernel_matrix.shape[0]
        if identity:
            return Sensitivity(jnp.zeros((n, 0)), jnp.ones(n))
        factor = cholesky(kernel_matrix + RIDGE * jnp.eye(n))
        return Sensitivity(factor, solve_triangular(factor, jnp.ones(n), lower=True))

    def __call__(self, values: Float[Array, " n"]) -> Float[Array, ""]:
        """S; its gradient is zero, not NaN, where the values are constant."""
        centred = values - jnp.mean(values)  # constants leave S unchanged, but not its rounding
        whitened = solve_triangular(self.factor, centred, lower=True) if self.factor.shape[1] else centred
        rest = whitened - (whitened @ self.ones) / (self.ones @ self.ones) * self.ones
        return root(rest @ rest)


class ScreenedSensitivity(eqx.Module):
    """S where the tangent of :func:`minimax_bounds` counts, a lower bound of S elsewhere, for far less.

    S is the supremum of ``-d^T u`` over d that sum to zero with ``d^T (M + RIDGE I) d <= 1``. The supremum over d on a
    few of the contexts is the sensitivity of the values there, hence a lower bound. Where the tangent with the lower
    bound is not above the smallest value, the tangent with S is not either, and neither counts.

    Attributes:
        full, few: the sensitivities of all contexts, and of every ``stride``-th.
        ball: the ball.
    """

    full: Sensitivity
    few: Sensitivity
    ball: MmdBall
    stride: int = eqx.field(static=True)

    @staticmethod
    def of(ball: MmdBall, some: int) -> "ScreenedSensitivity":
        """The sensitivity screened by about ``some`` of the contexts."""
        stride = max(ball.reference.shape[0] // some, 1)
        few = Sensitivity.of(ball.kernel_matrix[::stride, ::stride])
        return ScreenedSensitivity(Sensitivity.of(ball.kernel_matrix), few, ball, stride)

    def __call__(self, values: Float[Array, " n"]) -> Float[Array, ""]:
        """S, or the lower bound."""
        least = self.few(values[:: self.stride])
        counts = self.ball.reference @ values - self.ball.radius * least > jnp.min(values)
        return jax.lax.cond(counts, lambda u: self.full(u), lambda _: least, values)


def minimax_bounds(
    values: Float[Array, " n"], ball: MmdBall, sensitivity: Callable[[Float[Array, " n"]], Float[Array, ""]]
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """The tangent and the chord of the module's docstring at ``eps = ball.radius``.

    Args:
        values: u, shape (n,).
        ball: the ball.
        sensitivity: S as a function of the values, such as a :class:`Sensitivity`.
    """
    expectation = ball.reference @ values
    lowest = jnp.argmin(values)
    smallest = values[lowest]
    reach = ball.reach[lowest]
    fraction = jnp.where(ball.radius >= reach, 1.0, ball.radius / jnp.where(reach > 0.0, reach, 1.0))
    tangent = jnp.maximum(expectation - ball.radius * sensitivity(values), smallest)
    chord = expectation - (expectation - smallest) * fraction
    return jnp.minimum(tangent, chord), chord


def minimax_worst_case(
    values: Float[Array, " n"], ball: MmdBall, sensitivity: Callable[[Float[Array, " n"]], Float[Array, ""]]
) -> Float[Array, ""]:
    """The midpoint of the two bounds; the smallest value from ``eps*`` on, the expectation at ``eps = 0``."""
    lower, upper = minimax_bounds(values, ball, sensitivity)
    return 0.5 * (lower + upper)
