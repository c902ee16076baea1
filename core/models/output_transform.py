"""A monotone transformation of outputs with a long tail of bad values, decided by likelihood.

A stationary Gaussian process explains a wall of values far below the rest by a large variance, and sees nothing of what
is near the best. With b the best gain, ``T(y) = -log(1 + (b - y) / s)`` has slope 1/s at b, and draws the tail in. The
scale s is one of ``SCALES`` times the distance of b from the median, or there is no transformation: what has the
largest likelihood of the *untransformed* values, ``log p(T(y)) + sum log T'(y_i)``, at fitted hyperparameters. A
transformation must be ``MARGIN`` ahead of none, and there is none where half of the values are the best up to rounding.
"""

from collections.abc import Callable

import numpy as np

__all__ = ["MARGIN", "SCALES", "checkpoint", "scale_of", "transformed"]

SCALES = (1.0, 0.1, 0.01)

MARGIN = 5.0
"""Log likelihood by which a transformation must be ahead."""

ROUNDING = 1e-12
"""Distance of the best from the median, as a share of the largest absolute value, below which the distance may be
rounding."""


def transformed(gains: np.ndarray, scale: float | None) -> np.ndarray:
    """T of values of which larger is better; themselves without a scale."""
    return gains if scale is None else -np.log1p((gains.max() - gains) / scale)


def checkpoint(count: int, first: int) -> int:
    """The number of evaluations behind the present decision, which is made after the design and after each further
    quarter."""
    at = first
    while at + max(1, at // 4) <= count:
        at += max(1, at // 4)
    return at


def scale_of(gains: np.ndarray, likelihood: Callable[[float | None], float]) -> float | None:
    """The scale to use; None for no transformation.

    Args:
        gains: the values, larger is better, shape (t,).
        likelihood: log likelihood of the standardised transformed values at fitted hyperparameters, of a scale.
    """
    gaps = gains.max() - gains
    distance = float(np.median(gaps))
    if len(gains) < 5 or not distance > ROUNDING * np.abs(gains).max():
        return None

    def of_values(scale: float | None) -> float:
        spread = np.std(transformed(gains, scale))
        slopes = 0.0 if scale is None else -np.sum(np.log(scale + gaps))
        return likelihood(scale) - len(gains) * float(np.log(spread)) + float(slopes)

    found = {scale: of_values(scale) for scale in (None, *(factor * distance for factor in SCALES))}
    best = max(found, key=lambda scale: found[scale])
    return best if found[best] > found[None] + MARGIN else None
