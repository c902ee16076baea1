"""Standardised logarithm of the Goldstein-Price function, d = 2: six orders of magnitude become two units.

Source: Picheny, Wagner & Ginsbourger, "A benchmark of kriging-based infill criteria for noisy optimization", Structural
and Multidisciplinary Optimization 48 (2013) 607-626, the reference [34] after which Paper A names its functions.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.goldstein_price import goldstein_price, goldstein_price_problem
from experiments.problems.problem import Problem

__all__ = ["log_goldstein_price", "log_goldstein_price_problem"]

MEAN, DEVIATION = 8.6928, 2.4269
"""Mean and deviation of the logarithm over the box, as printed in the reference."""


def log_goldstein_price(z: Float[Array, "2"]) -> Float[Array, ""]:
    """``(log goldstein_price(z) - 8.6928) / 2.4269`` on [-2, 2]^2, to be minimised."""
    return (jnp.log(goldstein_price(z)) - MEAN) / DEVIATION


def log_goldstein_price_problem() -> Problem:
    """Maximise minus the standardised logarithm; extremes lie where those of the Goldstein-Price function do."""
    plain = goldstein_price_problem()
    lowest = -plain.optimum
    return Problem(
        name="log_goldstein_price",
        dim=2,
        formula=log_goldstein_price,
        sign=-1.0,
        bounds=plain.bounds,
        optimum=(MEAN - jnp.log(lowest)) / DEVIATION,
        optimizers=plain.optimizers,
        range=jnp.log((lowest + plain.range) / lowest) / DEVIATION,
    )
