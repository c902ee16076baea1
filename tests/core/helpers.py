"""Data sets off the origin, oracles in extended precision, and finite differences, for the tests of `core`.

The oracles follow the formulas of the paper term by term, in numpy's long double: no log space, no soft-max.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

Profile = Callable[[np.ndarray], np.ndarray]

LD = np.longdouble

OPTIMISED: Any = {"compiler_options": {"xla_backend_optimization_level": 3}}
"""Options of `jit` for programs whose last digits matter: they are compiled as users' programs are, not in a hurry
(conftest)."""


def l2(u: np.ndarray) -> np.ndarray:
    """Euclidean norm over the last axis."""
    return np.sqrt(np.sum(u * u, axis=-1))


def l1(u: np.ndarray) -> np.ndarray:
    """Manhattan norm over the last axis."""
    return np.sum(np.abs(u), axis=-1)


# Psi(u) of the five smoothing kernels, u = (x - x') / h.
PROFILES: dict[str, Profile] = {
    "gaussian": lambda u: np.exp(-(l2(u) ** 2) / 2),
    "epanechnikov": lambda u: np.maximum(1 - l2(u) ** 2, 0),
    "uniform": lambda u: (l2(u) <= 1).astype(u.dtype),
    "exponential": lambda u: np.exp(-l2(u)),
    "laplacian": lambda u: np.exp(-l1(u)),
}
COMPACT = ("epanechnikov", "uniform")


def sample_data(count: int, dim: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Points crowded into one corner of the cube, values with an offset and a slope: nothing symmetric or centred."""
    rng = np.random.default_rng(seed)
    x = 0.07 + 0.9 * rng.beta(1.4, 3.1, (count, dim))
    y = 3.7 + x @ np.arange(1.0, dim + 1.0) + np.sin(9.0 * x[:, 0] + 1.3) + 0.1 * rng.normal(size=count)
    return x, y


def weights(name: str, x: np.ndarray, data_x: np.ndarray, bandwidth: float) -> np.ndarray:
    """k(x, x_i; h) for every i, in long double."""
    return PROFILES[name]((x.astype(LD) - data_x.astype(LD)) / LD(bandwidth))


def nearest_mean(x: np.ndarray, data_x: np.ndarray, data_y: np.ndarray, norm: Callable = l2) -> float:
    """Mean of y over the nearest data points."""
    distance = norm(x - data_x)
    return float(np.mean(data_y[distance == distance.min()]))


def regression(name: str, x: np.ndarray, data_x: np.ndarray, data_y: np.ndarray, bandwidth: float) -> float:
    """A (5), and the nearest-neighbour mean where the weights vanish."""
    w = weights(name, x, data_x, bandwidth)
    if w.sum() == 0:
        return nearest_mean(x, data_x, data_y, l1 if name == "laplacian" else l2)
    return float((w * data_y.astype(LD)).sum() / w.sum())


def gradient(function: Callable[[np.ndarray], float], x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """Central differences."""
    shifts = step * np.eye(len(x))
    return np.array([(float(function(x + e)) - float(function(x - e))) / (2 * step) for e in shifts])
