"""Expected improvement over the incumbent's posterior mean, B (5).

Jones, Schonlau & Welch (1998); with the posterior mean as incumbent value, Wang & de Freitas (2014). The incumbent is
the observed point ``x+ = argmax_i mu(x_i)``; its value ``mu(x+)`` is treated as known.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from core.acquisition.normal_tails import log_tau, tau
from core.models.gaussian_process import GaussianProcess

__all__ = ["expected_improvement", "gain_and_deviation", "incumbent_index", "log_expected_improvement"]


def incumbent_index(process: GaussianProcess) -> Int[Array, ""]:
    """Row of ``x+ = argmax_i mu(x_i)``, the observed point of largest posterior mean; the first of equals."""
    means = jax.vmap(process.mean)(process.x)
    return jnp.argmax(jnp.where(process.mask, means, -jnp.inf))


def gain_and_deviation(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """``mu(x) - mu(x+)`` and ``sigma(x)``; the latter at least ``1e-10`` prior standard deviations."""
    mean, deviation = process.mean_and_deviation(x)
    return mean - process.mean(incumbent), deviation


def expected_improvement(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> Float[Array, ""]:
    """B (5): ``sigma(x) phi(z) + (mu(x) - mu(x+)) Phi(z)`` with ``z = (mu(x) - mu(x+)) / sigma(x)``.

    The value at sigma = 0 is the limit, ``max(mu(x) - mu(x+), 0)``.

    Args:
        x: a point, shape (d,).
        process: the posterior.
        incumbent: x+, shape (d,).
    """
    gain, deviation = gain_and_deviation(x, process, incumbent)
    return deviation * tau(gain / deviation)


def log_expected_improvement(
    x: Float[Array, " d"], process: GaussianProcess, incumbent: Float[Array, " d"]
) -> Float[Array, ""]:
    """Logarithm of :func:`expected_improvement`, with a gradient however far below the incumbent x is.

    Where sigma = 0 and the mean is below the incumbent's, the value is a large negative number with a finite gradient.
    """
    gain, deviation = gain_and_deviation(x, process, incumbent)
    return jnp.log(deviation) + log_tau(gain / deviation)
