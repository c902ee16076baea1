"""On which side of a margin paired differences lie, inside or outside which band, and how they are described.

Sampling error is controlled at `ledger.level`, which with a whole ledger of tests is near 1e-4: intervals that resample
a few seeds cannot reach that far. Differences are therefore judged by Wilcoxon's signed-rank test, slopes and averaged
logarithms by Student's interval over seeds; the usual 95 % bootstrap intervals are reported beside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from scipy import stats

from experiments.engine.statistics import bootstrap_interval, signed_rank_p

Test = Literal["wilcoxon", "student"]
Band = tuple[float, float]
"""The ends between which something lies; either may be infinite."""

ANYWHERE: Band = (-math.inf, math.inf)


def below(margin: float) -> Band:
    """The band (-inf, margin)."""
    return -math.inf, margin


def above(margin: float) -> Band:
    """The band (margin, inf)."""
    return margin, math.inf


def within(margin: float) -> Band:
    """The band (-margin, margin): equal but for `margin`."""
    return -margin, margin


def indifferent(claimed: Band, zone: float) -> Band:
    """What is tolerated of "better", a band with one finite end, where an advantage smaller than `zone` is none: the
    band without its outermost `zone`.

    It supports where the differences lie inside the claimed band, and refutes where they lie outside this one. What is
    better by the zone or more is refuted with at most the probability of the ledger, what is no better at all supported
    with at most that of support; of what is better by less either may be said (an indifference zone: Bechhofer 1954).
    """
    low, high = claimed
    if math.isinf(low) == math.isinf(high):
        raise ValueError(f"claimed: one finite end is needed for a zone of indifference, not {claimed}")
    return (low, high - zone) if math.isinf(low) else (low + zone, high)


def interval(samples: np.ndarray, level: float) -> tuple[float, float, float]:
    """Mean of (n,) samples, n >= 2, and the ends of Student's two-sided 1 - level interval."""
    mean, error = float(np.mean(samples)), float(stats.sem(samples))
    half = float(stats.t.ppf(1 - level / 2, len(samples) - 1)) * error
    return mean, mean - half, mean + half


def side(differences: np.ndarray, margin: float, level: float, test: Test = "wilcoxon") -> int:
    """-1 if the differences (n,) lie significantly below the margin, +1 if above, 0 if neither; two-sided at `level`.

    Few pairs cannot be significant by Wilcoxon's test: the smallest p-value of n pairs is 2^(1-n).
    """
    if test == "student":
        _, low, high = interval(differences, level)
        return -1 if high < margin else 1 if low > margin else 0
    shifted = np.asarray(differences, float) - margin
    if len(shifted) == 0 or not np.any(shifted) or signed_rank_p(shifted) > level:
        return 0
    return -1 if signed_rank_p(shifted, "less") < 0.5 else 1


def lies(differences: np.ndarray, band: Band, level: float, test: Test = "wilcoxon") -> int:
    """1 if the differences lie significantly inside the band, -1 if significantly outside it, 0 if neither.

    Inside: significantly above the lower end and below the upper one (Schuirmann's two one-sided tests; by Student's
    test, the 1 - level interval lies within the band). Outside: significantly below the lower end or above the upper.
    """
    low, high = band
    from_low = 1 if low == -math.inf else side(differences, low, level, test)
    from_high = -1 if high == math.inf else side(differences, high, level, test)
    return 1 if from_low > 0 > from_high else -int(from_low < 0 or from_high > 0)


def slopes(t: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Least-squares slope of log values (seeds, T) against log t (T,), one per seed."""
    centred = np.log(t) - np.log(t).mean()
    fitted: np.ndarray = np.log(values) @ centred / (centred @ centred)
    return fitted


def rank_biserial(differences: np.ndarray) -> float:
    """Effect size of the signed-rank test: (W+ - W-) / (W+ + W-), from -1 to 1; zero differences are left out."""
    kept = differences[differences != 0]
    if len(kept) == 0:
        return 0.0
    ranks = stats.rankdata(np.abs(kept))
    return float(np.sum(ranks * np.sign(kept)) / np.sum(ranks))


def p_value(differences: np.ndarray) -> float:
    """Two-sided p of Wilcoxon's test about 0; 1 where all differences are zero."""
    return signed_rank_p(differences)


def usual(differences: np.ndarray) -> list[float]:
    """The mean and the ends of its 95 % bootstrap interval."""
    return [float(end) for end in bootstrap_interval(differences)]


def wins(differences: np.ndarray) -> str:
    """How many are positive, negative and zero: "13-2-9"."""
    return "-".join(str(int(np.sum(np.sign(differences) == sign))) for sign in (1, -1, 0))


def as_ratio(logs: np.ndarray) -> dict[str, Any]:
    """Of log10 ratios: the median ratio, the mean log10 with its 95 % interval, and how many lie below 0."""
    return {
        "median_ratio": 10.0 ** float(np.median(logs)),
        "mean_log10": usual(logs),
        "smaller": f"{int(np.sum(logs < 0))} of {len(logs)}",
    }


def as_difference(differences: np.ndarray) -> dict[str, Any]:
    """Of differences: the mean with its 95 % interval, and wins, losses and ties."""
    return {"mean": usual(differences), "wins-losses-ties": wins(differences)}


def described(
    samples: Mapping[str, np.ndarray], describe: Callable[[np.ndarray], dict[str, Any]] = as_ratio
) -> dict[str, Any]:
    """Each of them described, by name."""
    return {name: describe(values) for name, values in samples.items()}
