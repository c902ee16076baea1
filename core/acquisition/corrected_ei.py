"""Corrected expected improvement (Zhou, Ma & Blaschko 2023), B (6)-(8): the incumbent's value is uncertain too.

The improvement ``f(x) - f(x+)`` is Gaussian under the posterior, with mean ``mu(x) - mu(x+)`` and variance

    sigma~^2(x) = sigma^2(x) + sigma^2(x+) - 2 sigma(x, x+).

This sum of nearly equal numbers loses all digits near x+, where the acquisition needs them. With the whitened
cross-covariances ``w(x) = L^{-1} k(x)`` the module computes

    sigma~^2(x) = var(f(x) - f(x+)) - ||w(x) - w(x+)||^2,

the prior variance of the increment (:mod:`core.models.increments`, exact near x+) minus the squared norm of a
difference.
"""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from core.acquisition.normal_tails import log_tau, tau
from core.models.gaussian_process import GaussianProcess
from core.models.increments import increment_variance
from core.numerics import root

__all__ = [
    "corrected_expected_improvement",
    "corrected_gain_and_variance",
    "corrected_standard_deviation",
    "log_corrected_expected_improvement",
    "standardized_gain",
]


def corrected_gain_and_variance(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """Posterior mean and variance of ``f(x) - f(x+)``: ``mu(x) - mu(x+)`` and ``sigma~^2(x) >= 0``.

    At x = x+ the variance is exactly zero, the mean is zero to rounding.
    """
    difference = (process.cross_covariance(x) - process.cross_covariance(incumbent)) @ process.whitener
    prior = increment_variance(process.kernel, x, incumbent, process.lengthscale, process.variance)
    return difference @ process.whitened, jnp.maximum(prior - difference @ difference, 0.0)


def corrected_standard_deviation(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> Float[Array, ""]:
    """``sigma~(x)``, the posterior standard deviation of ``f(x) - f(x+)``; zero at x+, with gradient zero there."""
    _, variance = corrected_gain_and_variance(x, process, incumbent)
    return root(variance)


def standardized_gain(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> tuple[Float[Array, ""], Float[Array, ""], Bool[Array, ""]]:
    """``z~(x) = (mu(x) - mu(x+)) / sigma~(x)``, ``sigma~(x)``, and True where it is positive; a zero counts as one."""
    gain, variance = corrected_gain_and_variance(x, process, incumbent)
    uncertain = variance > 0.0
    deviation = jnp.sqrt(jnp.where(uncertain, variance, 1.0))
    return gain / deviation, deviation, uncertain


def corrected_expected_improvement(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> Float[Array, ""]:
    """B (7), (8): ``sigma~ tau(z~) = E max(f(x) - f(x+), 0)``, ``z~ = (mu(x) - mu(x+)) / sigma~``.

    Zero where sigma~ = 0, as the paper sets it.

    Args:
        x: a point, shape (d,).
        process: the posterior.
        incumbent: x+, shape (d,); any point, observed or not.
    """
    z, deviation, uncertain = standardized_gain(x, process, incumbent)
    return jnp.where(uncertain, deviation * tau(z), 0.0)


def log_corrected_expected_improvement(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> Float[Array, ""]:
    """Logarithm of :func:`corrected_expected_improvement`; minus infinity, with gradient zero, where sigma~ = 0."""
    z, deviation, uncertain = standardized_gain(x, process, incumbent)
    return jnp.where(uncertain, jnp.log(deviation) + log_tau(z), -jnp.inf)
