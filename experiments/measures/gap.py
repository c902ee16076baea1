"""Final gap, distance to the optimiser, regret of the best query, and distance of proposals from the incumbent.

With x+ the observed point of largest posterior mean, the gap of a run is f(x*) - f(x+), over the problem's range; the
distance is that from x+ to the nearest optimiser, in natural units. Values below `FLOOR` are rounding errors and count
as equal.
"""

from __future__ import annotations

import numpy as np

from experiments.engine.result_file import Result
from experiments.engine.slim import best_observed, best_value, incumbent_steps
from experiments.measures.regret import FLOOR, relative

LEAST_STEP = 1e-6
"""The least step as a share of the unit cube's side; shorter steps count as equal."""


def final_gap(result: Result) -> np.ndarray:
    """(seeds,) the last gap over the range."""
    return relative(result, "gap")[:, -1]


def final_distance(result: Result) -> np.ndarray:
    """(seeds,) the last distance from x+ to the nearest optimiser."""
    found: np.ndarray = np.maximum(np.asarray(result.arrays["distance"], float)[:, -1], FLOOR)
    return found


def best_query_regret(result: Result) -> np.ndarray:
    """(seeds,) f(x*) less the largest noise-free value of all queries, over the range."""
    best = best_value(result.arrays)[:, -1]
    found: np.ndarray = (float(result.arrays["optimum"]) - best) / float(result.arrays["range"])
    return np.maximum(found, FLOOR)


def step_from_incumbent(result: Result) -> np.ndarray:
    """(seeds,) median distance, in the unit cube, from a proposal to the incumbent that it was made against."""
    found: np.ndarray = np.median(np.maximum(incumbent_steps(result.arrays), LEAST_STEP), axis=1)
    return found


def final_observed(result: Result) -> np.ndarray:
    """(seeds,) the largest observation, noise included."""
    return best_observed(result.arrays)[:, -1]


def final_incumbent(result: Result) -> np.ndarray:
    """(seeds,) the noise-free value at x+ after the last step."""
    return np.asarray(result.arrays["incumbent_value"])[:, -1]
