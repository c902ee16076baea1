"""Sphere function, any d >= 1: the simplest convex function.

The papers do not print the box: we take [-5.12, 5.12]^d, the default of the Virtual Library of Simulation Experiments
(Surjanovic & Bingham), after De Jong (1975). Its optimum lies exactly in the middle of the box, where a method that
favours centres is flattered.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.checks import require
from experiments.problems.problem import Problem

__all__ = ["sphere", "sphere_problem"]


def sphere(z: Float[Array, " d"]) -> Float[Array, ""]:
    """``sum_i z_i^2`` on [-5.12, 5.12]^d, to be minimised."""
    return jnp.sum(z**2)


def sphere_problem(dim: int = 6) -> Problem:
    """Maximise minus the sphere function; 0 at the origin; range ``5.12^2 d``. Six dimensions in the paper.

    Raises:
        ValueError: dim below 1.
    """
    require(dim >= 1, f"dim: sphere is defined for dim >= 1, got {dim}")
    return Problem(
        name=f"sphere{dim}",
        dim=dim,
        formula=sphere,
        sign=-1.0,
        bounds=[[-5.12, 5.12]] * dim,
        optimum=0.0,
        optimizers=[[0.0] * dim],
        range=26.2144 * dim,
    )
