"""The committed runs of the measured numbers, and statistics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.stats import sem, t, ttest_1samp

from experiments.engine.result_file import Result
from experiments.engine.slim import widened
from theory_checks import study_results


@dataclass(frozen=True)
class Ratio:
    """Ratios of two methods, seed by seed.

    Attributes:
        mean: the geometric mean.
        low, high: the ends of its 95 % interval, by Student's t of the logarithms.
        p: the two-sided p-value of that test against one.
        larger, smaller: the numbers of seeds with a larger, or a smaller, value of the first method.
        count: the number of seeds.
    """

    mean: float
    low: float
    high: float
    p: float
    larger: int
    smaller: int
    count: int

    @staticmethod
    def of(first: np.ndarray, second: np.ndarray) -> Ratio:
        """The statistics of (seeds,) values."""
        logs = np.log(first / second)
        low, high = np.exp(t.interval(0.95, len(logs) - 1, logs.mean(), sem(logs)))
        above, below = int(np.sum(logs > 0)), int(np.sum(logs < 0))
        p = float(ttest_1samp(logs, 0).pvalue)
        return Ratio(float(np.exp(logs.mean())), float(low), float(high), p, above, below, len(logs))


@dataclass(frozen=True)
class Mean:
    """A mean over runs, its standard error, and the number of runs."""

    mean: float
    error: float
    count: int

    @staticmethod
    def of(values: np.ndarray) -> Mean:
        """The statistics of (seeds,) values."""
        return Mean(float(np.mean(values)), float(np.std(values, ddof=1) / len(values) ** 0.5), len(values))


@cache
def results(study: str, scale: str = "paper") -> list[Result]:
    """The committed results of a study, in double precision."""
    return [widened(one.load(study, scale)) for one in study_results.committed(study, scale)]


def runs(study: str, problem: str, policy: str, arm: str = "", scale: str = "paper") -> list[Result]:
    """The blocks of seeds of a problem, a method and an arm, in the order of their seeds."""
    found = [one for one in results(study, scale) if (one.config["problem"], one.config["policy"]) == (problem, policy)]
    found = [one for one in found if not arm or one.config["options"].get("arm") == arm]
    if not found:
        raise LookupError(f"no committed results of {study}: {problem}, {policy}, {arm}")
    return sorted(found, key=lambda one: one.config["seeds"])


def array(name: str, study: str, problem: str, policy: str, arm: str = "", scale: str = "paper") -> np.ndarray:
    """The array `name` over all seeds, (seeds, ...)."""
    return np.concatenate([np.asarray(one.arrays[name]) for one in runs(study, problem, policy, arm, scale)])
