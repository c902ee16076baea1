"""Simple and cumulative regret of stored runs.

With queries x_1, ..., x_T of a run, the noise-free objective f and its maximum f*, the simple regret after t
evaluations is min_{s <= t} f* - f(x_s), A (4). Values below `FLOOR` of the problem's range are rounding errors and
count as equal.
"""

from __future__ import annotations

import numpy as np

from experiments.engine.result_file import Result

FLOOR = 1e-9
"""The least regret that is distinguished, as a share of a problem's range."""


def relative(result: Result, metric: str, floor: float = FLOOR) -> np.ndarray:
    """(seeds, T) a stored metric over the problem's range, at least the floor."""
    found: np.ndarray = np.maximum(np.asarray(result.arrays[metric], float) / float(result.arrays["range"]), floor)
    return found


def final_simple_regret(result: Result) -> np.ndarray:
    """(seeds,) the last simple regret over the range."""
    return relative(result, "simple_regret")[:, -1]


def whole_simple_regret(result: Result) -> np.ndarray:
    """(seeds,) geometric mean over the evaluations after the initial design of the simple regret over the range: it is
    smaller where the regret falls sooner."""
    after = relative(result, "simple_regret")[:, int(result.arrays["initial_size"]) :]
    found: np.ndarray = 10.0 ** np.log10(after).mean(axis=1)
    return found
