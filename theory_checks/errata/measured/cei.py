"""Measured numbers in the records of Paper B."""

from collections.abc import Mapping
from functools import cache

import numpy as np
from scipy.stats import sem, t

from experiments.engine.slim import best_observed
from theory_checks.errata.measured.runs import array, results, runs


@cache
def gap_ratios() -> Mapping[str, Mapping[str, float]]:
    """Medians of the ratio of corrected EI's final gap to EI's, with the variance known."""
    found = {}
    for name in ("hartmann3", "griewank6", "levy4", "powell5"):
        ours, theirs = (array("gap", "cei.fig3", name, method, "known")[:, -1] for method in ("corrected_ei", "ei"))
        found[name] = float(np.median(ours / theirs))
    return {"end": found}


@cache
def compression() -> Mapping[str, Mapping[str, float]]:
    """EI's sum minus corrected EI's on two networks, at the final x+ and at the best evaluated point."""
    nets, gains = ("fc3_digits", "fc3_mnist"), {}
    for net in nets:
        ours, theirs = (-array("incumbent_value", "cei.fig4", net, method) for method in ("corrected_ei", "ei"))
        seen = [
            -np.concatenate([best_observed(one.arrays) for one in runs("cei.fig4", net, method)])[:, -1]
            for method in ("corrected_ei", "ei")
        ]
        gains[net] = {
            "end": ours[:, -1] - theirs[:, -1],
            "seen": seen[0] - seen[1],
        }
    pooled = np.concatenate([gains[net]["end"] for net in nets])
    return {
        **{name: {net: float(gains[net][name].mean()) for net in nets} for name in ("end", "seen")},
        "pairs": {"higher": int(np.sum(pooled > 0)), "all": len(pooled)},
    }


@cache
def near_the_incumbent() -> Mapping[str, Mapping[str, float]]:
    """The least share, on a problem of Figure 3, of corrected PI's proposals within 0.01 of x+, and the least and the
    largest share of runs with a proposal farther away."""
    far = [
        array("incumbent_steps", "cei.fig3", name, "corrected_pi") > 0.01
        for name in ("hartmann3", "griewank6", "levy4", "powell5")
    ]
    leaving = [float(one.any(axis=1).mean()) for one in far]
    return {
        "close": {"least": min(1 - float(one.mean()) for one in far)},
        "leaving": {"least": min(leaving), "largest": max(leaving)},
        "runs": {"each": len(far[0])},
    }


@cache
def cost() -> Mapping[str, Mapping[str, float]]:
    """Least and largest median, over three and six dimensions and 32, 128 and 256 observations, of the seconds of a
    proposal by a Monte Carlo method over those by corrected EI."""
    found = {}
    for name in ("noisy_ei", "qnei", "noisy_ei_separate", "qnei_separate"):
        ratios = [
            np.median(
                np.asarray(one.arrays[f"seconds_{name}"]) / np.asarray(one.arrays["seconds_corrected_ei"]), axis=0
            )
            for one in results("cei.cost")
        ]
        found[name] = {"least": float(np.min(ratios)), "largest": float(np.max(ratios))}
    return found


@cache
def scenarios() -> Mapping[str, float]:
    """The share of scenarios like Figure 1's in which corrected EI's suggestion is closer to x* than EI's, and its mean
    excess distance, in units of the box."""
    (result,) = results("cei.fig1")
    gain = np.asarray(result.arrays["distance_ei"]) - np.asarray(result.arrays["distance_corrected_ei"])
    low, high = map(float, t.interval(0.95, len(gain) - 1, gain.mean(), sem(gain)))
    closer = float(np.mean(gain > 0))
    return {"closer": closer, "count": len(gain), "by": -float(gain.mean()), "low": -high, "high": -low}
