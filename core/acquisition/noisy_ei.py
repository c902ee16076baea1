"""Noisy expected improvement (Letham, Karrer, Ottoni & Bakshy 2019): EI averaged over noise-free models.

Each model interpolates one joint posterior sample of the values at the observed points, and its incumbent is the
largest of these values. The default is 20 quasi-random samples, as in the corrected-EI paper.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.normal_tails import log_tau, tau
from core.models.fantasies import Fantasies
from core.models.gaussian_process import GaussianProcess
from core.search.quasi_random import quasi_normals

__all__ = ["FANTASIES", "NoisyExpectedImprovement"]

FANTASIES = 20
"""Noise-free models; the paper's (and BoTorch's) number."""


class NoisyExpectedImprovement(eqx.Module):
    """``1/s sum_j sigma_0(x) tau((mu_j(x) - max_i f_j(x_i)) / sigma_0(x))``: fitted once, then a formula of x."""

    models: Fantasies

    @staticmethod
    def fit(
        key: PRNGKeyArray, process: GaussianProcess, noise_variance: Float[Array, " n"], fantasies: int = FANTASIES
    ) -> "NoisyExpectedImprovement":
        """Draw the models from the posterior.

        Args:
            key: draws the quasi-random normals.
            process: the posterior given the noisy data.
            noise_variance: the noise variances it was fitted with, shape (n,).
            fantasies: number of models.
        """
        normals = quasi_normals(key, fantasies, 2 * process.x.shape[0])
        return NoisyExpectedImprovement(Fantasies.sample(process, noise_variance, normals))

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """The average of the models' expected improvements."""
        means, deviation = self.models.means_and_deviation(x)
        return deviation * jnp.mean(jax.vmap(tau)((means - self.models.best) / deviation))

    def log_value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """The logarithm of :meth:`value`, from logarithms: it has a gradient however far below the incumbent x is."""
        means, deviation = self.models.means_and_deviation(x)
        logs = jax.vmap(log_tau)((means - self.models.best) / deviation)
        return jnp.log(deviation) + logsumexp(logs) - jnp.log(float(logs.shape[0]))
