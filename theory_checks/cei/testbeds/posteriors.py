"""Gaussian-process posteriors with point-dependent noise, in numpy on finite sets and in 60 digits on pairs.

The module is independent of `core`: it has its own kernels, and conditions the posterior on one observation at a time,
so that a step of a sequential design costs a rank-one update.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

import numpy as np

from theory_checks import exact
from theory_checks.cei.testbeds.normal import to_decimal

SQRT3, SQRT5 = 3.0**0.5, 5.0**0.5


def _distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.sqrt(np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1))


STATIONARY: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "squared_exponential": lambda r: np.exp(-0.5 * r**2),
    "matern12": lambda r: np.exp(-r),
    "matern32": lambda r: (1 + SQRT3 * r) * np.exp(-SQRT3 * r),
    "matern52": lambda r: (1 + SQRT5 * r + 5 * r**2 / 3) * np.exp(-SQRT5 * r),
}
"""The kernels of section 3.1 as functions of distance / lengthscale; all have k(x, x) = 1."""


def gram(kernel: str, a: np.ndarray, b: np.ndarray, lengthscale: float = 1.0) -> np.ndarray:
    """k(a_i, b_j) of a stationary kernel, of "cosine" cos((x - x') / l) in the first coordinate, of "white"
    1{x = x'}, or of "linear" x x' / l^2 in the first coordinate."""
    if kernel == "cosine":
        return np.cos((a[:, None, 0] - b[None, :, 0]) / lengthscale)
    if kernel == "linear":
        return a[:, None, 0] * b[None, :, 0] / lengthscale**2
    if kernel == "white":
        return (_distance(a, b) == 0.0) * 1.0
    return STATIONARY[kernel](_distance(a, b) / lengthscale)


@dataclass
class FinitePosterior:
    """Mean (n,) and covariance (n, n) of f on n points; `observe` conditions on one more noisy value."""

    mean: np.ndarray
    covariance: np.ndarray

    @classmethod
    def prior(cls, covariance: np.ndarray) -> FinitePosterior:
        """f ~ N(0, covariance)."""
        return cls(np.zeros(len(covariance)), np.array(covariance, float))

    def observe(self, index: int, value: float, noise_variance: float) -> None:
        """Conditions on value = f(x_index) + N(0, noise_variance)."""
        column = self.covariance[:, index]
        total = column[index] + noise_variance
        self.mean = self.mean + column * (value - self.mean[index]) / total
        self.covariance = self.covariance - np.outer(column, column) / total

    def variance(self) -> np.ndarray:
        """sigma^2 (n,), not below zero."""
        return np.maximum(np.diagonal(self.covariance), 0.0)

    def difference_deviation(self, incumbent: int) -> np.ndarray:
        """sigma tilde (n,) from every point to the incumbent, exactly zero there."""
        squared = self.variance() + self.variance()[incumbent] - 2 * self.covariance[:, incumbent]
        squared[incumbent] = 0.0
        return np.sqrt(np.maximum(squared, 0.0))


def condition(covariance: np.ndarray, indices: Sequence[int], values: Any, noise: Any) -> FinitePosterior:
    """The posterior after the observations `values` (t,) of the points `indices` with noise variances `noise` (t,)."""
    posterior = FinitePosterior.prior(covariance)
    for index, value, variance in zip(indices, values, noise, strict=True):
        posterior.observe(int(index), float(value), float(variance))
    return posterior


Coordinate = float | Decimal


def decimal_gram(
    kernel: str, a: Sequence[Coordinate], b: Sequence[Coordinate], lengthscale: float, white: float = 0.0
) -> list[list[Decimal]]:
    """60-digit k(a_i, b_j) on the line: a squared exponential or Matern kernel with a share `white` of white noise."""
    with localcontext(exact.DIGITS):
        scale, share = to_decimal(lengthscale), to_decimal(white)

        def value(x: Coordinate, y: Coordinate) -> Decimal:
            r = abs(to_decimal(x) - to_decimal(y)) / scale
            if r == 0:
                return Decimal(1)
            if kernel == "squared_exponential":
                return (1 - share) * (-r * r / 2).exp()
            if kernel == "matern12":
                return (1 - share) * (-r).exp()
            s = r * Decimal({"matern32": 3, "matern52": 5}[kernel]).sqrt()
            return (1 - share) * (1 + s + (s * s / 3 if kernel == "matern52" else 0)) * (-s).exp()

        return [[value(x, y) for y in b] for x in a]


@dataclass(frozen=True)
class Pair:
    """Joint posterior of (f(x), f(x+)) in 60 digits: means, variances, covariance."""

    mean: tuple[Decimal, Decimal]
    variance: tuple[Decimal, Decimal]
    covariance: Decimal

    @property
    def difference(self) -> tuple[Decimal, Decimal]:
        """u = mu(x) - mu(x+) and sigma tilde."""
        with localcontext(exact.DIGITS):
            squared = self.variance[0] + self.variance[1] - 2 * self.covariance
            return self.mean[0] - self.mean[1], max(squared, Decimal(0)).sqrt()


def decimal_pair(
    kernel: str,
    lengthscale: float,
    x: Coordinate,
    incumbent: Coordinate,
    data: Sequence[float],
    y: Sequence[float],
    noise: Sequence[Coordinate],
    white: float = 0.0,
) -> Pair:
    """B (2), (3) on the line by Gaussian elimination in 60 digits, at x and at the incumbent."""
    with localcontext(exact.DIGITS):
        matrix = decimal_gram(kernel, data, data, lengthscale, white)
        for i, variance in enumerate(noise):
            matrix[i][i] += to_decimal(variance)
        cross = decimal_gram(kernel, [x, incumbent], data, lengthscale, white)
        prior = decimal_gram(kernel, [x, incumbent], [x, incumbent], lengthscale, white)
        weights, *whitened = exact.solve(matrix, [[to_decimal(v) for v in y], *cross])

        def dot(a: Sequence[Decimal], b: Sequence[Decimal]) -> Decimal:
            return sum((p * q for p, q in zip(a, b, strict=True)), Decimal(0))

        return Pair(
            (dot(cross[0], weights), dot(cross[1], weights)),
            (prior[0][0] - dot(cross[0], whitened[0]), prior[1][1] - dot(cross[1], whitened[1])),
            prior[0][1] - dot(cross[0], whitened[1]),
        )
