"""GP-UCB (Srinivas et al. 2010), A (A3), and exploration by posterior variance."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from core.models.gaussian_process import GaussianProcess

__all__ = ["gp_ucb", "posterior_deviation"]


def posterior_deviation(x: Float[Array, " d"], process: GaussianProcess) -> Float[Array, ""]:
    """``sigma_t(x)``, the square root of A (A2); its maximiser is the next point of GP-variance exploration."""
    return process.mean_and_deviation(x)[1]


def gp_ucb(x: Float[Array, " d"], process: GaussianProcess, beta: float | Float[Array, ""]) -> Float[Array, ""]:
    """A (A3): ``mu_t(x) + sqrt(beta) sigma_t(x)``."""
    mean, deviation = process.mean_and_deviation(x)
    return mean + jnp.sqrt(jnp.asarray(beta, float)) * deviation
