"""Information gain of observations of a finite set, B (12)."""

from collections.abc import Sequence

import numpy as np


def information(covariance: np.ndarray, indices: Sequence[int], noise: np.ndarray) -> float:
    """I(y; f) = 1/2 log det(I + Sigma^-1/2 K Sigma^-1/2), in nats, of observations of the points `indices`."""
    scale = 1 / np.sqrt(np.asarray(noise, float))
    k = covariance[np.ix_(indices, indices)]
    return 0.5 * float(np.linalg.slogdet(np.eye(len(k)) + scale[:, None] * k * scale[None, :])[1])


def maximum_information(covariance: np.ndarray, noise_variance: float, rounds: int) -> float:
    """gamma_T of B (12) over two or three points, noise of one variance: the maximum over all multisets.

    A multiset with n_i observations of point i gains 1/2 log det(I + N^1/2 K N^1/2 / v^2), N = diag(n).
    """
    n = len(covariance)
    best = 0.0
    for first in range(rounds + 1):
        for second in range(rounds + 1 - first) if n == 3 else [rounds - first]:
            counts = np.array([first, second, rounds - first - second][:n], float)
            root = np.sqrt(counts / noise_variance)
            gain = 0.5 * float(np.linalg.slogdet(np.eye(n) + root[:, None] * covariance * root[None, :])[1])
            best = max(best, gain)
    return best
