"""The one-dimensional function of A (9), in Figs 1, 4 and 5.

Source: Zhu et al., "Bayesian Optimization by Kernel Regression and Density-based Exploration", A (9).
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["eq9", "eq9_problem"]


def eq9(z: Float[Array, "1"]) -> Float[Array, ""]:
    """``-exp(-1.4 z) cos(3.5 pi z)`` on [0, 1], to be maximised."""
    return -jnp.exp(-1.4 * z[0]) * jnp.cos(3.5 * jnp.pi * z[0])


def eq9_problem() -> Problem:
    """Maximise A (9). The derivative vanishes where ``tan(3.5 pi z) = -0.4 / pi``: first at
    ``z = (pi - arctan(0.4 / pi)) / (3.5 pi)``, the maximum. The smallest value is -1, at z = 0.
    """
    return Problem(
        name="eq9",
        dim=1,
        formula=eq9,
        sign=1.0,
        bounds=[[0.0, 1.0]],
        optimum=0.6757608313797879,
        optimizers=[[0.27419669379263345]],
        range=1.6757608313797879,
    )
