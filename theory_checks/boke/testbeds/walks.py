"""Values of kernel regression with its nearest-neighbour extension along lines, and brackets of its jumps."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from core.models.kernels import SMOOTHING
from core.models.regression import kernel_regression
from theory_checks.scales import ByScale

WALKS = ByScale(6, 120, 1200)
"""Walks for each kernel of finite support; every walk has its own dataset."""
LEVELS = (8, 12)
"""The levels of the coarse and of the fine brackets, which are 2^-level of a walk."""
STEP = 0.05
"""The least share of the range of y by which m_t varies on a bracket that counts."""
DIMENSIONS = (1, 2, 3)
POINTS = 6
SEED = 4100
Psi = Callable[[np.ndarray], np.ndarray]


def _radius(u: np.ndarray) -> np.ndarray:
    return np.sqrt(np.sum(u * u, axis=-1))


def _ellipse(u: np.ndarray) -> np.ndarray:
    """A kernel that is not radial: max(1 - u^T A u, 0) with a diagonal A."""
    return np.maximum(1.0 - np.sum(u * u * (1.0 + 2.0 * np.arange(u.shape[-1])), axis=-1), 0.0)


def _annulus(u: np.ndarray) -> np.ndarray:
    """A kernel that is not monotone: a peak of radius 1/4, a zero zone, and a ring between radii 1/2 and 1."""
    r = _radius(u)
    return np.maximum(1.0 - 4.0 * r, 0.0) + np.maximum(0.5 - 2.0 * np.abs(r - 0.75), 0.0)


KERNELS: dict[str, Psi] = {
    "epanechnikov": lambda u: np.maximum(1.0 - np.sum(u * u, axis=-1), 0.0),
    "uniform": lambda u: (np.sum(u * u, axis=-1) <= 1.0).astype(float),
    "ellipse": _ellipse,
    "annulus": _annulus,
}
"""Kernels whose zero set has a null boundary. All except the uniform kernel, which is not continuous, satisfy
Assumption 3."""


def extended_regression(x: np.ndarray, data_x: np.ndarray, data_y: np.ndarray, h: float, psi: Psi) -> np.ndarray:
    """m_t at the rows of x: A (5) where W_t > 0, the nearest-neighbour mean elsewhere."""
    offsets = x[:, None, :] - data_x[None, :, :]
    weights = psi(offsets / h)
    total = weights.sum(axis=1)
    squared = np.sum(offsets**2, axis=-1)
    nearest = squared <= squared.min(axis=1, keepdims=True) * (1.0 + 1e-14)
    regression = (weights @ data_y) / np.where(total > 0, total, 1.0)
    return np.where(total > 0, regression, (nearest @ data_y) / nearest.sum(axis=1))


@dataclass(frozen=True)
class Bracketed:
    """Length at both levels, as a share of the walk, of the intervals on which m_t varies by a step."""

    coarse: float
    fine: float

    @property
    def ratio(self) -> float:
        """fine / coarse; 0 where nothing was bracketed."""
        return self.fine / self.coarse if self.coarse else 0.0


def bracket(positions: np.ndarray, values: np.ndarray, step: float, level: int) -> float:
    """Share of the 2^level equal parts of [0, 1] on which the values at the given positions vary by at least `step`.

    A position on the border of two parts belongs to both.
    """
    parts = 2**level
    low, high = np.full(parts, np.inf), np.full(parts, -np.inf)
    for part in (np.floor(positions * parts), np.ceil(positions * parts) - 1.0):
        index = np.clip(part, 0, parts - 1).astype(int)
        np.minimum.at(low, index, values)
        np.maximum.at(high, index, values)
    return float(np.mean(high - low >= step))


def critical_positions(start: np.ndarray, end: np.ndarray, data_x: np.ndarray, h: float) -> np.ndarray:
    """Positions where the walk crosses a sphere of radius h/4, h/2 or h about a data point, or a bisector of two."""
    direction, found = end - start, []
    a = direction @ direction
    for centre in data_x:
        offset = start - centre
        b = offset @ direction
        for radius in (h, h / 2, h / 4):
            root = b * b - a * (offset @ offset - radius * radius)
            if root >= 0:
                found.extend([(-b - math.sqrt(root)) / a, (-b + math.sqrt(root)) / a])
    for i, first in enumerate(data_x):
        for second in data_x[:i]:
            slope = 2.0 * direction @ (second - first)
            if slope != 0:
                found.append((second @ second - first @ first - 2.0 * start @ (second - first)) / slope)
    inside = np.array([value for value in found if 0.0 < value < 1.0])
    return inside.reshape(-1)


OFFSET = 1e-9
"""Distance, as a share of the walk, at which both sides of a critical position are evaluated."""


def walks(scale: str) -> Iterator[tuple[np.ndarray, np.ndarray, float, np.ndarray, np.ndarray]]:
    """(data_x, data_y, h, start, end): random and lattice data in the unit cube, random lines, random bandwidths."""
    for index in range(WALKS[scale]):
        random = np.random.default_rng([SEED, index])
        dim = DIMENSIONS[index % len(DIMENSIONS)]
        lattice = random.integers(0, 4, (POINTS, dim)) / 4 + 0.125
        data_x = lattice if index % 2 else random.uniform(size=(POINTS, dim))
        start, end = random.uniform(size=dim), random.uniform(size=dim)
        yield data_x, random.permutation(np.arange(POINTS) - 2.0), 10.0 ** random.uniform(-1.0, 0.0), start, end


@dataclass(frozen=True)
class Walked:
    """Brackets of one walk, its largest jump, its largest jump where W_t vanishes, and core's difference."""

    lengths: Bracketed
    jump: float
    edge_jump: float
    core: float
    counterexample: dict[str, Any]


