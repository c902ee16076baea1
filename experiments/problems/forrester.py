"""Forrester function, d = 1: one global minimum, one local minimum, and a zero-gradient inflection.

Source: Forrester, Sobester & Keane, "Engineering Design via Surrogate Modelling" (Wiley, 2008), appendix A.1.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["forrester", "forrester_problem"]


def forrester(z: Float[Array, "1"]) -> Float[Array, ""]:
    """``(6 z - 2)^2 sin(12 z - 4)`` on [0, 1], to be minimised."""
    return (6.0 * z[0] - 2.0) ** 2 * jnp.sin(12.0 * z[0] - 4.0)


def forrester_problem() -> Problem:
    """Maximise minus the Forrester function; its largest value, 16 sin 8, is at z = 1."""
    return Problem(
        name="forrester",
        dim=1,
        formula=forrester,
        sign=-1.0,
        bounds=[[0.0, 1.0]],
        optimum=6.0207400557670825,
        optimizers=[[0.7572487578418559]],
        range=21.850472001741192,
    )
