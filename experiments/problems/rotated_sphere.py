"""Sphere function in six dimensions, shifted, rotated, weighted and standardised: a slanted, elongated bowl.

Source: Picheny, Wagner & Ginsbourger, "A benchmark of kriging-based infill criteria for noisy optimization", Structural
and Multidisciplinary Optimization 48 (2013) 607-626, the reference [34] after which Paper A names its functions. Its
optimum lies on two faces of the box, not in the middle, and no axis of the bowl is one of the box.
"""

import itertools

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["rotated_sphere", "rotated_sphere_problem", "rotation"]

MEAN, DEVIATION = 1745.3796, 899.0367
"""Mean and deviation of the function over the box, as printed in the reference."""

ANGLE = np.pi / 8
SHIFT = (-5.0, -3.0, -1.0, 1.0, 3.0, 5.0)
WEIGHTS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


def rotation() -> np.ndarray:
    """R (6, 6): in every plane (i, j), i < j, in the order of the indices, a turn by 22.5 degrees,
    ``w_i <- w_i cos + w_j sin``, ``w_j <- -w_i sin + w_j cos``."""
    turned = np.eye(6)
    for i, j in itertools.combinations(range(6), 2):
        plane = np.eye(6)
        plane[i, i] = plane[j, j] = np.cos(ANGLE)
        plane[i, j], plane[j, i] = np.sin(ANGLE), -np.sin(ANGLE)
        turned = plane @ turned
    return turned


_ROTATION = rotation()


def rotated_sphere(z: Float[Array, "6"]) -> Float[Array, ""]:
    """``(sum_i 2^i w_i^2 - 1745.3796) / 899.0367``, ``w = R (z + (-5, -3, ..., 5))``, on [-5, 5]^6, to be minimised."""
    w = jnp.asarray(_ROTATION) @ (z + jnp.asarray(SHIFT))
    return (jnp.sum(jnp.asarray(WEIGHTS) * w**2) - MEAN) / DEVIATION


def rotated_sphere_problem() -> Problem:
    """Maximise minus the function; 1.941389 at (5, 3, 1, -1, -3, -5). Convex, so largest at one of the 64 corners."""
    corners = np.array(list(itertools.product((-5.0, 5.0), repeat=6))) + SHIFT
    largest = float(np.max((corners @ _ROTATION.T) ** 2 @ np.array(WEIGHTS)))
    return Problem(
        name="rotated_sphere",
        dim=6,
        formula=rotated_sphere,
        sign=-1.0,
        bounds=[[-5.0, 5.0]] * 6,
        optimum=MEAN / DEVIATION,
        optimizers=[[-shift for shift in SHIFT]],
        range=largest / DEVIATION,
    )