def walk(kernel: str, data_x: np.ndarray, data_y: np.ndarray, h: float, start: np.ndarray, end: np.ndarray) -> Walked:
    """Measures m_t along one line for a kernel of KERNELS."""
    psi, span = KERNELS[kernel], float(np.ptp(data_y))
    grid = np.linspace(0.0, 1.0, 2 ** LEVELS[1] + 1)
    critical = critical_positions(start, end, data_x, h)
    sides = np.clip(np.stack([critical - OFFSET, critical + OFFSET]), 0.0, 1.0)
    positions = np.concatenate([grid, sides.reshape(-1)])
    x = start + positions[:, None] * (end - start)
    values = extended_regression(x, data_x, data_y, h, psi)
    lengths = Bracketed(*(bracket(positions, values, STEP * span, level) for level in LEVELS))
    before, after = values[len(grid) :].reshape(2, -1)
    covered = (psi((x[len(grid) :, None, :] - data_x) / h).sum(axis=1) > 0).reshape(2, -1)
    jumps = np.abs(after - before) / span
    edges = jumps[covered[0] != covered[1]]
    largest = int(np.argmax(jumps)) if len(jumps) else -1
    stored = {"kernel": kernel, "data_x": data_x, "data_y": data_y, "h": h}
    if largest >= 0:
        stored["pair"] = x[[len(grid) + largest, len(grid) + len(critical) + largest]]
    core = float(
        np.max(np.abs(_core_values(kernel, x[: len(grid) : 16], data_x, data_y, h) - values[: len(grid) : 16]))
    )
    jump, edge = (float(np.max(item)) if len(item) else 0.0 for item in (jumps, edges))
    return Walked(lengths, jump, edge, core / span, stored)


def _core_values(kernel: str, x: np.ndarray, data_x: np.ndarray, data_y: np.ndarray, h: float) -> np.ndarray:
    """`core`'s kernel regression at the rows of x where `core` has the kernel, `extended_regression` otherwise."""
    if kernel not in SMOOTHING:
        return extended_regression(x, data_x, data_y, h, KERNELS[kernel])
    pad = ((0, 0), (0, max(DIMENSIONS) - x.shape[1]))
    return np.asarray(_COMPILED[kernel](np.pad(x, pad), np.pad(data_x, pad), data_y, h))


_COMPILED = {
    name: jax.jit(
        jax.vmap(
            lambda x, data_x, data_y, h, k=SMOOTHING[name]: kernel_regression(x, data_x, data_y, h, k),
            in_axes=(0, None, None, None),
        )
    )
    for name in KERNELS
    if name in SMOOTHING
}
