"""SBO-KDE and DRBO-KDE on sample paths of a GP of finite rank, whose posterior is exact.

f(x, c) = psi(x_1) (x) ... (x) psi(c_Dc) . w with w standard normal and psi(u) = (sqrt(l_j) cos(pi j u), sqrt(l_j)
sin(pi j u)), sum_j l_j = 1: a stationary kernel with k(z, z) = 1. The posterior is a linear regression on w. Assumption
1 holds with known constants: |df/dz_i| <= |w| s, s^2 = sum_j l_j (pi j)^2, and P(|w| > u) <= 2^(m/2) exp(-u^2 / 4) for
m weights, so a = 2^(m/2), b = 2 s. beta_t is the theorems' or fixed, x lies on a grid, the expectation under p^ is a
mean over M samples, and the worst case is the closed form of Proposition 2 with the infimum over samples and box.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import qmc

from theory_checks.ctx.testbeds.densities import rule_of_thumb

DECISIONS = 21
SAMPLES = 48
BOX = 16
"""The number of contexts of the box over which, with the samples, the infimum is taken."""
NOISE = 0.1
Draw = Callable[[np.random.Generator, int], np.ndarray]


def waves(u: np.ndarray, order: int) -> np.ndarray:
    """psi: (..., D) -> (..., (2 order + 1)^D), products over the D coordinates."""
    shares = 0.5 ** np.arange(order + 1)
    shares = np.sqrt(shares / shares.sum())
    phase = np.pi * np.arange(order + 1) * u[..., None]
    single = np.concatenate([shares * np.cos(phase), (shares * np.sin(phase))[..., 1:]], axis=-1)
    out = single[..., 0, :]
    for k in range(1, u.shape[-1]):
        out = (out[..., :, None] * single[..., k, None, :]).reshape(*u.shape[:-1], -1)
    return np.asarray(out)


def slope(order: int) -> float:
    """s = sqrt(sum_j l_j (pi j)^2)."""
    shares = 0.5 ** np.arange(order + 1)
    return float(math.pi * math.sqrt(shares @ np.arange(order + 1) ** 2 / shares.sum()))


@dataclass(frozen=True)
class Setting:
    """A setting of runs: dimension and distribution of the contexts, method, and beta_t ("theorem" or a number)."""

    name: str
    contexts: int
    draw: Draw
    method: str
    beta: str | float
    order: int = 1
    known: bool = False
    """True where samples come from p."""
    bandwidth: float | None = None
    """h, fixed for all t; None for the rule of thumb."""
    radius: float | None = None
    """delta, fixed for all t; None for t^(-2 / (4 + Dc))."""
    shift: float = 0.0
    """The shift added to every context in p^."""

    @property
    def weights(self) -> int:
        """m, with one decision variable."""
        return int((2 * self.order + 1) ** (1 + self.contexts))

    def beta_at(self, t: int) -> float:
        """beta_t = 2 log(t^2 / sqrt(2 pi)) + 2 Dx log(t^2 Dx a b r sqrt(pi) / 2) with Dx = r = 1, at least zero."""
        if not isinstance(self.beta, str):
            return self.beta
        log_ab = self.weights / 2 * math.log(2) + math.log(2 * slope(self.order))
        both = 2 * math.log(t * t) + log_ab + math.log(math.sqrt(math.pi) / 2) - 0.5 * math.log(2 * math.pi)
        return max(2 * both, 0.0)

    def regret(self, horizon: int, runs: int, seed: int) -> np.ndarray:
        """R_t (runs, T) of the stochastic objective.

        Paths, contexts, noise and the first decisions depend on the seed alone, so that runs of two methods are paired.
        """
        rng, sampler = np.random.default_rng(seed), np.random.default_rng([seed, 1])
        grid = waves(np.linspace(0, 1, DECISIONS)[:, None], self.order)
        box = qmc.Halton(self.contexts, scramble=False).random(BOX)
        mean_features = waves(self.draw(np.random.default_rng(seed + 1), 100_000), self.order).mean(axis=0)
        mx, mc = grid.shape[1], len(mean_features)
        truth = rng.standard_normal((runs, mx, mc))
        value = truth @ mean_features @ grid.T  # E_p f(x, .), (runs, decisions)
        covariance = np.tile(np.eye(mx * mc), (runs, 1, 1))
        moment = np.zeros((runs, mx * mc))
        contexts = np.empty((runs, horizon, self.contexts))
        losses = np.empty((runs, horizon))
        first = rng.integers(DECISIONS, size=(runs, 2))
        rows = np.arange(runs)
        for t in range(1, horizon + 1):
            if t <= 2:
                chosen = first[:, t - 1]
            else:
                samples = self._samples(contexts[:, : t - 1], sampler)
                chosen = self._choose(t, grid, samples, box, covariance, moment)
            losses[:, t - 1] = value.max(axis=1) - value[rows, chosen]
            contexts[:, t - 1] = self.draw(rng, runs)
            feature = (grid[chosen][:, :, None] * waves(contexts[:, t - 1], self.order)[:, None, :]).reshape(runs, -1)
            seen = np.einsum("rm,rm->r", feature, truth.reshape(runs, -1)) + NOISE * rng.standard_normal(runs)
            gain = np.einsum("rmn,rn->rm", covariance, feature)
            variance = np.einsum("rm,rm->r", feature, gain)
            covariance -= gain[:, :, None] * gain[:, None, :] / (variance + NOISE**2)[:, None, None]
            moment += feature * seen[:, None] / NOISE**2
        return np.cumsum(losses, axis=1)

    def _samples(self, past: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """M draws from p^ of each run, or from p where p is known, (runs, M, Dc)."""
        runs, count, _ = past.shape
        if self.known:
            return self.draw(rng, runs * SAMPLES).reshape(runs, SAMPLES, self.contexts)
        if self.bandwidth is None:
            bandwidths = rule_of_thumb(past)
        else:
            bandwidths = np.full((runs, self.contexts), self.bandwidth)
        picked = self.shift + past[np.arange(runs)[:, None], rng.integers(count, size=(runs, SAMPLES))]
        return np.asarray(picked + bandwidths[:, None] * rng.standard_normal(picked.shape))

    def _choose(
        self, t: int, grid: np.ndarray, samples: np.ndarray, box: np.ndarray, covariance: np.ndarray, moment: np.ndarray
    ) -> np.ndarray:
        """argmax over the grid of the mean, or the worst mean, of ucb over the samples, (runs,)."""
        runs, mx = len(samples), grid.shape[1]
        where = np.concatenate([samples, np.tile(box, (runs, 1, 1))], axis=1) if self.method == "drbo" else samples
        at = waves(where, self.order)
        mean_weights = np.einsum("rmn,rn->rm", covariance, moment).reshape(runs, mx, -1)
        mean = np.matmul(grid, mean_weights) @ at.transpose(0, 2, 1)
        split = covariance.reshape(runs, mx, at.shape[2], mx, at.shape[2])
        partial = np.einsum("xa,racbd,xb->rxcd", grid, split, grid, optimize=True)
        variance = np.einsum("rxmc,rmc->rxm", np.matmul(at[:, None], partial), at)
        ucb = mean + math.sqrt(self.beta_at(t)) * np.sqrt(np.maximum(variance, 0.0))
        if self.method != "drbo":
            return np.asarray(ucb.mean(axis=2).argmax(axis=1))
        return np.asarray(self._worst(ucb, t).argmax(axis=1))

    def _worst(self, ucb: np.ndarray, t: int) -> np.ndarray:
        """Worst expectation within delta_t, t^(-2 / (4 + Dc)) unless fixed: the infimum replaces the largest values, of
        mass delta / 2."""
        radius = t ** (-2 / (4 + self.contexts)) if self.radius is None else self.radius
        mass = min(radius / 2, 1.0)
        ordered = -np.sort(-ucb[..., :SAMPLES], axis=-1)
        kept = 1 / SAMPLES - np.clip(mass - np.arange(SAMPLES) / SAMPLES, 0.0, 1 / SAMPLES)
        return np.asarray(ordered @ kept + mass * ucb.min(axis=-1))


def normal(dim: int) -> Draw:
    """N(0.5, 0.1^2) in each coordinate, unclipped: sample paths are defined everywhere."""
    return lambda rng, count: 0.5 + 0.1 * rng.standard_normal((count, dim))


def uniform(dim: int) -> Draw:
    """Uniform contexts on the box, which the repaired Lemma 1 excludes."""
    return lambda rng, count: rng.random((count, dim))


def clipped(dim: int) -> Draw:
    """N(0.5, 0.5^2) clipped to the box, with atoms at its ends, which every hypothesis on p excludes."""
    return lambda rng, count: np.clip(0.5 + 0.5 * rng.standard_normal((count, dim)), 0.0, 1.0)
