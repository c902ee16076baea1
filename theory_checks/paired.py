"""Comparisons of methods over seeds, and of slopes, as the readings of figures and tables judge them.

Sampling error is controlled at `ledger.level`, which with a whole ledger of tests is near 1e-4: intervals that resample
a few seeds cannot reach that far. Differences are therefore judged by Wilcoxon's signed-rank test, slopes
and averaged logarithms by Student's interval over seeds; the usual 95 % bootstrap intervals are reported beside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from experiments.engine.result_file import Result
from experiments.engine.statistics import bootstrap_interval
from theory_checks import inputs

FEWEST_SEEDS = 6
"""Readings of fewer seeds than this are inconclusive."""


def stored(study: str, scale: str) -> dict[tuple[str, str], Result]:
    """(problem, policy) → result of a study; empty where nothing is stored."""
    return {(r.config["problem"], r.config["policy"]): r for r in inputs.results(study, scale)}


def log_ratios(
    results: Mapping[tuple[str, str], Result], ours: str, peer: str, problems: Sequence[str], floor: float
) -> dict[str, np.ndarray]:
    """Problem → (seeds,) log10 of our final simple regret over the peer's, both as fractions of the range and at least
    `floor`; problems that are not stored for both are left out."""
    found = {}
    for problem in problems:
        if (problem, ours) in results and (problem, peer) in results:
            fractions = [
                np.maximum(one.arrays["simple_regret"][:, -1] / float(one.arrays["range"]), floor)
                for one in (results[problem, ours], results[problem, peer])
            ]
            found[problem] = np.log10(fractions[0]) - np.log10(fractions[1])
    return found


def side(differences: np.ndarray, margin: float, level: float) -> int:
    """-1 if the differences (n,) lie significantly below the margin, +1 if above, 0 if neither (Wilcoxon, two-sided).

    Few pairs cannot be significant: the smallest p-value of n pairs is 2^(1-n).
    """
    shifted = np.asarray(differences, float) - margin
    if len(shifted) == 0 or not np.any(shifted):
        return 0
    if stats.wilcoxon(shifted).pvalue > level:
        return 0
    return -1 if stats.wilcoxon(shifted, alternative="less").pvalue < 0.5 else 1


def student_interval(samples: np.ndarray, level: float) -> tuple[float, float, float]:
    """Mean of (n,) samples, n >= 2, and the ends of its two-sided 1 - level interval."""
    mean, error = float(np.mean(samples)), float(stats.sem(samples))
    half = float(stats.t.ppf(1 - level / 2, len(samples) - 1)) * error
    return mean, mean - half, mean + half


def slopes(t: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Least-squares slope of log values (seeds, T) against log t (T,), one a seed."""
    centred = np.log(t) - np.log(t).mean()
    fitted: np.ndarray = np.log(values) @ centred / (centred @ centred)
    return fitted


def described(differences: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """By problem: median ratio (ours / peer), mean log10 ratio with its 95 % bootstrap interval, wins of n."""
    found = {}
    for problem, values in differences.items():
        interval = bootstrap_interval(values)
        found[problem] = {
            "median_ratio": 10.0 ** float(np.median(values)),
            "mean_log10": [float(interval.estimate), float(interval.low), float(interval.high)],
            "smaller": f"{int(np.sum(values < 0))} of {len(values)}",
        }
    return found


def replay_interval(counterexample: Mapping[str, Any]) -> tuple[list[float], list[float], bool]:
    """Left: the interval of the stored samples; right: the band claimed; violated where they are disjoint."""
    _, low, high = student_interval(np.asarray(counterexample["samples"]), float(counterexample["level"]))
    band = [float(end) for end in counterexample["band"]]
    return [low, high], band, low > band[1] or high < band[0]
