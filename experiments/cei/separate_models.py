"""The two Monte-Carlo acquisitions as their formulas say, with nothing shared: the costliest implementation.

`core.acquisition` shares one Cholesky factor of the noise-free Gram matrix among all models and samples, and draws the
samples at the observed points once. The plain way, that of the formulas and of BoTorch where the paper's methods come
from (`NoisyExpectedImprovement` copies the data into a batch of 20 models; `qNoisyExpectedImprovement` without
`cache_root` samples candidate and observed points together at every call):

* noisy EI: s Gaussian processes without noise, one through each joint sample, each with a Cholesky factor, a
  cross-covariance and a product of its own at every candidate;
* parallel noisy EI with q = 1: the joint posterior covariance of the observed points and the candidate is factorised at
  every candidate, and all s samples of n + 1 values are computed from the factor. What does not depend on the
  candidate, mean and covariance at the observed points, is computed once.

Values, and the search, are those of `core`; only what is computed again differs.
"""

from typing import final

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.noisy_ei import FANTASIES
from core.acquisition.normal_tails import log_tau, tau
from core.acquisition.qnei import SAMPLES, rounded_positive_part
from core.models.fantasies import Fantasies
from core.models.gaussian_process import JITTER, GaussianProcess, cholesky, gram_matrix
from core.models.standardized import Posterior
from core.policies.improvement import ImprovementPolicy
from core.search.maximize import ScalarFunction
from core.search.quasi_random import quasi_normals

__all__ = ["JointExpectedImprovement", "JointQNei", "SeparateExpectedImprovement", "SeparateNoisyEi"]

ROUNDING = 1e-6
"""The rounding of the positive part, in prior standard deviations, as in `core.acquisition.qnei`."""


class SeparateExpectedImprovement(eqx.Module):
    """``1/s sum_j sigma_j(x) tau((mu_j(x) - max_i f_j(x_i)) / sigma_j(x))``, each model computed by itself.

    Attributes:
        processes: s noise-free processes, stacked along a leading axis, no array shared.
        best: the largest value that each passes through, shape (s,).
    """

    processes: GaussianProcess
    best: Float[Array, " s"]

    @staticmethod
    def fit(process: GaussianProcess, values: Float[Array, "n s"]) -> "SeparateExpectedImprovement":
        """One process a column of values at the observed points of ``process``; anything on unused rows."""
        count = values.shape[1]

        def repeated(array: Array) -> Array:
            return jnp.broadcast_to(array, (count, *array.shape))

        def condition(
            x: Float[Array, "n d"], y: Float[Array, " n"], scale: Float[Array, " d"], variance: Array, mask: Array
        ) -> GaussianProcess:
            return GaussianProcess.fit(x, y, process.kernel, scale, variance, 0.0, mask)

        shared = (process.lengthscale, process.variance, process.mask)
        processes = jax.vmap(condition)(repeated(process.x), values.T, *map(repeated, shared))
        return SeparateExpectedImprovement(
            processes, jnp.max(jnp.where(process.mask[:, None], values, -jnp.inf), axis=0)
        )

    def _scores(self, x: Float[Array, " d"]) -> tuple[Float[Array, " s"], Float[Array, " s"]]:
        means, deviations = jax.vmap(lambda process: process.mean_and_deviation(x))(self.processes)
        return (means - self.best) / deviations, deviations

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """The average."""
        scores, deviations = self._scores(x)
        return jnp.mean(deviations * jax.vmap(tau)(scores))

    def log_value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Its logarithm."""
        scores, deviations = self._scores(x)
        logs = jnp.log(deviations) + jax.vmap(log_tau)(scores)
        return logsumexp(logs) - jnp.log(float(logs.shape[0]))


class JointExpectedImprovement(eqx.Module):
    """``1/s sum_j max(f_j(x) - max_i f_j(x_i), 0)``, all n + 1 values of every sample drawn at every candidate.

    Attributes:
        process: the posterior given the noisy data.
        mean: its mean at the observed points, zero on unused rows, shape (n,).
        covariance: its covariance there, the identity on unused rows, shape (n, n).
        normals: a standard normal vector a sample, for the observed points and then the candidate, shape (s, n + 1).
    """

    process: GaussianProcess
    mean: Float[Array, " n"]
    covariance: Float[Array, "n n"]
    normals: Float[Array, "s m"]

    @staticmethod
    def fit(process: GaussianProcess, normals: Float[Array, "s m"]) -> "JointExpectedImprovement":
        """Mean and covariance at the observed points."""
        used = process.mask[:, None] & process.mask[None, :]
        prior = gram_matrix(process.kernel, process.x, process.x, process.lengthscale, process.variance)
        prior = jnp.where(used, prior, 0.0)
        whitened = prior @ process.whitener
        diagonal = jnp.where(process.mask, JITTER * process.variance, 1.0)
        covariance = jnp.where(used, prior - whitened @ whitened.T, 0.0) + jnp.diag(diagonal)
        return JointExpectedImprovement(process, prior @ process.weights, covariance, normals)

    def improvements(self, x: Float[Array, " d"]) -> Float[Array, " s"]:
        """``f_j(x) - max_i f_j(x_i)``, of either sign, in every sample."""
        process = self.process
        mean, variance = process.mean_and_variance(x)
        across = jax.vmap(lambda row: process.covariance(row, x))(process.x)
        across = jnp.where(process.mask, across, 0.0)
        joint = jnp.block([[self.covariance, across[:, None]], [across[None, :], variance + JITTER * process.variance]])
        samples = jnp.append(self.mean, mean)[None, :] + self.normals @ cholesky(joint).T
        return samples[:, -1] - jnp.max(jnp.where(process.mask, samples[:, :-1], -jnp.inf), axis=1)

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """The average positive part."""
        return jnp.mean(jnp.maximum(self.improvements(x), 0.0))

    def log_value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Logarithm of the average of the rounded positive parts, as in `core.acquisition.qnei`."""
        rounding = ROUNDING * jnp.sqrt(self.process.variance)
        return jnp.log(jnp.mean(rounded_positive_part(self.improvements(x), rounding)))


@final
class SeparateNoisyEi(ImprovementPolicy):
    """`core.policies.improvement.NoisyEi` by 20 separate processes; the same samples at the observed points."""

    def formulas(
        self, key: PRNGKeyArray, posterior: Posterior, incumbent: Float[Array, " d"]
    ) -> tuple[ScalarFunction, ScalarFunction]:
        """An average of EI; each model has its own incumbent."""
        del incumbent
        process = posterior.process
        normals = quasi_normals(key, FANTASIES, 2 * process.x.shape[0])
        values = Fantasies.sample(process, posterior.noise_variance, normals).values
        fitted = SeparateExpectedImprovement.fit(process, values)
        return fitted.log_value, fitted.value


@final
class JointQNei(ImprovementPolicy):
    """`core.policies.improvement.QNei` by the joint posterior at every candidate."""

    def formulas(
        self, key: PRNGKeyArray, posterior: Posterior, incumbent: Float[Array, " d"]
    ) -> tuple[ScalarFunction, ScalarFunction]:
        """An average over joint samples; each has its own incumbent."""
        del incumbent
        process = posterior.process
        fitted = JointExpectedImprovement.fit(process, quasi_normals(key, SAMPLES, process.x.shape[0] + 1))
        return fitted.log_value, fitted.value
