"""Griewank function, d = 6: a bowl under a ripple of several hundred thousand local minima.

Source: Griewank, "Generalized descent for global optimization", Journal of Optimization Theory and Applications 34
(1981) 11-39. The box [-600, 600]^6 is the original one and the default of BoTorch.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["griewank", "griewank_problem"]

DIM = 6


def griewank(z: Float[Array, " d"]) -> Float[Array, ""]:
    """``sum_i z_i^2 / 4000 - prod_i cos(z_i / sqrt(i)) + 1`` on [-600, 600]^d, to be minimised."""
    roots = jnp.sqrt(jnp.arange(1.0, z.shape[0] + 1.0))
    return jnp.sum(z**2) / 4000.0 - jnp.prod(jnp.cos(z / roots)) + 1.0


def griewank_problem() -> Problem:
    """Maximise minus the Griewank function; 0 at the origin.

    The function is largest at the 64 corners, where it is 540.9959969...: there the bowl alone gives 540, and bringing
    the product of cosines from its value of 0.004 towards -1 costs more of the bowl than it gains.
    """
    return Problem(
        name="griewank6",
        dim=DIM,
        formula=griewank,
        sign=-1.0,
        bounds=[[-600.0, 600.0]] * DIM,
        optimum=0.0,
        optimizers=[[0.0] * DIM],
        range=540.995996902623,
    )
