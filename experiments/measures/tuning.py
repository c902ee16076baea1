"""Scores of stored tuning runs; higher is better.

With scores v_1, ..., v_T of a run, the first n of them those of the initial design, the best score after t evaluations
is b_t = max_{s <= t} v_s. A figure plots b_t against t, or against CPU time.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from jaxtyping import Float

from experiments.engine.result_file import Result

Score = Literal["mean", "final", "design"]
"""The scores of a run: the mean of b_t over the evaluations after the initial design, b_T, and b_n."""


def scores(best: Float[np.ndarray, "s T"], initial: int, which: Score) -> Float[np.ndarray, " s"]:
    """The score of each run (s,) from its best scores so far (s, T) and the size n of the initial design."""
    if which == "design":
        return np.asarray(best[:, initial - 1])
    return np.asarray(best[:, initial:].mean(axis=1) if which == "mean" else best[:, -1])


def score(result: Result, which: Score = "mean") -> Float[np.ndarray, " s"]:
    """The score of each run (s,) of a stored result."""
    return scores(result.arrays["best"], int(result.arrays["initial_size"]), which)


def deviation(result: Result, which: Score) -> Float[np.ndarray, " s"]:
    """|score - median over seeds|: a robust method ends near the same place from every seed (Brown and Forsythe)."""
    scores = score(result, which)
    return np.asarray(np.abs(scores - np.median(scores)))
