"""Sums over the rounds of a run with contexts, after its initial design.

For decisions x_1, ..., x_T the cumulative regret of the expectation is sum_t E f(x*, c) - E f(x_t, c), C (1), and the
reward observed is sum_t y_t.
"""

from __future__ import annotations

import numpy as np

from experiments.engine.result_file import Result


def regrets(result: Result) -> np.ndarray:
    """(seeds, rounds) regret of the expectation, without the initial design."""
    return _after_design(result, "regret")


def rewards(result: Result) -> np.ndarray:
    """(seeds, rounds) reward observed, without the initial design."""
    return _after_design(result, "y")


def _after_design(result: Result, array: str) -> np.ndarray:
    return np.asarray(result.arrays[array], float)[:, int(result.arrays["initial_size"]) :]
