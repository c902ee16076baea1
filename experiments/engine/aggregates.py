"""Statistics of many methods over many problems, after Agarwal, Schwarzer, Castro, Courville & Bellemare (2021), "Deep
Reinforcement Learning at the Edge of the Statistical Precipice" (the package rliable).

Scores are arrays (..., problems, runs), smaller being better. Intervals are percentile intervals of the stratified
bootstrap: the runs of each problem are resampled by themselves, so that every replicate holds all problems.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from experiments.engine.statistics import Interval

__all__ = ["interquartile_mean", "performance_profile", "probability_of_improvement", "stratified_bootstrap"]

RESAMPLES = 1000


def interquartile_mean(scores: ArrayLike) -> np.ndarray:
    """The mean of the middle half of all runs of all problems: scores (..., problems, runs) give (...).

    Of n runs in all, floor(n / 4) are left out at either end.
    """
    table = _checked(scores)
    pooled = table.reshape(*table.shape[:-2], -1)
    count = pooled.shape[-1]
    cut = count // 4
    middle = np.partition(pooled, (cut, count - cut - 1), axis=-1)[..., cut : count - cut]
    return np.asarray(middle.mean(axis=-1))


def performance_profile(scores: ArrayLike, thresholds: ArrayLike) -> np.ndarray:
    """The share of all runs with a score of at most each threshold (K,): scores (problems, runs) give (K,)."""
    pooled = np.sort(_checked(scores), axis=None)
    return np.searchsorted(pooled, np.asarray(thresholds, dtype=float), side="right") / len(pooled)


def probability_of_improvement(pairs: ArrayLike) -> np.ndarray:
    """P(X < Y) + P(X = Y) / 2 for a random run of either method on a random problem.

    The mean over problems of Mann and Whitney's U over the number of pairs of runs: (2, ..., problems, runs) give
    (...).
    """
    first, second = _checked(pairs)
    ahead = first[..., :, None] < second[..., None, :]
    tied = first[..., :, None] == second[..., None, :]
    return np.asarray(ahead.mean(axis=(-3, -2, -1)) + 0.5 * tied.mean(axis=(-3, -2, -1)))


def stratified_bootstrap(
    scores: ArrayLike,
    statistic: Callable[[np.ndarray], np.ndarray],
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """A statistic of scores (..., problems, runs) with its interval; it must reduce the last two axes alone.

    One set of resampled runs serves all leading axes. With times there a band stays smooth; with methods that share
    seeds there the methods keep their pairs. Raises ValueError for scores without runs.
    """
    table = _checked(scores)
    problems, runs = table.shape[-2:]
    rows = np.random.default_rng(seed).integers(runs, size=(resamples, problems, runs))
    replicates = statistic(table[..., np.arange(problems)[:, None], rows])
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2], axis=-1)
    return Interval(statistic(table), low, high)


def _checked(scores: ArrayLike) -> np.ndarray:
    table = np.asarray(scores, dtype=float)
    if table.ndim < 2 or 0 in table.shape[-2:]:
        raise ValueError(f"scores must be (..., problems, runs) with at least one of each, not {table.shape}")
    return table
