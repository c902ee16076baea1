"""Maximum likelihood of a Gaussian process's hyperparameters by LAPACK and L-BFGS-B, for sizes seen only once.

The same objective as `core.models.hyperparameters.log_posterior` without a prior, the jitter included (the tests hold
one against the other). A study of estimates against n fits every size a few times: compiling `fit_hyperparameters` anew
for each was measured to cost five times as much as all its fits, and nothing is compiled here.

Rasmussen & Williams (2006), eqs. (2.30) and (5.9).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack
from scipy.optimize import minimize

from core.models.gaussian_process import JITTER

__all__ = ["PROFILES", "log_likelihood", "maximum_likelihood"]


def _squared_exponential(squared: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    value = np.exp(-0.5 * squared)
    return value, -0.5 * value


def _matern52(squared: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    u = np.sqrt(5.0 * squared)
    decay = np.exp(-u)
    return (1.0 + u + u * u / 3.0) * decay, -5.0 / 6.0 * (1.0 + u) * decay


PROFILES = {"squared_exponential": _squared_exponential, "matern52": _matern52}
"""kappa and its derivative as functions of the squared scaled distance, by kernel."""


def log_likelihood(kernel: str, x: np.ndarray, y: np.ndarray, theta: np.ndarray) -> tuple[float, np.ndarray]:
    """``log N(y; 0, K + (noise + jitter) I)`` and its gradient.

    Args:
        kernel: a key of `PROFILES`.
        x, y: the data, (n, d) and (n,).
        theta: (d + 2,), logarithms of the lengthscales, the variance and the noise variance.

    Minus infinity, with a gradient of zeros, where the covariance is not positive definite.
    """
    count, dim = x.shape
    lengthscale, (variance, noise) = np.exp(theta[:dim]), np.exp(theta[dim:])
    scaled = x / lengthscale
    squared = np.zeros((count, count))
    for column in scaled.T:
        squared += (column[:, None] - column) ** 2
    correlation, slope = PROFILES[kernel](squared)
    covariance = variance * correlation
    covariance[np.diag_indices(count)] += noise + JITTER * variance
    factor, failed = lapack.dpotrf(covariance, lower=1, clean=1, overwrite_a=1)
    if failed:
        return -np.inf, np.zeros(dim + 2)
    inverse, _ = lapack.dpotri(factor, lower=1)  # above its diagonal the factor's zeros are left
    inverse = inverse + np.tril(inverse, -1).T
    weights = inverse @ y
    value = -0.5 * (y @ weights + count * np.log(2 * np.pi)) - np.log(np.diag(factor)).sum()
    sensitivity = 0.5 * (np.outer(weights, weights) - inverse)
    trace = np.trace(sensitivity)
    pull = sensitivity * slope
    rows = pull.sum(axis=1)
    moved = 2 * (rows @ scaled**2 - np.einsum("ik,ik->k", scaled, pull @ scaled))  # sum_ij pull_ij (z_i - z_j)^2
    by_variance = variance * ((sensitivity * correlation).sum() + JITTER * trace)
    return float(value), np.concatenate([-2 * variance * moved, [by_variance, noise * trace]])


def maximum_likelihood(
    kernel: str, x: np.ndarray, y: np.ndarray, bounds: np.ndarray, starts: np.ndarray
) -> tuple[np.ndarray, float]:
    """The best local maximum over a box, and the log likelihood there.

    Args:
        kernel, x, y: as in `log_likelihood`.
        bounds: (d + 2, 2), lower and upper end of each *logarithm*.
        starts: (k, d + 2), logarithms; L-BFGS-B sets out from each.

    Returns:
        (d + 2,) hyperparameters, not logarithms.
    """

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = log_likelihood(kernel, x, y, theta)
        return (-value if np.isfinite(value) else 1e25), -gradient

    found = [minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B") for start in starts]
    best = min(found, key=lambda one: one.fun)
    return np.exp(best.x), -float(best.fun)
