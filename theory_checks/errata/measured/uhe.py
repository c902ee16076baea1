"""Measured numbers in the records of Paper D."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from theory_checks.errata.measured.runs import Mean, array, results


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
def pseudo_noise() -> Mapping[str, Mapping[str, float]]:
    """The least and the largest median, over three problems, of the noise variance that a method fits last."""
    found = {}
    for method in ("uhe_bo", "gp_ucb_map"):
        medians = [
            float(np.median(array("fit_noise_variance", "uhe.fig2", problem, method)[:, -1]))
            for problem in ("branin", "deceptive2", "hartmann3")
        ]
        found[method] = {"least": min(medians), "largest": max(medians)}
    return found


@cache
def branin_end() -> Mapping[str, Mean]:
    """The final simple regret on Branin by method."""
    return {
        method: Mean.of(array("simple_regret", "uhe.fig2", "branin", method)[:, -1].astype(float))
        for method in ("uhe_bo", "gp_ucb_map")
    }


@cache
def effort() -> Mapping[str, Mapping[str, float]]:
    """The least and the largest ratio, over Deceptive, Hartmann3 and a random forest, of UHE-BO's mean seconds to those
    of MAP: CPU seconds of a run on the functions, seconds of proposals on the forest; by effort."""
    found: dict[str, list[float]] = {"usual": [], "search": [], "restarts": []}
    for one in (*results("uhe.fig5_runtime"), *results("uhe.fig5_effort")):
        if "cpu_seconds_uhe_bo" in one.arrays:
            ours, theirs = (float(np.mean(one.arrays[f"cpu_seconds_{name}"])) for name in ("uhe_bo", "gp_ucb_map"))
            found[one.config["options"].get("arm", "usual")].append(ours / theirs)
    for arm in found:
        study = ("uhe.fig2_tuning", "rf_wilt") if arm == "usual" else ("uhe.fig5_effort", "rf_wilt")
        name = "" if arm == "usual" else arm
        ours, theirs = (
            float(array("proposal_seconds", *study, method, name).sum(axis=1).mean())
            for method in ("uhe_bo", "gp_ucb_map")
        )
        found[arm].append(ours / theirs)
    return {arm: {"least": min(ratios), "largest": max(ratios)} for arm, ratios in found.items()}
