"""The function h1, d = 2: a ripple whose height falls off with the distance from one point.

Source: van Soest & Casius, "The merits of a parallel genetic algorithm in solving hard optimization problems", Journal
of Biomechanical Engineering 125 (2003) 141-146. Ha et al., "Provably Efficient Bayesian Optimization with Unknown
Gaussian Process Hyperparameter Estimation", appendix C, print another denominator, under which the peak is round.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["CENTRE", "h1", "h1_near_problem", "h1_printed", "h1_printed_problem", "h1_problem"]

CENTRE = (8.6998, 6.7665)
BOUNDS = [[-100.0, 100.0], [-100.0, 100.0]]
NEAR_BOUNDS = [[-25.0, 25.0], [-25.0, 25.0]]


def _ripple(z: Float[Array, "2"]) -> Float[Array, ""]:
    """``sin^2(u - v / 8) + sin^2(v + u / 8)``, at most 2."""
    u, v = z
    return jnp.sin(u - v / 8.0) ** 2 + jnp.sin(v + u / 8.0) ** 2


def _squared_distance(z: Float[Array, "2"]) -> Float[Array, ""]:
    return jnp.sum((z - jnp.asarray(CENTRE)) ** 2)


def h1(z: Float[Array, "2"]) -> Float[Array, ""]:
    """``(sin^2(u - v/8) + sin^2(v + u/8)) / (r + 1)`` on [-100, 100]^2, to be maximised; r the distance to the centre.

    The gradient at the centre, where there is none, is that of the ripple.
    """
    squared = _squared_distance(z)
    away = squared > 0.0
    radius = jnp.where(away, jnp.sqrt(jnp.where(away, squared, 1.0)), 0.0)
    return _ripple(z) / (radius + 1.0)


def h1_printed(z: Float[Array, "2"]) -> Float[Array, ""]:
    """The same with the printed denominator, ``sqrt(r^2 + 1)``."""
    return _ripple(z) / jnp.sqrt(_squared_distance(z) + 1.0)


def h1_problem() -> Problem:
    """Maximise h1 on [-100, 100]^2.

    The maximum is at the centre itself: there the ripple is 7.8e-11 below 2, and its slope, below 2e-5, is no match for
    that of the denominator. The smallest value, 0, is taken all over the box, at the origin for one.
    """
    return _on("h1", BOUNDS)


def h1_near_problem() -> Problem:
    """Maximise h1 on [-25, 25]^2, a sixteenth of the area, where it is usually plotted; Ha et al. print no box."""
    return _on("h1_near", NEAR_BOUNDS)


def _on(name: str, bounds: list[list[float]]) -> Problem:
    return Problem(
        name=name,
        dim=2,
        formula=h1,
        sign=1.0,
        bounds=bounds,
        optimum=1.99999999992158,
        optimizers=[CENTRE],
        range=1.99999999992158,
    )


def h1_printed_problem() -> Problem:
    """Maximise h1 as printed: the round peak lies between the centre and the crest of the ripple, 4e-6 away."""
    return Problem(
        name="h1_printed",
        dim=2,
        formula=h1_printed,
        sign=1.0,
        bounds=BOUNDS,
        optimum=1.999999999961094,
        optimizers=[[8.699797501133045, 6.76650365505869]],
        range=1.999999999961094,
    )
