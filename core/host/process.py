"""A Gaussian process conditioned on standardised outputs, on the host, and two expected improvements under it.

The posterior is that of :class:`core.models.standardized.Posterior`. The acquisitions are corrected expected
improvement (:func:`core.acquisition.corrected_ei.log_corrected_expected_improvement`, B (7), (8)) and noisy expected
improvement (:class:`core.acquisition.noisy_ei.NoisyExpectedImprovement`), with their gradients. An expected improvement
of a gain g with variance v is ``a = log sqrt(v) + log tau(z)``, ``z = g / sqrt(v)``, and has the slopes

    da/dg = (Phi / tau)(z) / sqrt(v),    da/dv = (1 - z (Phi / tau)(z)) / (2 v).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy  # scipy loads the parts of its linear algebra at first use
from jaxtyping import Float

from core.acquisition import normal_tails
from core.host.likelihood import Likelihood, matern52
from core.models.gaussian_process import JITTER
from core.models.increments import SERIES
from core.models.transform import standardize_on_host
from core.numerics import VARIANCE_FLOOR

__all__ = ["CorrectedImprovement", "Improvement", "NoisyImprovement", "Process"]

CHUNK = 256
"""Points whose acquisition is computed together, where no gradient is needed."""


@dataclass(frozen=True)
class Process:
    """Conditioned on data; build it with :meth:`fit`.

    Attributes:
        x: points, shape (n, d).
        scaled: the coordinates of the points in lengthscales, shape (d, n).
        lengthscale, variance: of the prior, in standard units.
        whitener: ``L^{-T}``, upper triangular, in columns.
        whitened, weights: ``L^{-1} z`` and ``C^{-1} z`` of the standardised outputs z, shape (n,).
        means: posterior means at x, in standard units, shape (n,).
        noise: noise variances, in standard units, shape (n,).
        offset, scale: mean and standard deviation of the outputs.
    """

    x: Float[np.ndarray, "n d"]
    scaled: Float[np.ndarray, "d n"]
    lengthscale: Float[np.ndarray, " d"]
    variance: float
    whitener: Float[np.ndarray, "n n"]
    whitened: Float[np.ndarray, " n"]
    weights: Float[np.ndarray, " n"]
    means: Float[np.ndarray, " n"]
    noise: Float[np.ndarray, " n"]
    offset: float
    scale: float

    @staticmethod
    def fit(
        x: Float[np.ndarray, "n d"],
        y: Float[np.ndarray, " n"],
        known: Float[np.ndarray, " n"],
        theta: Float[np.ndarray, " p"],
    ) -> "Process":
        """Condition on outputs in their own unit, with known noise variances besides that of the hyperparameters.

        Raises:
            numpy.linalg.LinAlgError: a covariance that is not positive definite.
        """
        z, offset, scale = standardize_on_host(y)
        matrix, diagonal = Likelihood(x, z, known / scale / scale).covariance(np.log(theta))
        factor = _factor(matrix)
        whitened = scipy.linalg.lapack.dtrtrs(factor, z, lower=0, trans=1)[0]
        weights = scipy.linalg.lapack.dtrtrs(factor, whitened, lower=0)[0]
        whitener = scipy.linalg.lapack.dtrtri(factor, lower=0, overwrite_c=1)[0]
        variance = float(theta[-2])
        return Process(
            x=x,
            scaled=(x / theta[:-2]).T.copy(),
            lengthscale=theta[:-2],
            variance=variance,
            whitener=whitener,
            whitened=whitened,
            weights=weights,
            means=z - diagonal * weights,
            noise=diagonal - JITTER * variance,
            offset=offset,
            scale=scale,
        )

    def mean(self, points: Float[np.ndarray, "m d"]) -> Float[np.ndarray, " m"]:
        """Posterior means in the unit of y."""
        means: np.ndarray = self.offset + self.scale * (self.cross(points)[0] @ self.weights)
        return means

    def cross(self, points: np.ndarray) -> tuple[Float[np.ndarray, "m n"], Float[np.ndarray, "m n"]]:
        """Prior covariances with the data, and ``-2 s^2 kappa'``."""
        squares = np.zeros((len(points), len(self.x)))
        for column, at in zip(self.scaled, (points / self.lengthscale).T, strict=True):
            difference = at[:, None] - column
            squares += np.multiply(difference, difference, out=difference)
        correlation, slope = matern52(squares)
        correlation *= self.variance
        slope *= self.variance
        return correlation, slope

    def by_point(self, by_square: Float[np.ndarray, "k n"], points: Float[np.ndarray, "k d"]) -> np.ndarray:
        """The slopes (k, d) in the points, from those in the covariances times ``-2 s^2 kappa'``."""
        slopes: np.ndarray = (by_square @ self.x - by_square.sum(axis=1)[:, None] * points) / self.lengthscale**2
        return slopes


