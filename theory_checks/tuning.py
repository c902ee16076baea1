"""Comparisons of methods on tuning tasks, for the readings of Papers A and D.

Scores (R^2, accuracy) are paired by seed: same start, same folds. Neither paper gives its budgets and initial designs,
nor Paper A the boxes of the hyperparameters; part of the data is run (of Paper D's at scale quick only), and models are
smaller than in full. A method that does worse here than its paper says has not been reproduced, which is not a
counterexample. A statement that leaves nothing open can be refuted: the entries that speak of the runs stored here
(`..._here`), and the negative controls, which claim of the same runs that the initial design alone does better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from experiments.engine.result_file import Result
from theory_checks.ledger import Claim, Evidence, level
from theory_checks.pairs import Comparison, Results, stored
from theory_checks.readings import Rule, declared, judge
from theory_checks.sides import above, as_difference, wins

DESIGN = "initial_design"
"""A method that stops after the initial design: the peer's own best value there."""

Measure = Literal["mean", "final", "design"]
"""Mean over the evaluations after the initial design of the best score so far; the best score of all; the best score of
the initial design."""

RULES: Mapping[str, Rule] = {
    "A": Rule(effect=0.01, problems="everywhere"),
    "D": Rule(effect=0.0025, problems="everywhere"),
}
"""By paper; the smallest differences that matter, of R² and, one test case in four hundred, of accuracies."""

EVERYWHERE = """Support asks every task by itself to lie above, one-sided at 0.05. For a reversal tasks are put
    together: the texts speak of all at once, and a task by itself would take as many seeds as all of them do."""
AMENDED = """After the results of scale quick, which decide nothing either way: the median of every task had to lie
    above, and all pairs together significantly at the ledger's level. After those of scale paper: every task by itself
    at 0.05 in the place of both, as in the other readings. Where half of the pairs are ties, as of accuracies after
    fifty evaluations, the median is zero whatever the others show, so that the rule could not decide."""

DEVIATIONS: Mapping[str, float] = {"A": 0.02, "D": 0.005}
"""Of such differences over the pairs (task, seed): the largest of those stored at scale quick."""

TASKS: Mapping[str, int] = {"A": 2, "D": 3}
"""Tasks whose pairs a reading puts together; one on a single task has spread a third as far."""


def smallest_effect(paper: str) -> str:
    """The smallest effect, in words, for the rules of the readings; the tests hold the seeds of scale paper to it."""
    return f"""The smallest effect that matters is a difference of {RULES[paper].effect:g}, which the seeds of scale
    paper find with power 0.9 at a deviation of {DEVIATIONS[paper]:g} over the pairs."""


def score(result: Result, measure: Measure) -> np.ndarray:
    """(seeds,) what is compared; higher is better."""
    best, initial = result.arrays["best"], int(result.arrays["initial_size"])
    if measure == "design":
        return np.asarray(best[:, initial - 1])
    return np.asarray(best[:, initial:].mean(axis=1) if measure == "mean" else best[:, -1])


def gains(results: Results, ours: str, peer: str, tasks: Sequence[str], measure: Measure) -> dict[str, np.ndarray]:
    """Task → (seeds,) our score less the peer's."""
    found = {}
    for task in tasks:
        theirs = results[task, peer]
        mine = score(theirs, "design") if ours == DESIGN else score(results[task, ours], measure)
        found[task] = mine - score(theirs, measure)
    return found


def compare(
    paper: str,
    study: str,
    scale: str,
    ours: Sequence[str],
    peers: Sequence[str],
    tasks: Sequence[str],
    measure: Measure,
    settled: bool = False,
) -> Evidence:
    """On which side each of `ours` lies of each of `peers`, all tasks pooled.

    The evidence supports if every one lies above. Where one lies below, it refutes a statement that is `settled`, one
    about the stored runs themselves; of the paper's, which leaves their circumstances open, it is inconclusive.
    """
    methods = [name for name in dict.fromkeys((*ours, *peers)) if name != DESIGN]
    results = stored(study, scale, [(task, name) for task in tasks for name in methods])
    compared = [(method, peer) for method in ours for peer in peers]
    comparisons = [
        Comparison(f"{method} against {peer}", gains(results, method, peer, tasks, measure), above(0.0))
        for method, peer in compared
    ]
    judged = judge(comparisons, RULES[paper], level(paper), scale)
    sides = {pair: place.claimed for pair, place in zip(compared, judged.places, strict=True)}
    numbers = judged.numbers(as_difference) | {"measure": measure, "scale": scale}
    for one in comparisons:
        numbers[one.name]["all"] = wins(one.pooled)
    summary = f"{_in_words(sides)} (scale {scale}, {len(tasks)} task{'s' * (len(tasks) != 1)})"
    unsettled = "" if settled else "the paper leaves budgets and boxes open"
    return judged.evidence(summary, numbers, undecided="not significant everywhere", open=unsettled)


def tuning_claim(
    about: str,
    module: str,
    paper: str,
    study: str,
    *,
    ours: Sequence[str],
    peers: Sequence[str],
    tasks: Sequence[str],
    measure: Measure,
    settled: bool = False,
    **fields: Any,
) -> Claim:
    """A claim that each of `ours` lies above each of the peers, as :func:`compare` judges it.

    A variant has other methods, peers or tasks, or is `settled`; `fields` are those of a reading.
    """

    def check(
        scale: str,
        *,
        ours: Sequence[str] = ours,
        peers: Sequence[str] = peers,
        tasks: Sequence[str] = tasks,
        settled: bool = settled,
    ) -> Evidence:
        return compare(paper, study, scale, ours, peers, tasks, measure, settled)

    return declared(check, about, module, paper=paper, needs=(study,), **{"amended": AMENDED} | fields)


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
