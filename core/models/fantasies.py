"""Noise-free models of noisy data: joint posterior samples at the observed points, each conditioned on exactly.

Given the values ``f(X)`` at the observed points, the noisy observations say nothing more about ``f(x)``:

    f(x) | f(X) = f_s  ~  N(k(x)^T K^{-1} f_s,  k(x, x) - k(x)^T K^{-1} k(x)).

So all models share the points, the noise-free Gram matrix K with its one Cholesky factor, and the variance; only the
means differ, by their weights ``K^{-1} f_s``. That is also the new row of the Cholesky factor of the joint posterior of
``(f(X), f(x))``. Both Monte-Carlo forms of noisy expected improvement rest on this.

The samples follow Matheron's rule: with a prior sample ``u ~ N(0, K)`` and noise ``e ~ N(0, Sigma)``,

    f_s = u + K (K + Sigma)^{-1} (y - u - e),

exact for any noise, zero included, and without a factorisation of the (often nearly singular) posterior covariance.
"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from core.models.gaussian_process import GaussianProcess
from core.numerics import floored_deviation

__all__ = ["Fantasies"]


class Fantasies(eqx.Module):
    """s noise-free models sharing one factor; build them with :meth:`sample` or :meth:`condition`.

    Attributes:
        process: the noise-free Gaussian process at the observed points (its own y is zero: only its factor is used).
        values: ``f_s`` at the observed points, zero on unused rows, shape (n, s).
        weights: ``K^{-1} f_s``, shape (n, s).
        best: ``max_i f_s(x_i)`` over the rows in use, shape (s,).
    """

    process: GaussianProcess
    values: Float[Array, "n s"]
    weights: Float[Array, "n s"]
    best: Float[Array, " s"]

    @staticmethod
    def sample(
        process: GaussianProcess, noise_variance: Float[Array, " n"], normals: Float[Array, "s m"]
    ) -> "Fantasies":
        """Joint posterior samples at the observed points.

        Args:
            process: the posterior given the noisy data.
            noise_variance: the noise variances it was fitted with, shape (n,); anything on unused rows.
            normals: standard normal vectors, shape (s, 2 n): for the prior sample, then for the noise.
        """
        rows = process.x.shape[0]
        mask = process.mask[:, None]
        free = _noise_free(process)
        prior, noise = jnp.where(mask, normals[:, :rows].T, 0.0), jnp.where(mask, normals[:, rows:].T, 0.0)
        deviation = jnp.sqrt(jnp.where(process.mask, noise_variance, 0.0))[:, None]
        observed = free.factor @ prior + deviation * noise  # u + e
        correction = process.weights[:, None] - process.whitener @ (process.whitener.T @ observed)
        correction = jnp.where(mask, correction, 0.0)
        values = free.factor @ (prior + free.factor.T @ correction)
        return _with_best(free, jnp.where(mask, values, 0.0), free.whitener @ prior + correction)

    @staticmethod
    def condition(process: GaussianProcess, values: Float[Array, "n s"]) -> "Fantasies":
        """Models through given values at the observed points, for instance samples made elsewhere."""
        free = _noise_free(process)
        values = jnp.where(process.mask[:, None], values, 0.0)
        return _with_best(free, values, free.whitener @ (free.whitener.T @ values))

    def means_and_deviation(self, x: Float[Array, " d"]) -> tuple[Float[Array, " s"], Float[Array, ""]]:
        """Posterior means of f(x) in every model, and the standard deviation that they share.

        The deviation is at least ``1e-10`` prior standard deviations.
        """
        cross = self.process.cross_covariance(x)
        whitened = cross @ self.process.whitener
        variance = self.process.variance - whitened @ whitened
        return cross @ self.weights, floored_deviation(variance, self.process.variance)


def _noise_free(process: GaussianProcess) -> GaussianProcess:
    """The prior conditioned on zeros at the same points without noise (but for the jitter)."""
    return GaussianProcess.fit(
        process.x,
        jnp.zeros(process.x.shape[0]),
        process.kernel,
        process.lengthscale,
        process.variance,
        0.0,
        process.mask,
    )


def _with_best(free: GaussianProcess, values: Float[Array, "n s"], weights: Float[Array, "n s"]) -> Fantasies:
    best = jnp.max(jnp.where(free.mask[:, None], values, -jnp.inf), axis=0)
    return Fantasies(free, values, weights, best)
