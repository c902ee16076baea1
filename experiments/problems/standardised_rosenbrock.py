"""Rosenbrock function in four dimensions, standardised over its box.

Source: Picheny, Wagner & Ginsbourger, "A benchmark of kriging-based infill criteria for noisy optimization", Structural
and Multidisciplinary Optimization 48 (2013) 607-626, the reference [34] after which Paper A names its functions. Its
box is ours, so that it is the Rosenbrock function but for shift and scale: methods that standardise their outputs make
the same runs on both, and regrets as fractions of the range are the same.
"""

from jaxtyping import Array, Float

from experiments.problems.problem import Problem
from experiments.problems.rosenbrock import rosenbrock, rosenbrock_problem

__all__ = ["standardised_rosenbrock", "standardised_rosenbrock_problem"]

MEAN, DEVIATION = 382658.057227524, 375264.858362295
"""Mean and deviation of the function over the box, as printed in the reference."""


def standardised_rosenbrock(z: Float[Array, "4"]) -> Float[Array, ""]:
    """``(rosenbrock(z) - 382658.057227524) / 375264.858362295`` on [-5, 10]^4, to be minimised."""
    return (rosenbrock(z) - MEAN) / DEVIATION


def standardised_rosenbrock_problem() -> Problem:
    """Maximise minus the standardised Rosenbrock function; 1.019701 at (1, 1, 1, 1)."""
    plain = rosenbrock_problem(4)
    return Problem(
        name="standardised_rosenbrock",
        dim=4,
        formula=standardised_rosenbrock,
        sign=-1.0,
        bounds=plain.bounds,
        optimum=MEAN / DEVIATION,
        optimizers=plain.optimizers,
        range=plain.range / DEVIATION,
    )
