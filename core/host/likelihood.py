"""The log marginal likelihood of a Matern-5/2 process and its gradient in one pass, and the fit, on the host.

With ``u = sqrt(5) r`` the correlation is ``(1 + u + u^2 / 3) e^-u``, and its derivative in a logarithm of a lengthscale

    d kappa / d log l_j = 5/3 (1 + u) e^-u ((x_j - x'_j) / l_j)^2,

without a root in a divisor. With ``W = 1/2 (alpha alpha^T - C^{-1})`` the likelihood changes by ``tr(W dC)``
(Rasmussen & Williams 2006, eq. 5.9); in the logarithm of the prior variance this is
``1/2 (y^T alpha - n) - sum_i W_ii v_i`` over the noise variances v on the diagonal of C. Arrays are unpadded, only the
lower triangle is computed, in blocks of rows that stay in the cache, and LAPACK inverts from the Cholesky factor.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy  # scipy loads the parts of its linear algebra at first use
from jaxtyping import Float

from core.host.bfgs import bounded_bfgs
from core.models.gaussian_process import JITTER
from core.models.hyperparameters import TOLERANCE, Bounds, starting_points

__all__ = ["Likelihood", "fit", "matern52"]

ROWS = 64
"""Rows of a block."""

RESTED, RESTED_TOLERANCE = 128, 1e-3
"""Observations from which on a fit starts from the last fit, or from one other starting point where that is better:
each of them in turn, one a fit. It ends by this tolerance: the last fit stays where the likelihood asks for no more.
With fewer observations all starting points are scored at every fit."""


def matern52(squared: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``kappa`` and ``-2 d kappa / d r^2`` of squared scaled distances."""
    u = np.sqrt(5.0 * squared)
    decay = np.exp(-u)
    slope = (1.0 + u) * decay
    decay *= squared
    decay *= 5.0 / 3.0
    decay += slope
    slope *= 5.0 / 3.0
    return decay, slope


@dataclass(frozen=True)
class Likelihood:
    """``theta -> log N(y; 0, C(theta))``: :func:`core.models.hyperparameters.log_posterior` without a prior.

    Attributes:
        x: points, shape (n, d).
        y: outputs, shape (n,).
        known: known noise variances, shape (n,).
    """

    x: Float[np.ndarray, "n d"]
    y: Float[np.ndarray, " n"]
    known: Float[np.ndarray, " n"]

    def covariance(self, theta: Float[np.ndarray, " p"]) -> tuple[Float[np.ndarray, "n n"], Float[np.ndarray, " n"]]:
        """The lower triangle of C, and the noise variances with the jitter on its diagonal."""
        *_, variance, noise = np.exp(theta)
        count = len(self.y)
        matrix = np.empty((count, count))
        for rows, columns, squares in self._blocks(theta):
            matrix[rows, columns] = variance * matern52(sum(squares, np.zeros(squares[0].shape)))[0]
        diagonal: np.ndarray = self.known + noise + JITTER * variance
        matrix[np.diag_indices(count)] = variance + diagonal
        return matrix, diagonal

    def evaluate(self, theta: Float[np.ndarray, " p"]) -> tuple[float, Callable[[], Float[np.ndarray, " p"]]]:
        """The value, NaN where C is not positive definite, and what computes the gradient, once."""
        matrix, diagonal = self.covariance(theta)
        factor, failed = scipy.linalg.lapack.dpotrf(matrix.T, lower=0, clean=0, overwrite_a=1)
        if failed:
            return np.nan, lambda: np.full(len(theta), np.nan)
        whitened = scipy.linalg.lapack.dtrtrs(factor, self.y, lower=0, trans=1)[0]
        value = -0.5 * (whitened @ whitened + len(self.y) * np.log(2.0 * np.pi)) - np.log(np.diagonal(factor)).sum()
        return float(value), lambda: self._gradient(theta, factor, whitened, diagonal)

    def _gradient(
        self, theta: np.ndarray, factor: np.ndarray, whitened: np.ndarray, diagonal: np.ndarray
    ) -> Float[np.ndarray, " p"]:
        dim, variance = self.x.shape[1], np.exp(theta[-2])
        weights = scipy.linalg.lapack.dtrtrs(factor, whitened, lower=0)[0]
        inverse = scipy.linalg.lapack.dpotri(factor, lower=0, overwrite_c=1)[0].T  # lower triangle
        gradient = np.zeros(dim + 2)
        for rows, columns, squares in self._blocks(theta):
            by_pair = weights[rows, None] * weights[None, columns]
            by_pair -= inverse[rows, columns]
            by_pair *= matern52(sum(squares, np.zeros(squares[0].shape)))[1]
            by_pair[:, rows.start :] = np.tril(by_pair[:, rows.start :])
            gradient[:dim] += [np.vdot(by_pair, square) for square in squares]
        own = 0.5 * (weights**2 - np.diagonal(inverse))
        gradient[:dim] *= variance
        gradient[-2] = 0.5 * (whitened @ whitened - len(weights)) - own @ (diagonal - JITTER * variance)
        gradient[-1] = np.exp(theta[-1]) * own.sum()
        return gradient

    def _blocks(self, theta: np.ndarray) -> Iterator[tuple[slice, slice, list[np.ndarray]]]:
        """Rows, columns up to the diagonal, and squared scaled differences in every coordinate."""
        scaled = (self.x / np.exp(theta[:-2])).T.copy()
        for start in range(0, len(self.y), ROWS):
            rows = slice(start, min(start + ROWS, len(self.y)))
            differences = [column[rows, None] - column[None, : rows.stop] for column in scaled]
            yield rows, slice(0, rows.stop), [np.multiply(d, d, out=d) for d in differences]


def fit(
    likelihood: Likelihood,
    initial: Float[np.ndarray, " p"],
    *,
    bounds: Bounds,
    starts: int,
    candidates: int,
    max_steps: int = 50,
) -> Float[np.ndarray, " p"]:
    """The hyperparameters of largest likelihood: :func:`core.models.hyperparameters.fit_hyperparameters`.

    Args:
        likelihood: of the data, y standardised.
        initial: the first starting point, such as the last fit.
        bounds, starts, candidates, max_steps: as there; from ``RESTED`` observations on, two candidates and one start.

    Returns:
        d lengthscales, the variance and the noise variance.
    """
    count, dim = likelihood.x.shape
    lower, upper = bounds.log_box(dim)
    tolerance = TOLERANCE
    points = np.concatenate([np.log(initial)[None], starting_points(candidates - 1, dim)])[:candidates]
    if count >= RESTED and candidates > 1:
        points, starts = points[[0, 1 + count % (candidates - 1)]], 1
        tolerance = RESTED_TOLERANCE
    points = np.clip(points, lower, upper)
    scores = np.array([likelihood.evaluate(point)[0] for point in points])
    scores[np.isnan(scores)] = -np.inf
    chosen = np.argsort(-scores, kind="stable")[:starts]

    def objective(thetas: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
        found = [likelihood.evaluate(theta) for theta in thetas]

        def slopes(wanted: np.ndarray) -> np.ndarray:
            return np.stack([gradient() for (_, gradient), used in zip(found, wanted, strict=True) if used])

        return np.array([value for value, _ in found]), slopes

    thetas, values = bounded_bfgs(
        objective, points[chosen], lower, upper, max_steps, scale=float(max(count, 1)), tolerance=tolerance
    )
    thetas, values = np.concatenate([points[chosen[:1]], thetas]), np.append(scores[chosen[:1]], values)
    best: np.ndarray = np.exp(thetas[np.argmax(values)])
    return best
