"""Intervals and comparisons over seeds. Repetitions lie along axis 0; everything else is carried along.

The module has only the statistics that the figures and the claims ledger need, each from one reference: Efron &
Tibshirani (1993), An Introduction to the Bootstrap, ch. 13; Clopper & Pearson (1934), Biometrika 26; Wilcoxon (1945),
Biometrics Bulletin 1.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

Statistic = Literal["mean", "median"]
CHUNK = 2**22  # numbers held at once while resampling (32 MiB)
EXACT = 13  # differences up to which scipy's signed-rank test is exact in spite of ties


class Interval(NamedTuple):
    """An estimate between the ends of its confidence interval; arrays of one shape, or scalars."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Comparison(NamedTuple):
    """The difference of a and b over the same seeds: mean of a - b, Wilcoxon's p, and the numbers of seeds won."""

    difference: Interval
    p_value: float
    wins: int  # a > b
    losses: int
    ties: int


def bootstrap_interval(
    samples: ArrayLike, statistic: Statistic = "mean", level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> Interval:
    """The percentile bootstrap interval of the mean or median over axis 0.

    One set of resampled rows serves every column, so columns keep their dependence (a band over time stays smooth).

    Args:
        samples: (n, ...), n >= 1; with n = 1 the interval is the point itself.
        statistic: "mean" or "median".
        level: coverage aimed at, in (0, 1).
        resamples: number of bootstrap samples.
        seed: of the resampling; the same call gives the same numbers.

    Raises ValueError for empty samples, another statistic, or a level outside (0, 1).
    """
    values = _samples(samples)
    _check_level(level)
    if statistic not in ("mean", "median"):
        raise ValueError(f"statistic must be 'mean' or 'median', not {statistic!r}")
    rows = np.random.default_rng(seed).integers(len(values), size=(resamples, len(values)))
    table = values.reshape(len(values), -1)
    if statistic == "mean":
        offsets = len(values) * np.arange(resamples)[:, None]
        counts = np.bincount((rows + offsets).ravel(), minlength=rows.size).reshape(rows.shape)
        replicates = counts @ table / len(values)
        estimate = values.mean(axis=0)
    else:
        width = max(1, CHUNK // rows.size)
        blocks = [np.median(table[rows, i : i + width], axis=1) for i in range(0, table.shape[1], width)]
        replicates = np.concatenate(blocks, axis=1) if blocks else np.empty((resamples, 0))
        estimate = np.median(values, axis=0)
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2], axis=0).reshape(2, *values.shape[1:])
    return Interval(estimate, low, high)


def paired_comparison(
    a: ArrayLike, b: ArrayLike, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> Comparison:
    """Compares two methods over the same seeds: a_i and b_i (n,) come from seed i.

    The p-value is two-sided Wilcoxon's signed-rank test of a symmetric difference about 0 (1 when all are ties).
    Raises ValueError for shapes other than two equal (n,) with n >= 2.
    """
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if first.shape != second.shape or first.ndim != 1 or len(first) < 2:
        raise ValueError(f"a and b must both be (n,) with n >= 2, not {first.shape} and {second.shape}")
    difference = first - second
    return Comparison(
        bootstrap_interval(difference, "mean", level, resamples, seed),
        signed_rank_p(difference),
        wins=int((difference > 0).sum()),
        losses=int((difference < 0).sum()),
        ties=int((difference == 0).sum()),
    )


def signed_rank_p(differences: ArrayLike, alternative: Literal["two-sided", "less"] = "two-sided") -> float:
    """The p-value of Wilcoxon's signed-rank test of differences (n,) symmetric about 0; 1 where all are zero.

    The value is that of `scipy.stats.wilcoxon`. Where scipy would go through all 2^n patterns of signs one by one
    (zeros or ties among at most 13 differences, seconds a test), this function evaluates the same patterns at once.
    """
    values = np.asarray(differences, dtype=float)
    nonzero = values[values != 0]
    if len(nonzero) == 0:
        return 1.0
    sizes = np.abs(nonzero)
    if len(values) > EXACT or len(np.unique(sizes)) == len(values):
        return float(stats.wilcoxon(values, alternative=alternative).pvalue)
    ranks = stats.rankdata(sizes)
    signs = np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks)) & 1
    null, found = signs @ ranks, float(ranks[nonzero > 0].sum())  # multiples of 1/2: sums are exact
    less, greater = float(np.mean(null <= found)), float(np.mean(null >= found))
    return less if alternative == "less" else min(1.0, 2 * min(less, greater))


def clopper_pearson(successes: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """The exact interval of a binomial probability: its coverage is at least `level` whatever the probability.

    low and high solve P(X >= successes; low) = P(X <= successes; high) = (1 - level)/2.
    Raises ValueError unless 0 <= successes <= n and n >= 1.
    """
    _check_level(level)
    k, trials = np.broadcast_arrays(np.asarray(successes, dtype=float), np.asarray(n, dtype=float))
    if np.any(trials < 1) or np.any(k < 0) or np.any(k > trials):
        raise ValueError(f"need 0 <= successes <= n and n >= 1, got successes = {successes!r}, n = {n!r}")
    tail = (1 - level) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(k == 0, 0.0, stats.beta.ppf(tail, k, trials - k + 1))
        high = np.where(k == trials, 1.0, stats.beta.ppf(1 - tail, k + 1, trials - k))
    return Interval(k / trials, low, high)


def fit_exponent(
    t: ArrayLike, values: ArrayLike, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> Interval:
    """The exponent a of values ~ c t^a: the least-squares slope of log values against log t, one a seed, averaged.

    (The mean of the seeds' slopes is the slope of the mean of log values.) The interval resamples seeds.

    Args:
        t: (T,), positive, at least two different.
        values: (seeds, T), positive; at least two seeds.
    """
    times, table = np.asarray(t, dtype=float), np.asarray(values, dtype=float)
    if table.ndim != 2 or times.ndim != 1 or table.shape[1] != len(times):
        raise ValueError(f"values must be (seeds, T) and t (T,), not {table.shape} and {times.shape}")
    if len(table) < 2:
        raise ValueError("an interval needs at least two seeds")
    if not (np.all(times > 0) and np.all(table > 0) and np.all(np.isfinite(table))):
        raise ValueError("t and values must be positive and finite: their logarithms are fitted")
    log_t = np.log(times) - np.log(times).mean()
    if not np.any(log_t):
        raise ValueError("t must hold at least two different times")
    slopes = np.log(table) @ log_t / (log_t @ log_t)
    return bootstrap_interval(slopes, "mean", level, resamples, seed)


def _samples(samples: ArrayLike) -> np.ndarray:
    values = np.asarray(samples, dtype=float)
    if values.ndim < 1 or len(values) < 1:
        raise ValueError(f"samples must be (n, ...) with n >= 1, not {values.shape}")
    return values


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level must lie strictly between 0 and 1, not {level}")
