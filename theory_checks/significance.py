"""Student's interval, and a test of the side of a margin on which paired differences lie.

The level is `theory_checks.ledger.level`, near 1e-4, which resampling a few seeds cannot reach. Student's interval
judges slopes and averaged logarithms, Wilcoxon's signed-rank test judges differences.
"""

from typing import Literal

import numpy as np
from scipy import stats

from experiments.engine.statistics import signed_rank_p

Test = Literal["wilcoxon", "student"]


def interval(samples: np.ndarray, level: float) -> tuple[float, float, float]:
    """Mean of (n,) samples, n >= 2, and the ends of Student's two-sided 1 - level interval."""
    mean, error = float(np.mean(samples)), float(stats.sem(samples))
    half = float(stats.t.ppf(1 - level / 2, len(samples) - 1)) * error
    return mean, mean - half, mean + half


def side(differences: np.ndarray, margin: float, level: float, test: Test = "wilcoxon") -> int:
    """-1 if the differences (n,) lie significantly below the margin, +1 if above, 0 if neither; two-sided at `level`.

    The smallest p-value of Wilcoxon's test with n pairs is 2^(1-n).
    """
    if test == "student":
        _, low, high = interval(differences, level)
        return -1 if high < margin else 1 if low > margin else 0
    shifted = np.asarray(differences, float) - margin
    if len(shifted) == 0 or not np.any(shifted) or signed_rank_p(shifted) > level:
        return 0
    return -1 if signed_rank_p(shifted, "less") < 0.5 else 1
