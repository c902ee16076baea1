"""Probability of improvement (Kushner 1964), and corrected by the incumbent's own uncertainty (Ma et al. 2019).

``PI(x) = P(f(x) > mu(x+))`` treats the incumbent's posterior mean as known; the corrected form is the probability
``P(f(x) > f(x+))`` under the joint posterior.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from core.acquisition.corrected_ei import standardized_gain
from core.acquisition.expected_improvement import gain_and_deviation
from core.acquisition.normal_tails import log_ndtr, ndtr
from core.models.gaussian_process import GaussianProcess

__all__ = [
    "corrected_probability_of_improvement",
    "log_corrected_probability_of_improvement",
    "log_probability_of_improvement",
    "probability_of_improvement",
]


def probability_of_improvement(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> Float[Array, ""]:
    """``Phi(z)``, ``z = (mu(x) - mu(x+)) / sigma(x)``."""
    gain, deviation = gain_and_deviation(x, process, incumbent)
    return ndtr(gain / deviation)


def log_probability_of_improvement(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> Float[Array, ""]:
    """``log Phi(z)``, with a gradient however far below the incumbent x is."""
    gain, deviation = gain_and_deviation(x, process, incumbent)
    return log_ndtr(gain / deviation)


def corrected_probability_of_improvement(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> Float[Array, ""]:
    """``Phi(z~)``, ``z~ = (mu(x) - mu(x+)) / sigma~(x)`` (see :mod:`core.acquisition.corrected_ei`).

    Zero where sigma~ = 0: at x+ no improvement on f(x+) is possible. As x approaches x+ the value tends to a number
    that depends on the direction (one half across the slope of the posterior mean).
    """
    z, _, uncertain = standardized_gain(x, process, incumbent)
    return jnp.where(uncertain, ndtr(z), 0.0)


def log_corrected_probability_of_improvement(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> Float[Array, ""]:
    """``log Phi(z~)``; minus infinity, with gradient zero, where sigma~ = 0."""
    z, _, uncertain = standardized_gain(x, process, incumbent)
    return jnp.where(uncertain, log_ndtr(z), -jnp.inf)
