"""Ten functions on which the default's settings are chosen: they decide nothing else, and no page shows them.

Formulas and boxes as in :mod:`benchmarks.peers.others`; two are sample paths of a Gaussian process with the squared
exponential kernel, from 200 random Fourier features.
"""

import numpy as np

from benchmarks.peers.functions import Function, shifted

__all__ = ["DEVELOPMENT"]


def _himmelblau(x: np.ndarray) -> float:
    return (x[0] ** 2 + x[1] - 11) ** 2 + (x[0] + x[1] ** 2 - 7) ** 2


def _helical_valley(x: np.ndarray) -> float:
    angle = np.arctan2(x[1], x[0]) / (2 * np.pi)
    return 100 * ((x[2] - 10 * angle) ** 2 + (np.hypot(x[0], x[1]) - 1) ** 2) + x[2] ** 2


def _shekel(x: np.ndarray) -> float:
    wells = np.array(
        [[4, 4, 4, 4], [1, 1, 1, 1], [8, 8, 8, 8], [6, 6, 6, 6], [3, 7, 3, 7], [2, 9, 2, 9], [5, 5, 3, 3]], float
    )
    return -np.sum(1.0 / (np.sum((x - wells) ** 2, axis=1) + np.array([1, 2, 2, 4, 4, 6, 3]) / 10))


def _zakharov(x: np.ndarray) -> float:
    slope = 0.5 * np.arange(1, len(x) + 1) @ x
    return x @ x + slope**2 + slope**4


def _rastrigin(x: np.ndarray) -> float:
    return np.sum(x**2 - 10 * np.cos(2 * np.pi * x) + 10)


def _trid(x: np.ndarray) -> float:
    return np.sum((x - 1) ** 2) - x[1:] @ x[:-1]


def _borehole(x: np.ndarray) -> float:
    """Flow of water through a borehole, cubic metres a year."""
    radius, influence, upper, head, lower, low_head, length, conductivity = x
    ratio = np.log(influence / radius)
    leak = 2 * length * upper / (ratio * radius**2 * conductivity)
    return 2 * np.pi * upper * (head - low_head) / (ratio * (1 + leak + upper / lower))


def _ellipsoid(x: np.ndarray) -> float:
    return np.sum(np.cumsum(x) ** 2)


class _Path:
    """A sample path with a lengthscale, on the unit cube."""

    def __init__(self, dim: int, lengthscale: float, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.frequencies = rng.normal(size=(200, dim)) / lengthscale
        self.phases, self.weights = rng.uniform(0.0, 2 * np.pi, 200), rng.normal(size=200) * np.sqrt(2 / 200)

    def __call__(self, x: np.ndarray) -> float:
        return self.weights @ np.cos(self.frequencies @ x + self.phases)


def _path(dim: int, lengthscale: float, place: tuple[float, ...]) -> Function:
    formula = _Path(dim, lengthscale, seed=dim)
    return Function(f"path{dim}", formula, ((0.0, 1.0),) * dim, place, float(formula(np.array(place))))


def _all() -> dict[str, Function]:
    borehole = (
        (0.05, 0.15),
        (100, 50000),
        (63070, 115600),
        (990, 1110),
        (63.1, 116),
        (700, 820),
        (1120, 1680),
        (9855, 12045),
    )
    driest = (0.05, 50000.0, 63070.0, 990.0, 63.1, 820.0, 1680.0, 9855.0)
    shekel = (4.00057291, 4.00068936, 3.99948971, 3.99960616)
    found = [
        Function("himmelblau2", _himmelblau, ((-5, 5),) * 2, (3.0, 2.0), 0.0),
        Function("helical_valley3", _helical_valley, ((-10, 10),) * 3, (1.0, 0.0, 0.0), 0.0),
        _path(3, 0.25, (0.70325920, 0.85899325, 0.99805580)),
        Function("shekel4", _shekel, ((0, 10),) * 4, shekel, float(_shekel(np.array(shekel)))),
        shifted("zakharov", _zakharov, 5, 7.5, 0.0, 0.0),
        shifted("rastrigin", _rastrigin, 5, 5.12, 0.0, 0.0),
        Function("trid6", _trid, ((-36, 36),) * 6, tuple(i * (7.0 - i) for i in range(1, 7)), -50.0),
        _path(6, 0.5, (0.61425186, 0.16773435, 0.20612444, 0.15574363, 0.61616885, 0.56728516)),
        Function("borehole8", _borehole, borehole, driest, float(_borehole(np.array(driest)))),
        shifted("ellipsoid", _ellipsoid, 10, 65.536, 0.0, 0.0),
    ]
    return {function.name: function for function in found}


DEVELOPMENT = _all()
"""Every function by name."""