class Improvement(ABC):
    """The logarithm of an expected improvement, for many points at once."""

    def values(self, points: Float[np.ndarray, "m d"]) -> Float[np.ndarray, " m"]:
        """The values at some points; minus infinity where the improvement's variance is zero."""
        parts = [self.with_slopes(points[start : start + CHUNK])[0] for start in range(0, len(points), CHUNK)]
        return np.concatenate(parts)

    @abstractmethod
    def with_slopes(
        self, points: Float[np.ndarray, "m d"]
    ) -> tuple[Float[np.ndarray, " m"], Callable[[np.ndarray], Float[np.ndarray, "k d"]]]:
        """The values, and a function that computes the gradients at those of them that are asked for."""


class CorrectedImprovement(Improvement):
    """The logarithm of corrected expected improvement over an incumbent.

    With the whitened difference ``D = (k(x) - k(x+)) L^{-T}`` the gain is ``D L^{-1} y``, and its variance is
    ``p - D D^T``, p the prior variance of the increment.
    """

    def __init__(self, process: Process, incumbent: Float[np.ndarray, " d"]) -> None:
        """Over ``x+`` under a process."""
        self.process, self.incumbent = process, incumbent
        self._own = process.cross(incumbent[None])[0]

    def with_slopes(
        self, points: Float[np.ndarray, "m d"]
    ) -> tuple[Float[np.ndarray, " m"], Callable[[np.ndarray], Float[np.ndarray, "k d"]]]:
        """The values and the gradients (:meth:`Improvement.with_slopes`)."""
        process = self.process
        covariance, slope = process.cross(points)
        covariance -= self._own
        difference = _whitened(covariance, process.whitener)
        gain = difference @ process.whitened
        apart = (points - self.incumbent) / process.lengthscale
        squares = np.sum(apart**2, axis=1)
        prior = 2.0 * process.variance * decrease52(squares)
        variance = np.maximum(prior - np.einsum("ij,ij->i", difference, difference), 0.0)
        uncertain = variance > 0.0
        safe = np.where(uncertain, variance, 1.0)
        deviation = np.sqrt(safe)
        z = gain / deviation
        log_value, ratio = log_tau(z)
        value = np.where(uncertain, np.log(deviation) + log_value, -np.inf)

        def slopes(wanted: np.ndarray) -> np.ndarray:
            live = uncertain[wanted]
            by_gain = np.where(live, (ratio / deviation)[wanted], 0.0)[:, None]
            by_variance = np.where(live, ((1.0 - z * ratio) / (2.0 * safe))[wanted], 0.0)[:, None]
            by_difference = by_gain * process.whitened - 2.0 * by_variance * difference[wanted]
            by_covariance = _unwhitened(by_difference, process.whitener)
            at, width = points[wanted], process.lengthscale
            own = 2.0 * process.variance * matern52(squares[wanted])[1][:, None] * apart[wanted] / width
            found: np.ndarray = process.by_point(by_covariance * slope[wanted], at) + by_variance * own
            return found

        return value, slopes


