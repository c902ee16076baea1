"""Measured numbers that the records of Paper D tell."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from theory_checks.errata.measured.runs import Mean, array, results, runs


@cache
def random_probability() -> Mapping[str, Mapping[str, Mean]]:
    """The final probability of a random query: with capped rewards, and without."""
    capped = {
        problem: Mean.of(array("random_probability", "uhe.exp3", problem, "uhe_bo")[:, -1].astype(float))
        for problem in ("branin", "deceptive2", "hartmann3", "h1")
    }
    name = "info_random_probability"
    uncapped = {
        problem: Mean.of(array(name, "uhe.fig2_arms", problem, "uhe_bo", "uncapped")[:, -1])
        for problem in ("branin", "h1")
    }
    return {"capped": capped, "uncapped": uncapped}


@cache
def _ends(array: str) -> Mapping[tuple[str, str, str], np.ndarray]:
    """(problem, arm, method) -> (seeds,) an array's last column, of Figure 2 (arm "rate") and its arms."""
    return {
        (one.config["problem"], one.config["options"].get("arm", "rate"), one.config["policy"]): np.asarray(
            one.arrays[array]
        )[:, -1]
        for study in ("uhe.fig2", "uhe.fig2_arms")
        for one in results(study)
        if array in one.arrays
    }


def final_regret() -> Mapping[str, Mapping[str, Mean]]:
    """ "problem-arm" -> method -> simple regret at the end."""
    found: dict[str, dict[str, Mean]] = {}
    for (problem, arm, method), values in _ends("simple_regret").items():
        found.setdefault(f"{problem}-{arm}", {})[method] = Mean.of(values)
    return found


@cache
def ablation() -> Mapping[str, Mapping[str, Mean]]:
    """problem -> method -> simple regret at the end of Figure 5's runs."""
    found: dict[str, dict[str, Mean]] = {}
    for one in results("uhe.fig5"):
        ends = np.asarray(one.arrays["simple_regret"])[:, -1]
        found.setdefault(one.config["problem"], {})[one.config["policy"]] = Mean.of(ends)
    return found


@cache
def portfolio_pairs() -> Mapping[str, float]:
    """Median of UHE-BO's over Portfolio's regret on Branin, by arm; a regret below 1e-9 of the range counts as that."""
    floor = 1e-9 * float(runs("uhe.fig2", "branin", "uhe_bo")[0].arrays["range"])
    ends = _ends("simple_regret")
    return {
        arm: float(np.median(ends["branin", arm, "uhe_bo"] / np.maximum(ends["branin", arm, "portfolio_exp3"], floor)))
        for arm in ("rate", "scale", "uncapped")
    }


@cache
def prediction_error() -> Mapping[str, Mapping[str, Mean]]:
    """ "problem-arm" -> method -> error of the process at the end, in units of the objective's variance."""
    found: dict[str, dict[str, Mean]] = {}
    for study in ("uhe.fig2", "uhe.fig2_arms"):
        for one in results(study):
            values = np.asarray(one.arrays["mse"])[:, -1] / float(one.arrays["truth_variance"])
            place = f"{one.config['problem']}-{one.config['options'].get('arm', 'rate')}"
            found.setdefault(place, {})[one.config["policy"]] = Mean.of(values)
    return found
