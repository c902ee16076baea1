"""Scores of tuning runs: R^2 or accuracy, higher is better, in [0, 1] for accuracies.

`best` (seeds, T) of a result is the best score so far, `initial_size` the evaluations of the initial design among them.
"""

from __future__ import annotations

import numpy as np

from experiments.engine.result_file import Result


def mean_score(result: Result) -> np.ndarray:
    """(seeds,) mean over the evaluations after the initial design of the best score so far."""
    after: np.ndarray = np.asarray(result.arrays["best"])[:, int(result.arrays["initial_size"]) :]
    return np.asarray(after.mean(axis=1))


def final_score(result: Result) -> np.ndarray:
    """(seeds,) best score of all evaluations."""
    return np.asarray(result.arrays["best"])[:, -1]


def design_score(result: Result) -> np.ndarray:
    """(seeds,) best score of the initial design."""
    return np.asarray(result.arrays["best"])[:, int(result.arrays["initial_size"]) - 1]
