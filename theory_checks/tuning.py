"""Comparisons of methods on tuning tasks, for the readings of Papers A and D.

Scores (R^2, accuracy) are paired by seed: same start, same folds. Neither paper gives its budgets and initial designs,
nor Paper A the boxes of the hyperparameters, and the quick scale runs part of the data: a method that does worse here
than its paper says has not been reproduced, which is not a counterexample. A statement that leaves nothing open can be
refuted: the entries that speak of the runs stored here (`..._here`), and the negative controls, which claim of the same
runs that the initial design alone does better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from experiments.engine.statistics import bootstrap_interval
from theory_checks import inputs
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.paired import FEWEST_SEEDS, side, stored

DESIGN = "initial_design"
"""A method that stops after the initial design: the peer's own best value there."""

MEASURES = ("mean", "final")
"""Mean over the evaluations after the initial design of the best score so far, or the best score of all."""


def score(result: Result, measure: str) -> np.ndarray:
    """(seeds,) what is compared; higher is better."""
    best, initial = result.arrays["best"], int(result.arrays["initial_size"])
    taken: np.ndarray = best[:, initial:].mean(axis=1) if measure == "mean" else best[:, -1]
    return taken


def differences(
    results: Mapping[tuple[str, str], Result], ours: str, peer: str, tasks: Sequence[str], measure: str
) -> dict[str, np.ndarray]:
    """Task → (seeds,) our score less the peer's; tasks that are not stored for both are left out."""
    found = {}
    for task in tasks:
        if (task, peer) not in results or (ours != DESIGN and (task, ours) not in results):
            continue
        theirs = results[task, peer]
        if ours == DESIGN:
            mine = theirs.arrays["best"][:, int(theirs.arrays["initial_size"]) - 1]
        else:
            mine = score(results[task, ours], measure)
        found[task] = mine - score(theirs, measure)
    return found


def described(by_task: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """By task: mean difference with its 95 % bootstrap interval, wins, losses and ties."""
    found = {}
    for task, values in by_task.items():
        interval = bootstrap_interval(values)
        counts = (int(np.sum(values > 0)), int(np.sum(values < 0)), int(np.sum(values == 0)))
        found[task] = {
            "mean": [float(interval.estimate), float(interval.low), float(interval.high)],
            "wins-losses-ties": "{}-{}-{}".format(*counts),
        }
    return found


def compare(
    paper: str,
    study: str,
    scale: str,
    ours: Sequence[str],
    peers: Sequence[str],
    tasks: Sequence[str],
    measure: str,
    settled: bool = False,
) -> tuple[dict[tuple[str, str], int], Evidence]:
    """The side, -1, 0 or 1, on which each of `ours` lies of each of `peers`, all tasks pooled, and the evidence.

    The evidence supports if every one lies above. Where one lies below, it refutes a statement that is `settled`, one
    about the stored runs themselves; of the paper's, which leaves their circumstances open, it is inconclusive.
    """
    results, alpha = stored(study, scale), level(paper)
    numbers: dict[str, Any] = {"level": alpha, "measure": measure, "scale": scale}
    sides: dict[tuple[str, str], int] = {}
    worst = None
    for method in ours:
        for peer in peers:
            by_task = differences(results, method, peer, tasks, measure)
            if not by_task:
                return {}, Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get(study, scale), numbers)
            seeds = min(map(len, by_task.values()))
            if seeds < FEWEST_SEEDS or len(by_task) < len(tasks):
                what = f"only {seeds} seeds on {len(by_task)} of {len(tasks)} tasks at scale {scale}"
                return {}, Evidence(Verdict.INCONCLUSIVE, what, numbers)
            pooled = np.concatenate(list(by_task.values()))
            sides[method, peer] = side(pooled, 0.0, alpha)
            counts = f"{int(np.sum(pooled > 0))}-{int(np.sum(pooled < 0))}-{int(np.sum(pooled == 0))}"
            numbers[f"{method} against {peer}"] = {"side": sides[method, peer], "all": counts, **described(by_task)}
            if settled and sides[method, peer] < 0 and worst is None:
                worst = {"method": method, "peer": peer, "differences": pooled, "level": alpha}
    summary = f"{_in_words(sides)} (scale {scale}, {len(tasks)} task{'s' * (len(tasks) != 1)})"
    if worst is not None:
        return sides, Evidence(Verdict.REFUTED, summary, numbers, worst)
    if all(found > 0 for found in sides.values()):
        return sides, Evidence(Verdict.SUPPORTED, summary, numbers)
    worse = any(found < 0 for found in sides.values())
    reason = "not reproduced, but the paper leaves budgets and boxes open" if worse else "not significant everywhere"
    return sides, Evidence(Verdict.INCONCLUSIVE, f"{summary}: {reason}", numbers)


def _in_words(sides: Mapping[tuple[str, str], int]) -> str:
    """ "boke above random_search, not apart from gp_ucb; ..."."""
    words = {1: "above", -1: "below", 0: "not apart from"}
    parts = []
    for method in dict.fromkeys(method for method, _ in sides):
        groups = {
            sign: [peer for (name, peer), found in sides.items() if name == method and found == sign] for sign in words
        }
        parts.append(f"{method} " + ", ".join(f"{words[s]} {' and '.join(p)}" for s, p in groups.items() if p))
    return "significantly: " + "; ".join(parts)


def replay_differences(counterexample: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: median of the stored differences; right: 0; violated where they lie significantly below."""
    pooled = np.asarray(counterexample["differences"])
    return float(np.median(pooled)), 0.0, side(pooled, 0.0, float(counterexample["level"])) < 0