class NoisyImprovement(Improvement):
    """The logarithm of noisy expected improvement: expected improvement averaged over noise-free models.

    A model j interpolates one posterior sample ``f_j`` of the values at the points, by the rule of
    :mod:`core.models.fantasies`. With the noise-free covariance ``K = L_0 L_0^T`` and ``W = k(x) L_0^{-T}`` the models
    share the variance ``v = s^2 - W W^T``, and their gains are ``k(x) K^{-1} f_j - max_i f_j(x_i)``. The slopes of the
    models are averaged with weights in proportion to their improvements.
    """

    def __init__(self, process: Process, normals: Float[np.ndarray, "s m"]) -> None:
        """Draw the models by standard normal vectors (s, 2 n): for the prior samples, then for the noise.

        Raises:
            numpy.linalg.LinAlgError: a noise-free covariance that is not positive definite.
        """
        self.process = process
        count = len(process.x)
        prior, noise = normals[:, :count].T, normals[:, count:].T
        theta = np.log(np.append(process.lengthscale, process.variance))
        zeros = np.zeros(count)
        factor = _factor(Likelihood(process.x, zeros, zeros).covariance(np.append(theta, -np.inf))[0])
        observed = factor.T @ prior + np.sqrt(process.noise)[:, None] * noise
        correction = process.weights[:, None] - process.whitener @ (process.whitener.T @ observed)
        self._best = np.max(factor.T @ (prior + factor @ correction), axis=0)
        self._weights = scipy.linalg.lapack.dtrtrs(factor, prior, lower=0)[0] + correction
        self._whitener = scipy.linalg.lapack.dtrtri(factor, lower=0, overwrite_c=1)[0]

    def with_slopes(
        self, points: Float[np.ndarray, "m d"]
    ) -> tuple[Float[np.ndarray, " m"], Callable[[np.ndarray], Float[np.ndarray, "k d"]]]:
        """The values and the gradients (:meth:`Improvement.with_slopes`)."""
        process = self.process
        covariance, slope = process.cross(points)
        gains = covariance @ self._weights - self._best
        whitened = _whitened(covariance, self._whitener)
        variance = process.variance - np.einsum("ij,ij->i", whitened, whitened)
        floor = VARIANCE_FLOOR * process.variance
        uncertain = variance > floor
        safe = np.maximum(variance, floor)
        deviation = np.sqrt(safe)
        z = gains / deviation[:, None]
        logs, ratios = log_tau(z)
        largest = logs.max(axis=1)
        shares = np.exp(logs - largest[:, None])
        total = shares.sum(axis=1)
        value = np.log(deviation) + largest + np.log(total / z.shape[1])

        def slopes(wanted: np.ndarray) -> np.ndarray:
            weighted = (shares * ratios)[wanted] / total[wanted, None]
            inner = 1.0 - np.einsum("ij,ij->i", weighted, z[wanted])
            by_variance = np.where(uncertain[wanted], inner / (2.0 * safe[wanted]), 0.0)[:, None]
            by_covariance = (weighted / deviation[wanted, None]) @ self._weights.T
            by_covariance -= _unwhitened(2.0 * by_variance * whitened[wanted], self._whitener)
            found: np.ndarray = process.by_point(by_covariance * slope[wanted], points[wanted])
            return found

        return value, slopes


def _factor(matrix: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "n n"]:
    """The upper Cholesky factor of the matrix with this lower triangle, which is overwritten."""
    factor, failed = scipy.linalg.lapack.dpotrf(matrix.T, lower=0, clean=1, overwrite_a=1)
    if failed:
        raise np.linalg.LinAlgError("the covariance of the observations is not positive definite")
    found: np.ndarray = factor
    return found


def _whitened(covariance: Float[np.ndarray, "m n"], whitener: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "m n"]:
    """The product with ``L^{-T}``; the covariances may be overwritten."""
    product: np.ndarray = scipy.linalg.blas.dtrmm(1.0, whitener, covariance.T, trans_a=1, overwrite_b=1).T
    return product


def _unwhitened(slopes: Float[np.ndarray, "k n"], whitener: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "k n"]:
    """The slopes in the covariances, from those in the whitened ones."""
    product: np.ndarray = scipy.linalg.blas.dtrmm(1.0, whitener, slopes.T).T
    return product


def decrease52(squared: np.ndarray) -> np.ndarray:
    """``1 - kappa`` of squared scaled distances, accurate near zero (:mod:`core.models.increments`)."""
    u = np.sqrt(5.0 * np.minimum(squared, 700.0**2 / 5.0))
    small = np.minimum(u, 1.0)
    series = np.ones_like(u)
    for k in range(3 + SERIES, 3, -1):
        series = 1.0 + small / k * series
    tail = np.where(u <= 1.0, small**3 / 6.0 * series, np.exp(u) - 1.0 - u - u**2 / 2.0)
    decrease: np.ndarray = np.exp(-u) * (u**2 / 6.0 + tail)
    return decrease


def log_tau(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``log tau(z)`` and its slope ``Phi / tau`` (:mod:`core.acquisition.normal_tails`)."""
    t = np.abs(z)
    near, far = np.minimum(t, normal_tails.FAR), np.maximum(t, normal_tails.FAR)
    mills = np.sqrt(np.pi / 2.0) * scipy.special.erfcx(near / np.sqrt(2.0))
    gap = 1.0 - near * mills
    inverse = 1.0 / far
    tails = [np.polynomial.polynomial.polyval(inverse**2, c) for c in (normal_tails.MILLS, normal_tails.TAU)]
    is_near = t < normal_tails.FAR
    ratio = np.where(is_near, mills / gap, far * tails[0] / tails[1])
    mills, gap = np.where(is_near, mills, tails[0] * inverse), np.where(is_near, gap, tails[1] * inverse**2)
    density = np.exp(-0.5 * z**2 - normal_tails.LOG_ROOT_TWO_PI)
    below = -0.5 * z**2 - normal_tails.LOG_ROOT_TWO_PI + np.log(gap)
    tau = np.where(z < 0.0, 1.0, np.maximum(z, 0.0) + density * gap)
    return np.where(z < 0.0, below, np.log(tau)), np.where(z < 0.0, ratio, (1.0 - density * mills) / tau)
