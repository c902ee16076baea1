"""RA-BO and UHE-BO on sample paths over a grid: Algorithm 1 with D (8) on pseudo-data, GP-UCB with the theorem's
beta_t.

f is drawn on the grid, and the acquisition is maximised exactly over the grid. L-BFGS-B maximises the likelihood of the
pseudo-data from the last estimate and from a fixed start, as in `experiments.uhe.likelihood`.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.exp3 import Exp3, paired_exploration_rate
from experiments.uhe.likelihood import PROFILES, maximum_likelihood

LENGTHSCALE, NOISE = 0.2, 0.1
POINTS = 201
INITIAL = 3
BOX = np.log(np.array([(0.01, 10.0), (1e-2, 1e2), (1e-4, 1.0)]))
START = np.log(np.array([0.3, 1.0, 0.05]))
TRUTH = np.log(np.array([LENGTHSCALE, 1.0, NOISE**2]))
DELTA = 0.1


def beta(t: float, kernel: str, dim: int = 1) -> float:
    """beta_t of Theorem 6.6 with r = 1, a_t = 2 and b_t = sqrt(2) times the true deviation of a derivative (the paper
    does not print these constants)."""
    second = 1.0 if kernel == "squared_exponential" else 5 / 3
    b = math.sqrt(2 * second) / LENGTHSCALE
    half = (t / 2) ** 2
    return 2 * math.log(half * 2 * math.pi**2 / (3 * DELTA)) + 2 * dim * math.log(
        half * dim * b * math.sqrt(math.log(4 * dim * 2 / DELTA))
    )


@dataclass(frozen=True)
class Play:
    """Runs with a kernel of "ra_bo", "uhe_bo", "random" (uniform queries alone) or "fixed" (the first query
    forever). `known`: with the true hyperparameters in the place of estimates."""

    method: str
    kernel: str
    known: bool = False

    def regret(self, horizon: int, runs: int, seed: int) -> np.ndarray:
        """Simple regret (runs, T) after every evaluation but the initial ones."""
        grid = np.linspace(0, 1, POINTS)
        truth = self._correlation(grid, grid, LENGTHSCALE)
        eigenvalues, vectors = np.linalg.eigh(truth)
        root = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
        return np.stack([self._one(horizon, grid, root, np.random.default_rng((seed, run))) for run in range(runs)])

    def _correlation(self, first: np.ndarray, second: np.ndarray, lengthscale: float) -> np.ndarray:
        return PROFILES[self.kernel]((first[:, None] - second) ** 2 / lengthscale**2)[0]

    def _one(self, horizon: int, grid: np.ndarray, root: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        f = root @ rng.standard_normal(len(grid))
        queried = list(rng.integers(len(grid), size=INITIAL))
        y = [float(f[i] + NOISE * rng.standard_normal()) for i in queried]
        lower, upper = min(y), max(y)
        bandit, arm, last = Exp3.init(2, paired_exploration_rate(horizon)), 0, START
        for t in range(1, horizon + 1):
            if t % 2 == 1 and self.method == "uhe_bo":
                arm = int(rng.random() >= float(bandit.probabilities()[0]))
            if self.method == "fixed":
                chosen = queried[0]
            elif self.method == "random" or (t % 2 == 1 and arm == 0):
                chosen = int(rng.integers(len(grid)))
            else:
                last = TRUTH if self.known else self._estimate(grid[queried], np.array(y), last, rng)
                chosen = self._acquire(grid, queried, np.array(y), np.exp(last), beta(t + 1, self.kernel))
            queried.append(chosen)
            y.append(float(f[chosen] + NOISE * rng.standard_normal()))
            if t % 2 == 0 and self.method == "uhe_bo":
                bandit = bandit.update(arm, float(np.clip((max(y[-2:]) - lower) / (upper - lower), 0.0, 1.0)))
        best = np.maximum.accumulate(f[queried[INITIAL:]])
        return np.asarray(f.max() - best)

    def _estimate(self, x: np.ndarray, y: np.ndarray, last: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Logarithms of the estimates from 2 |D| pseudo-data."""
        points = rng.random(2 * len(x))
        values = y[np.abs(points[:, None] - x).argmin(axis=1)]
        found, _ = maximum_likelihood(self.kernel, points[:, None], values, BOX, np.stack([last, START]))
        return np.log(found)

    def _acquire(
        self, grid: np.ndarray, queried: list[int], y: np.ndarray, parameters: np.ndarray, beta_t: float
    ) -> int:
        """argmax over the grid of mu + sqrt(beta_t) sigma given the data."""
        lengthscale, variance, noise = parameters
        x = grid[queried]
        gram = variance * self._correlation(x, x, lengthscale) + noise * np.eye(len(x))
        cross = variance * self._correlation(grid, x, lengthscale)
        whitened = np.linalg.solve(np.linalg.cholesky(gram), np.column_stack([cross.T, y]))
        mean = whitened[:, :-1].T @ whitened[:, -1]
        spread = np.sqrt(np.maximum(variance - (whitened[:, :-1] ** 2).sum(axis=0), 0.0))
        return int(np.argmax(mean + math.sqrt(beta_t) * spread))
