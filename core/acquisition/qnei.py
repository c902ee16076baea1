"""Monte-Carlo noisy expected improvement with q = 1 (Balandat et al. 2020), 256 quasi-random joint samples.

``E max(f(x) - max_i f(x_i), 0)`` under the joint posterior of the values at x and at the observed points, over fixed
quasi-random normals. The samples at the observed points, and the factor behind them, are made once; a candidate adds
one row to it: ``f_s(x) = mu_s(x) + sigma_0(x) z_s`` with mean and deviation given the sample (:mod:`core.fantasies`).
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp
from jaxtyping import Array, Float, PRNGKeyArray

from core.fantasies import Fantasies
from core.gaussian_process import GaussianProcess
from core.quasi_random import quasi_normals

__all__ = ["SAMPLES", "MonteCarloNoisyExpectedImprovement", "log_fat_plus"]

SAMPLES = 256
"""Joint samples; the paper's number."""

_TEMPERATURE = 1e-6  # of the smoothed positive part, in prior standard deviations
_FATNESS = 0.1  # weight of its polynomial tail; small enough to keep it increasing


def log_fat_plus(u: Float[Array, ""], temperature: float | Float[Array, ""]) -> Float[Array, ""]:
    """``log(T (log(1 + e^v) + 0.1 / (1 + v^2)))`` with ``v = u / T``: the positive part, smoothed, with a fat tail.

    Ament et al. (2023), appendix A. It exceeds max(u, 0) by less than 0.8 T, and below zero it falls as ``v^-2``, so
    that its slope never vanishes.
    """
    v = u / temperature
    return jnp.log(temperature) + jnp.log(jax.nn.softplus(v) + _FATNESS / (1.0 + v**2))


class MonteCarloNoisyExpectedImprovement(eqx.Module):
    """``1/s sum_j max(f_j(x) - max_i f_j(x_i), 0)``; fitted once, then a formula of one point.

    Attributes:
        models: the samples at the observed points.
        normals: ``z_j``, the coordinate of each sample that belongs to the candidate, shape (s,).
    """

    models: Fantasies
    normals: Float[Array, " s"]

    @staticmethod
    def fit(
        key: PRNGKeyArray, process: GaussianProcess, noise_variance: Float[Array, " n"], samples: int = SAMPLES
    ) -> "MonteCarloNoisyExpectedImprovement":
        """Draw the joint samples.

        Args:
            key: for the quasi-random normals.
            process: the posterior given the noisy data.
            noise_variance: the noise variances it was fitted with, shape (n,).
            samples: number of joint samples.
        """
        normals = quasi_normals(key, samples, 1 + 2 * process.x.shape[0])
        models = Fantasies.sample(process, noise_variance, normals[:, 1:])
        return MonteCarloNoisyExpectedImprovement(models, normals[:, 0])

    def improvements(self, x: Float[Array, " d"]) -> Float[Array, " s"]:
        """``f_j(x) - max_i f_j(x_i)``, of either sign, in every sample."""
        means, deviation = self.models.means_and_deviation(x)
        return means + deviation * self.normals - self.models.best

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """The average positive part; exactly zero where no sample improves."""
        return jnp.mean(jnp.maximum(self.improvements(x), 0.0))

    def log_value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Logarithm of the average, the positive part smoothed (:func:`log_fat_plus`), for the maximiser.

        ``exp(log_value) - value`` lies between zero and ``0.8e-6`` prior standard deviations. Where no sample improves
        it still rises towards the points that come closest to improving.
        """
        temperature = _TEMPERATURE * jnp.sqrt(self.models.process.variance)
        logs = jax.vmap(log_fat_plus, in_axes=(0, None))(self.improvements(x), temperature)
        return logsumexp(logs) - jnp.log(float(logs.shape[0]))
