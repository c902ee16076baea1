"""Branin's function, d = 2: a valley with three equal minima.

Source: Dixon & Szego, "The global optimization problem: an introduction", Towards Global Optimisation 2 (North-Holland,
1978) 1-15.
"""

import math

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["branin", "branin_problem"]


def branin(z: Float[Array, "2"]) -> Float[Array, ""]:
    """Branin's function on [-5, 10] x [0, 15], to be minimised, with u, v the coordinates:

    ``(v - 5.1 / (4 pi^2) u^2 + 5 / pi u - 6)^2 + 10 (1 - 1 / (8 pi)) cos u + 10``.
    """
    u, v = z
    parabola = v - 5.1 / (4.0 * math.pi**2) * u**2 + 5.0 / math.pi * u - 6.0
    return parabola**2 + 10.0 * (1.0 - 1.0 / (8.0 * math.pi)) * jnp.cos(u) + 10.0


def branin_problem() -> Problem:
    """Maximise minus Branin's function.

    Where cos u = -1 and the parabola vanishes, at u = -pi, pi, 3 pi, the function is ``10 / (8 pi)``. It is largest at
    the corner (-5, 0), 308.129...
    """
    return Problem(
        name="branin",
        dim=2,
        formula=branin,
        sign=-1.0,
        bounds=[[-5.0, 10.0], [0.0, 15.0]],
        optimum=-10.0 / (8.0 * math.pi),
        optimizers=[[k * math.pi, 5.1 / 4.0 * k**2 - 5.0 * k + 6.0] for k in (-1, 1, 3)],
        range=307.7312086538769,
    )
