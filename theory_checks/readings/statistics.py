"""One-sided tests of paired samples against a bound, and estimates of the samples' middle.

A sample is an *advantage*: positive where the first method of an order is ahead of the second, in a measure's unit. A
problem has one advantage a seed. Pooled problems have equal weights.
"""

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from scipy import stats

from experiments.engine.statistics import signed_rank_p

Test = Literal["student", "wilcoxon"]
Samples = Mapping[str, np.ndarray]
"""Problem -> (seeds,) advantages."""

MOST_PAIRS = 2000
"""The largest number of samples with a Hodges-Lehmann estimate; the median replaces it for more."""


class Middle(NamedTuple):
    """An estimate with the ends of its 95 % interval."""

    estimate: float
    low: float
    high: float


def stratified(samples: Samples) -> tuple[float, float, float]:
    """Mean over problems of the means over seeds, its standard error, and Welch-Satterthwaite's degrees of freedom.

    With k problems of n_i seeds and variances s_i^2 the squared error is sum_i s_i^2 / n_i / k^2.
    """
    rows = [np.asarray(values, float) for values in samples.values()]
    parts = np.array([np.var(row, ddof=1) / len(row) for row in rows]) / len(rows) ** 2
    mean, total = float(np.mean([row.mean() for row in rows])), float(parts.sum())
    inner = sum(part**2 / (len(row) - 1) for part, row in zip(parts, rows, strict=True))
    return mean, math.sqrt(total), total**2 / inner if inner > 0 else math.inf


def p_above(samples: Samples, bound: float, test: Test) -> float:
    """One-sided p-value of "the middle is at most `bound`": small where the samples lie above.

    Student's test uses the stratified mean, Wilcoxon's all pairs together. Without spread Student's p is 0 above the
    bound and 1 elsewhere.
    """
    if test == "wilcoxon":
        shifted = pooled(samples) - bound
        return signed_rank_p(-shifted, "less") if np.any(shifted) else 1.0
    mean, error, freedom = stratified(samples)
    if error == 0:
        return 0.0 if mean > bound else 1.0
    return float(stats.t.sf((mean - bound) / error, freedom))


def p_below(samples: Samples, bound: float, test: Test) -> float:
    """One-sided p-value of "the middle is at least `bound`"."""
    return p_above({name: -values for name, values in samples.items()}, -bound, test)


def middle(samples: Samples, test: Test) -> Middle:
    """The quantity that the test judges: the stratified mean with Student's interval, or the Hodges-Lehmann estimate
    (the median of the means of all pairs of samples) with the interval of the signed-rank test.

    Reference: Hodges and Lehmann (1963), Annals of Mathematical Statistics 34.
    """
    if test == "student":
        mean, error, freedom = stratified(samples)
        half = float(stats.t.ppf(0.975, freedom)) * error
        return Middle(mean, mean - half, mean + half)
    values = np.sort(pooled(samples))
    count = len(values)
    if count > MOST_PAIRS:
        rank = max(int(count / 2 - 0.98 * math.sqrt(count)), 0)
        return Middle(float(np.median(values)), float(values[rank]), float(values[-1 - rank]))
    first, second = np.triu_indices(count)
    walsh = np.sort((values[first] + values[second]) / 2)
    spread = math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
    rank = min(max(int(len(walsh) / 2 - 1.96 * spread), 0), len(walsh) // 2)
    return Middle(float(np.median(walsh)), float(walsh[rank]), float(walsh[-1 - rank]))


def pooled(samples: Samples) -> np.ndarray:
    """The samples of all problems, (pairs,)."""
    return np.concatenate([np.ravel(np.asarray(values, float)) for values in samples.values()])


def moved(samples: Samples, to: float, test: Test) -> dict[str, np.ndarray]:
    """The samples with one shift for all problems that moves their middle to `to`."""
    shift = to - middle(samples, test).estimate
    return {name: np.asarray(values, float) + shift for name, values in samples.items()}


def seeds_needed(samples: Samples, effect: float, level: float, test: Test, power: float = 0.9) -> int:
    """Seeds a problem with which a one-sided test at `level` finds `effect` with this power.

    n = ((z(1 - level) + z(power)) s / effect)^2 with s^2 = sum_i s_i^2 / k^2. For Wilcoxon's test n is divided by 3 /
    pi, its efficiency on normal differences, and is at least as large as its p-value needs.
    """
    deviations = [float(np.std(values, ddof=1)) for values in samples.values() if len(values) > 1]
    variance = sum(one**2 for one in deviations) / max(len(deviations), 1) ** 2
    factor = (stats.norm.isf(level) + stats.norm.ppf(power)) / effect
    if test == "student":
        return max(math.ceil(factor**2 * variance), 2)
    return max(math.ceil(factor**2 * variance * math.pi / 3), math.ceil(1 - math.log2(level)))


def jackknifed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Pseudo-values (seeds,) of log10(mean(second) / mean(first)), for paired values >= 0 (seeds,).

    All are nan, and no test decides, where one side has at most one value that is not zero. The mean of the
    pseudo-values is the jackknife's estimate and their standard error its error, so that Student's test of the
    pseudo-values tests the ratio of means, which a figure with mean curves shows. Reference: Tukey (1958); Efron and
    Tibshirani (1993), chapter 11.
    """
    count = len(first)
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = np.log10(second.mean()) - np.log10(first.mean())
        less_one = [np.log10(np.maximum(row.sum() - row, 0.0) / (count - 1)) for row in (second, first)]
        found: np.ndarray = count * whole - (count - 1) * (less_one[0] - less_one[1])
    return found if np.isfinite(found).all() else np.full(count, np.nan)
