"""Deceptive function, any d >= 1: a narrow peak that wide slopes lead away from.

Source: Gavana, Global Optimization Benchmarks ("Deceptive", http://infinity77.net/global_optimization), as Ha et al.,
"Provably Efficient Bayesian Optimization with Unknown Gaussian Process Hyperparameter Estimation", appendix C, take it.
The third and fourth pieces that they print lack "+ 1" and "+ 4/5" and join neither each other nor the second: here the
continuous function of the source.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.checks import require
from experiments.problems.problem import Problem

__all__ = ["deceptive", "deceptive_problem", "peaks"]

EXPONENT = 2
"""beta; 2 in appendix C."""


def peaks(dim: int) -> tuple[float, ...]:
    """The point ``alpha_i = i / (d + 1)``, where each coordinate's part is largest."""
    return tuple(i / (dim + 1) for i in range(1, dim + 1))


def deceptive(z: Float[Array, " d"]) -> Float[Array, ""]:
    """``-(mean_i g_i(z_i))^2`` on [0, 1]^d, to be minimised, with g_i piecewise linear and continuous:

    ``g(0) = 4/5, g(4 alpha / 5) = 0, g(alpha) = 1, g((1 + 4 alpha) / 5) = 0, g(1) = 4/5``.
    """
    alpha = jnp.asarray(peaks(z.shape[0]))
    left, right = 0.8 * alpha, (1.0 + 4.0 * alpha) / 5.0
    rising = jnp.where(z < left, 0.8 - z / alpha, 5.0 * z / alpha - 4.0)
    falling = jnp.where(z > right, (z - 1.0) / (1.0 - alpha) + 0.8, 5.0 * (z - alpha) / (alpha - 1.0) + 1.0)
    return -(jnp.mean(jnp.where(z <= alpha, rising, falling)) ** EXPONENT)


def deceptive_problem(dim: int = 2) -> Problem:
    """Maximise minus the deceptive function; 1 at alpha, 0 where every part vanishes, at 2^d points.

    At the corners it is 0.64, with slopes down from them to the zeros that surround the peak.

    Raises:
        ValueError: dim below 1.
    """
    require(dim >= 1, f"dim: deceptive is defined for dim >= 1, got {dim}")
    return Problem(
        name=f"deceptive{dim}",
        dim=dim,
        formula=deceptive,
        sign=-1.0,
        bounds=[[0.0, 1.0]] * dim,
        optimum=1.0,
        optimizers=[peaks(dim)],
        range=1.0,
    )
