"""Rosenbrock function, any d >= 2: a curved, nearly flat valley.

Source: Rosenbrock, "An automatic method for finding the greatest or least value of a function", The Computer Journal 3
(1960) 175-184, and its usual generalisation to d variables. The papers do not print the box: we take [-5, 10]^d, the
default of the Virtual Library of Simulation Experiments (Surjanovic & Bingham) and of BoTorch.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.checks import require
from experiments.problems.problem import Problem

__all__ = ["rosenbrock", "rosenbrock_problem"]


def rosenbrock(z: Float[Array, " d"]) -> Float[Array, ""]:
    """``sum_{i < d} 100 (z_{i+1} - z_i^2)^2 + (z_i - 1)^2`` on [-5, 10]^d, to be minimised."""
    return jnp.sum(100.0 * (z[1:] - z[:-1] ** 2) ** 2 + (z[:-1] - 1.0) ** 2)


def rosenbrock_problem(dim: int = 4) -> Problem:
    """Maximise minus the Rosenbrock function; 0 at (1, ..., 1).

    The function is largest at (10, ..., 10, -5): each of the d - 2 inner terms is 100 * 90^2 + 81 and the last one
    100 * 105^2 + 81. (A term reaches 105^2 only where z_{i+1} = -5, after which the next one is at most 30^2, so that
    only the last can gain by it.) Four dimensions in the paper.

    Raises:
        ValueError: dim below 2.
    """
    require(dim >= 2, f"dim: rosenbrock is defined for dim >= 2, got {dim}")
    return Problem(
        name=f"rosenbrock{dim}",
        dim=dim,
        formula=rosenbrock,
        sign=-1.0,
        bounds=[[-5.0, 10.0]] * dim,
        optimum=0.0,
        optimizers=[[1.0] * dim],
        range=1102581.0 + 810081.0 * (dim - 2),
    )
