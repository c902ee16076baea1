"""Levy function, d = 4: a separable function with many local minima.

Source: Levy & Montalvo, "The tunneling algorithm for the global minimization of functions", SIAM Journal on Scientific
and Statistical Computing 6 (1985) 15-29, in the form of the Virtual Library of Simulation Experiments (Surjanovic &
Bingham) and of BoTorch, with their box [-10, 10]^d.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["levy", "levy_problem"]

DIM = 4


def levy(z: Float[Array, " d"]) -> Float[Array, ""]:
    """The Levy function on [-10, 10]^d, to be minimised, with ``w_i = 1 + (z_i - 1) / 4``:

    ``sin^2(pi w_1) + sum_{i < d} (w_i - 1)^2 (1 + 10 sin^2(pi w_i + 1)) + (w_d - 1)^2 (1 + sin^2(2 pi w_d))``.
    """
    w = 1.0 + (z - 1.0) / 4.0
    inner = jnp.sum((w[:-1] - 1.0) ** 2 * (1.0 + 10.0 * jnp.sin(jnp.pi * w[:-1] + 1.0) ** 2))
    last = (w[-1] - 1.0) ** 2 * (1.0 + jnp.sin(2.0 * jnp.pi * w[-1]) ** 2)
    return jnp.sin(jnp.pi * w[0]) ** 2 + inner + last


def levy_problem() -> Problem:
    """Maximise minus the Levy function; 0 at (1, ..., 1).

    The function is a sum of functions of one coordinate each, all of them largest at -10.
    """
    return Problem(
        name="levy4",
        dim=DIM,
        formula=levy,
        sign=-1.0,
        bounds=[[-10.0, 10.0]] * DIM,
        optimum=0.0,
        optimizers=[[1.0] * DIM],
        range=254.89842685553828,
    )
