"""BOKE, BOKE+ and density exploration on a finite grid of the cube, many runs at once, with exact maximisation.

The implementation in numpy is independent of `core`'s policies and is their tests' oracle. On a grid the argmax of A
(14) is exact, and ties can be broken against the claim: every point with W_t(x) = 0 maximises the acquisition, and the
theorems hold for any choice among such points. Distances are Euclidean.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from theory_checks.boke.testbeds.compact_kernels import Profile

Schedule = Callable[[int], float]
"""Maps t, the number of observations, to h_t or to beta_t."""


def grid_of(per_side: int, dim: int) -> np.ndarray:
    """The points (g, d) of a regular grid of the unit cube with `per_side` points a side, corners included."""
    axes = np.meshgrid(*[np.linspace(0.0, 1.0, per_side)] * dim, indexing="ij")
    return np.stack([axis.ravel() for axis in axes], axis=-1)


@dataclass(frozen=True)
class Method:
    """A method that maximises A (14) with probability `explore` and A (16) otherwise; `density_only` maximises A (12).

    `ties` names the choice among the points with W_t = 0: "nearest" to the data, "farthest" or "random". `kernel` is a
    profile of ||x - x'|| / h; `beta` maps t to beta_t > 0.
    """

    kernel: Profile | Callable[[np.ndarray], np.ndarray]
    bandwidth: Schedule
    beta: Schedule
    ties: str = "nearest"
    explore: float = 1.0
    density_only: bool = False


@dataclass(frozen=True)
class Runs:
    """s runs of T queries: grid indices (s, T), observed values (s, T), fill distance after each query (s, T).

    `uncovered` (s, T) is true at an exploration step with some W_t(x) = 0. `total`, `weight` and `counts` (s, g) hold
    sum k y, W and the visits of every grid point under the last bandwidth.
    """

    index: np.ndarray
    y: np.ndarray
    fill: np.ndarray
    uncovered: np.ndarray
    total: np.ndarray
    weight: np.ndarray
    counts: np.ndarray

    def simple_regret(self, values: np.ndarray) -> np.ndarray:
        """max f - max_{i <= t} f(x_i), shape (s, T)."""
        return float(values.max()) - np.maximum.accumulate(values[self.index], axis=1)


def distances_of(grid: np.ndarray) -> np.ndarray:
    """All pairwise distances (g, g)."""
    square = ((grid[:, None, :] - grid[None, :, :]) ** 2).sum(-1)
    return np.sqrt(square)


def run(
    method: Method,
    grid: np.ndarray,
    values: np.ndarray,
    noise: np.ndarray,
    first: np.ndarray,
    rng: np.random.Generator,
    distances: np.ndarray | None = None,
) -> Runs:
    """Runs the method from grid indices `first` (s,) for the T steps of `noise` (s, T); y_t = values[x_t] + noise_t."""
    runs, steps = noise.shape
    between = distances_of(grid) if distances is None else distances
    size, row = len(grid), np.arange(runs)
    counts, sums = np.zeros((runs, size)), np.zeros((runs, size))
    total, weight = np.zeros((runs, size)), np.zeros((runs, size))
    nearest = np.full((runs, size), np.inf)
    nearest_sum, nearest_count = np.zeros((runs, size)), np.ones((runs, size))
    index, y = np.zeros((runs, steps), int), np.zeros((runs, steps))
    fill, uncovered = np.zeros((runs, steps)), np.zeros((runs, steps), bool)
    gram, h = None, np.nan
    for t in range(steps):
        if t:
            zero = weight <= 0.0
            positive = np.where(zero, 1.0, weight)
            mean = np.where(zero, nearest_sum / nearest_count, total / positive)
            explores = rng.random(runs) < method.explore
            bonus = -weight if method.density_only else mean + np.sqrt(method.beta(t)) / np.sqrt(positive)
            order = {"nearest": -nearest, "farthest": nearest, "random": rng.random((runs, size))}[method.ties]
            frontier = np.where(zero, order, -np.inf).argmax(1)
            open_runs = zero.any(1)
            best = np.where(open_runs, frontier, bonus.argmax(1))
            chosen = np.where(explores, best, mean.argmax(1))
            uncovered[:, t] = open_runs & explores
        else:
            chosen = first
        index[:, t], y[:, t] = chosen, values[chosen] + noise[:, t]
        counts[row, chosen] += 1
        sums[row, chosen] += y[:, t]
        apart = between[chosen]
        closer, equal = apart < nearest, apart == nearest
        nearest_sum = np.where(closer, y[:, t, None], nearest_sum + np.where(equal, y[:, t, None], 0.0))
        nearest_count = np.where(closer, 1.0, nearest_count + equal)
        nearest = np.minimum(nearest, apart)
        fill[:, t] = nearest.max(1)
        if method.bandwidth(t + 1) != h or gram is None:
            h = method.bandwidth(t + 1)
            gram = method.kernel(between / h)
            weight, total = counts @ gram, sums @ gram
        else:
            weight, total = weight + gram[chosen], total + gram[chosen] * y[:, t, None]
    return Runs(index, y, fill, uncovered, total, weight, counts)
