"""Monte-Carlo noisy expected improvement with q = 1 (Balandat et al. 2020), 256 quasi-random joint samples.

``E max(f(x) - max_i f(x_i), 0)`` under the joint posterior of the values at x and at the observed points, over fixed
quasi-random normals. The samples at the observed points and the Cholesky factor there are computed once; a candidate
adds one row to the factor: ``f_s(x) = mu_s(x) + sigma_0(x) z_s`` with mean and deviation given the sample
(:mod:`core.models.fantasies`).
"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.models.fantasies import Fantasies
from core.models.gaussian_process import GaussianProcess
from core.search.quasi_random import quasi_normals

__all__ = ["SAMPLES", "MonteCarloNoisyExpectedImprovement", "rounded_positive_part"]

SAMPLES = 256
"""Joint samples; the paper's number."""

_ROUNDING = 1e-6  # rounding of the positive part, in prior standard deviations


def rounded_positive_part(u: Float[Array, "*s"], rounding: float | Float[Array, ""]) -> Float[Array, "*s"]:
    """``(u + sqrt(u^2 + 4 r^2)) / 2``: max(u, 0) with its corner rounded off, never zero.

    It exceeds max(u, 0) by at most r, is increasing and convex, and falls only as ``r^2 / |u|`` below zero: there its
    logarithm keeps a slope of about ``1 / |u|``, and it does not underflow. (Ament et al. 2023, appendix A, use a
    soft-plus with an added tail for the same purpose; this function needs no exponential.)
    """
    half = 0.5 * (jnp.where(u > 0.0, u, -u) + jnp.sqrt(u**2 + 4.0 * rounding**2))
    return jnp.where(u > 0.0, half, rounding**2 / half)


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
            key: draws the quasi-random normals.
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
        """Logarithm of the average of :func:`rounded_positive_part`, for the maximiser.

        ``exp(log_value) - value`` lies between zero and ``1e-6`` prior standard deviations. Where no sample improves,
        the value still rises towards the points that come closest to an improvement.
        """
        rounding = _ROUNDING * jnp.sqrt(self.models.process.variance)
        return jnp.log(jnp.mean(rounded_positive_part(self.improvements(x), rounding)))
