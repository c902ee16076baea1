"""Gaussian-process regression with per-point noise, and the information it gains.

Zero prior mean. A (A1), (A2) of the BOKE paper with ``sigma^2 I`` generalised to a diagonal matrix of noise
variances; Rasmussen & Williams (2006), algorithm 2.1. Everything goes through one Cholesky factor.

Jitter policy: ``JITTER`` times the prior variance is added to the diagonal, always, and once. With it a noise-free Gram
matrix of exact duplicates still factorises in double precision; its effect on the posterior is that of an observation
noise with standard deviation ``sqrt(JITTER)`` of the prior's.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_solve, solve_triangular
from jaxtyping import Array, Bool, Float, Int

from core.models.kernels import CovarianceKernel
from core.models.triangular import gram_of_lower, inverse_of_lower
from core.numerics import deferred_gradient, floored_deviation

__all__ = [
    "JITTER",
    "GaussianProcess",
    "cholesky",
    "constant_mean",
    "gram_matrix",
    "greedy_information_gain",
    "information_gain",
    "gaussian_log_likelihood",
]

JITTER = 1e-10


def gram_matrix(
    kernel: CovarianceKernel,
    x: Float[Array, "n d"],
    x_prime: Float[Array, "m d"],
    lengthscale: Float[Array, " d"],
    variance: Float[Array, ""],
) -> Float[Array, "n m"]:
    """``K[i, j] = k(x_i, x'_j)``."""
    row = jax.vmap(kernel, in_axes=(None, 0, None, None))
    return jax.vmap(row, in_axes=(0, None, None, None))(x, x_prime, lengthscale, variance)


def cholesky(matrix: Float[Array, "n n"]) -> Float[Array, "n n"]:
    """Lower Cholesky factor (NaN where the matrix is not positive definite, as LAPACK through JAX reports it)."""
    return jnp.linalg.cholesky(matrix, symmetrize_input=False)


def constant_mean(factor: Float[Array, "n n"], y: Float[Array, " n"], mask: Bool[Array, " n"]) -> Float[Array, ""]:
    """``1^T C^{-1} y / 1^T C^{-1} 1`` over the rows in use: the constant prior mean of largest likelihood.

    It is the generalised least-squares estimate (Rasmussen & Williams 2006, section 2.7); zero without data. ``factor``
    is the lower Cholesky factor of C, the identity on unused rows.
    """
    ones = jnp.where(mask, 1.0, 0.0)
    weights = cho_solve((factor, True), ones)
    total = weights @ ones
    return weights @ jnp.where(mask, y, 0.0) / jnp.where(total > 0.0, total, 1.0)


def gaussian_log_likelihood(
    covariance: Callable[[Float[Array, " p"]], Float[Array, "n n"]],
    y: Float[Array, " n"],
    mask: Bool[Array, " n"],
    *,
    fit_mean: bool = False,
) -> Callable[[Float[Array, " p"]], Float[Array, ""]]:
    """``theta -> log N(y; 0, C) = -1/2 y^T C^{-1} y - 1/2 log det C - n/2 log 2 pi`` over the n rows in use.

    Its derivative has a closed form, ``d log N = tr(W dC)`` with ``W = 1/2 (alpha alpha^T - C^{-1})`` and ``alpha =
    C^{-1} y`` (Rasmussen & Williams 2006, eq. 5.9). One inverse from the factor at hand replaces differentiation
    through the factorisation, which was measured three to five times slower and needs as much memory again; it is
    computed only where a gradient is used (:func:`core.numerics.deferred_gradient`), so that a point which a line
    search rejects costs the value alone.

    Args:
        covariance: ``C(theta)``, differentiable, the identity on unused rows, shape (n, n).
        y: outputs; those of unused rows are ignored.
        mask: rows in use.
        fit_mean: whether y is taken less its best constant (:func:`constant_mean`), in which the likelihood is
            stationary: the profile likelihood.
    """
    outputs = jnp.where(mask, y, 0.0)

    def evaluate(theta: Float[Array, " p"]) -> tuple[Float[Array, ""], tuple[Array, Array]]:
        factor = cholesky(covariance(theta))
        mean = constant_mean(factor, outputs, mask) if fit_mean else 0.0
        whitened = solve_triangular(factor, jnp.where(mask, outputs - mean, 0.0), lower=True)
        log_determinant = 2.0 * jnp.sum(jnp.log(jnp.diagonal(factor)))
        value = -0.5 * (whitened @ whitened + log_determinant + jnp.sum(mask) * jnp.log(2.0 * jnp.pi))
        return value, (factor, whitened)

    def gradient(theta: Float[Array, " p"], solved: tuple[Array, Array]) -> Float[Array, " p"]:
        factor, whitened = solved
        whitener = inverse_of_lower(factor)
        weights = whitened @ whitener
        by_covariance = 0.5 * (jnp.outer(weights, weights) - gram_of_lower(whitener))
        by_theta: Float[Array, " p"] = jax.vjp(covariance, theta)[1](by_covariance)[0]
        return by_theta

    return deferred_gradient(evaluate, gradient)


class GaussianProcess(eqx.Module):
    """A zero-mean Gaussian process conditioned on data; build it with :meth:`fit`.

    Attributes:
        kernel: covariance kernel, one of :data:`core.models.kernels.STATIONARY`.
        lengthscale: ARD lengthscales, shape (d,), in the unit of x.
        variance: prior variance, in squared units of y.
        x: data points, shape (n, d).
        mask: rows in use, shape (n,).
        factor: lower Cholesky factor of ``K + diag(noise)``, identity on unused rows, shape (n, n).
        whitened: ``factor^{-1} y``, shape (n,).
        weights: ``(K + diag(noise))^{-1} y``, shape (n,).
        whitener: ``factor^{-T}``, by forward substitution, shape (n, n). A posterior at many points is then one matrix
            product; against a triangular solve a point it was measured two to five times faster and, compared with 60
            digits, as accurate (also for nearly singular, noise-free data).
    """

    kernel: CovarianceKernel = eqx.field(static=True)
    lengthscale: Float[Array, " d"]
    variance: Float[Array, ""]
    x: Float[Array, "n d"]
    mask: Bool[Array, " n"]
    factor: Float[Array, "n n"]
    whitened: Float[Array, " n"]
    weights: Float[Array, " n"]
    whitener: Float[Array, "n n"]

    @staticmethod
    def fit(
        x: Float[Array, "n d"],
        y: Float[Array, " n"],
        kernel: CovarianceKernel,
        lengthscale: Float[Array, " d"],
        variance: float | Float[Array, ""] = 1.0,
        noise_variance: float | Float[Array, ""] | Float[Array, " n"] = 0.0,
        mask: Bool[Array, " n"] | None = None,
    ) -> "GaussianProcess":
        """Condition on ``y_i = f(x_i) + eps_i``, ``eps_i ~ N(0, noise_variance_i)``."""
        mask = jnp.ones(x.shape[0], bool) if mask is None else mask
        variance = jnp.asarray(variance, float)
        lengthscale = jnp.broadcast_to(jnp.asarray(lengthscale, float), (x.shape[1],))
        factor = cholesky(_masked_covariance(kernel, x, lengthscale, variance, noise_variance, mask))
        whitened = solve_triangular(factor, jnp.where(mask, y, 0.0), lower=True)
        weights = solve_triangular(factor, whitened, lower=True, trans=1)
        whitener = inverse_of_lower(factor).T
        return GaussianProcess(kernel, lengthscale, variance, x, mask, factor, whitened, weights, whitener)

    def cross_covariance(self, x: Float[Array, " d"]) -> Float[Array, " n"]:
        """``k_t(x)``: prior covariances between f(x) and f at the data, zero on unused rows."""
        values = jax.vmap(self.kernel, in_axes=(None, 0, None, None))(x, self.x, self.lengthscale, self.variance)
        return jnp.where(self.mask, values, 0.0)

    def mean(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Posterior mean, A (A1): ``k_t(x)^T (K_t + Sigma)^{-1} y_t``."""
        return self.cross_covariance(x) @ self.weights

    def covariance(self, x: Float[Array, " d"], x_prime: Float[Array, " d"]) -> Float[Array, ""]:
        """Posterior covariance of f(x) and f(x'): ``k(x, x') - k_t(x)^T (K_t + Sigma)^{-1} k_t(x')``."""
        prior = self.kernel(x, x_prime, self.lengthscale, self.variance)
        return prior - self._whiten(x) @ self._whiten(x_prime)

    def variance_at(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Posterior variance of f(x) (without observation noise), A (A2), clipped at zero from below."""
        return self.mean_and_variance(x)[1]

    def mean_and_variance(self, x: Float[Array, " d"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """A (A1) and (A2) from one product with the whitener."""
        whitened = self._whiten(x)
        return whitened @ self.whitened, jnp.maximum(self.variance - whitened @ whitened, 0.0)

    def mean_and_deviation(self, x: Float[Array, " d"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """Posterior mean and standard deviation of f(x), the latter at least ``1e-10`` prior standard deviations."""
        mean, variance = self.mean_and_variance(x)
        return mean, floored_deviation(variance, self.variance)

    def log_marginal_likelihood(self) -> Float[Array, ""]:
        """``log p(y | x) = -1/2 y^T (K + Sigma)^{-1} y - sum_i log L_ii - n/2 log 2 pi`` over the rows in use."""
        count = jnp.sum(self.mask)
        log_diagonal = jnp.sum(jnp.where(self.mask, jnp.log(jnp.diagonal(self.factor)), 0.0))
        return -0.5 * self.whitened @ self.whitened - log_diagonal - 0.5 * count * jnp.log(2.0 * jnp.pi)

    def _whiten(self, x: Float[Array, " d"]) -> Float[Array, " n"]:
        return self.cross_covariance(x) @ self.whitener


def _masked_covariance(
    kernel: CovarianceKernel,
    x: Float[Array, "n d"],
    lengthscale: Float[Array, " d"],
    variance: Float[Array, ""],
    noise_variance: float | Float[Array, ""] | Float[Array, " n"],
    mask: Bool[Array, " n"],
) -> Float[Array, "n n"]:
    """``K + diag(noise) + jitter`` on the rows in use; the identity on the others."""
    covariance = gram_matrix(kernel, x, x, lengthscale, variance)
    noise = jnp.broadcast_to(jnp.asarray(noise_variance, float), mask.shape)
    diagonal = jnp.where(mask, noise + JITTER * variance, 1.0)
    return jnp.where(mask[:, None] & mask[None, :], covariance, 0.0) + jnp.diag(diagonal)


def information_gain(
    covariance: Float[Array, "n n"], noise_variance: float | Float[Array, ""] | Float[Array, " n"]
) -> Float[Array, ""]:
    """``I(y; f) = 1/2 log det(I + Sigma^{-1} K)``, in nats, Sigma the diagonal of noise variances (all > 0)."""
    n = covariance.shape[0]
    scale = 1.0 / jnp.sqrt(jnp.broadcast_to(jnp.asarray(noise_variance, float), (n,)))
    factor = cholesky(jnp.eye(n) + scale[:, None] * covariance * scale[None, :])
    return jnp.sum(jnp.log(jnp.diagonal(factor)))


def greedy_information_gain(
    covariance: Float[Array, "m m"], noise_variance: float | Float[Array, ""] | Float[Array, " m"], rounds: int
) -> tuple[Float[Array, " rounds"], Int[Array, " rounds"]]:
    """Greedy lower bounds on the maximum information gain ``gamma_T`` over a finite set of m points.

    Round t adds the point with the largest ratio of posterior variance to noise variance (points may repeat) and gains
    ``1/2 log(1 + sigma_{t-1}^2(x) / sigma^2(x))``. Information gain is monotone and submodular, so the greedy value
    also bounds from above: ``gamma_T <= greedy_T / (1 - 1/e)`` (Krause & Guestrin 2005; Srinivas et al. 2010).

    Returns:
        The gains accumulated after 1..T rounds, in nats, and the indices of the points chosen.
    """
    noise = jnp.broadcast_to(jnp.asarray(noise_variance, float), (covariance.shape[0],))

    def step(
        posterior: Float[Array, "m m"], _: None
    ) -> tuple[Float[Array, "m m"], tuple[Float[Array, ""], Int[Array, ""]]]:
        ratio = jnp.diagonal(posterior) / noise
        chosen = jnp.argmax(ratio)
        column = posterior[:, chosen]
        updated = posterior - jnp.outer(column, column) / (posterior[chosen, chosen] + noise[chosen])
        return updated, (0.5 * jnp.log1p(ratio[chosen]), chosen)

    _, (gains, chosen) = jax.lax.scan(step, covariance, None, length=rounds)
    return jnp.cumsum(gains), chosen
