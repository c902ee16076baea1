"""Hartmann function, d = 3: four local minima.

Source: Dixon & Szego, "The global optimization problem: an introduction", Towards Global Optimisation 2
(North-Holland, 1978) 1-15. The literature prints the first entry of the last row of P either as 0.0381 (used here: it
gives the usual minimum -3.862780) or as 0.03815 (minimum -3.862782). The optimiser that is usually quoted beside
0.0381, (0.114614, 0.555649, 0.852547), is that of 0.03815; with 0.0381 its first coordinate is 0.114589.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["hartmann3", "hartmann3_problem"]

ALPHA = (1.0, 1.2, 3.0, 3.2)
A = ((3.0, 10.0, 30.0), (0.1, 10.0, 35.0), (3.0, 10.0, 30.0), (0.1, 10.0, 35.0))
P = ((0.3689, 0.1170, 0.2673), (0.4699, 0.4387, 0.7470), (0.1091, 0.8732, 0.5547), (0.0381, 0.5743, 0.8828))


def hartmann3(z: Float[Array, "3"]) -> Float[Array, ""]:
    """``-sum_i alpha_i exp(-sum_j A_ij (z_j - P_ij)^2)`` on [0, 1]^3, to be minimised."""
    exponents = jnp.sum(jnp.asarray(A) * (z[None, :] - jnp.asarray(P)) ** 2, axis=1)
    return -jnp.sum(jnp.asarray(ALPHA) * jnp.exp(-exponents))


def hartmann3_problem() -> Problem:
    """Maximise minus the Hartmann function; its largest value, -3.7727e-05, is at the corner (1, 1, 0)."""
    return Problem(
        name="hartmann3",
        dim=3,
        formula=hartmann3,
        sign=-1.0,
        bounds=[[0.0, 1.0]] * 3,
        optimum=3.862779787332663,
        optimizers=[[0.11458887665506896, 0.5556488946169301, 0.8525469846866774]],
        range=3.8627420601475214,
    )
