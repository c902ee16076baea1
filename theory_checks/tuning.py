"""Comparisons of methods on tuning tasks, for the readings of Papers A and D.

Scores (R^2, accuracy) are paired by seed: same start, same folds. Neither paper gives its budgets and initial designs,
nor Paper A the boxes of the hyperparameters; part of the data is run (of Paper D's at scale quick only), and models are
smaller than in full. A method that does worse here than its paper says has not been reproduced, which is not a
counterexample. A statement that leaves nothing open can be refuted: the entries that speak of the runs stored here
(`..._here`), and the negative controls, which claim of the same runs that the initial design alone does better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from experiments.engine.result_file import Result
from theory_checks.ledger import Claim, Evidence, level
from theory_checks.pairs import Comparison, Results, shared, stored
from theory_checks.readings import Judged, Rule, declared, judge
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

OPEN = "the paper leaves budgets and boxes open"
NOWHERE_BELOW = "not significant everywhere"

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
    """Task → (seeds,) our score less the peer's, of the seeds that both have."""
    found = {}
    for task in tasks:
        theirs = results[task, peer]
        own = theirs if ours == DESIGN else results[task, ours]
        what: Measure = "design" if ours == DESIGN else measure
        found[task] = score(own, what)[shared(own, theirs)] - score(theirs, measure)[shared(theirs, own)]
    return found


def methods(ours: Sequence[str], peers: Sequence[str]) -> list[str]:
    """Those whose runs the comparisons of each of `ours` with each of `peers` read."""
    return [name for name in dict.fromkeys((*ours, *peers)) if name != DESIGN]


def comparisons(
    results: Results, ours: Sequence[str], peers: Sequence[str], tasks: Sequence[str], measure: Measure
) -> list[Comparison]:
    """Each of `ours` against each of `peers`, claimed to lie above."""
    return [
        Comparison(f"{method} against {peer}", gains(results, method, peer, tasks, measure), above(0.0))
        for method in ours
        for peer in peers
    ]


Comparing = Callable[[str, str, str, Sequence[str], Sequence[str], Sequence[str], Measure, bool], Evidence]
"""The arguments of :func:`compare`."""


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
    results = stored(study, scale, [(task, name) for task in tasks for name in methods(ours, peers)])
    judged = judge(comparisons(results, ours, peers, tasks, measure), RULES[paper], level(paper), scale)
    numbers = described(judged) | {"measure": measure, "scale": scale}
    summary = f"{in_words(judged)} (scale {scale}, {len(tasks)} task{'s' * (len(tasks) != 1)})"
    unsettled = "" if settled else OPEN
    return judged.evidence(summary, numbers, undecided=NOWHERE_BELOW, open=unsettled)


def described(judged: Judged) -> dict[str, Any]:
    """The numbers of the comparisons; of each also wins, losses and ties over all tasks."""
    numbers = judged.numbers(as_difference)
    for place in judged.places:
        numbers[place.comparison.name]["all"] = wins(place.comparison.pooled)
    return numbers


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
    comparing: Comparing = compare,
    **fields: Any,
) -> Claim:
    """A claim that each of `ours` lies above each of the peers, as `comparing` judges it.

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
        return comparing(paper, study, scale, ours, peers, tasks, measure, settled)

    return declared(check, about, module, paper=paper, **{"needs": (study,), "amended": AMENDED} | fields)


def in_words(judged: Judged) -> str:
    """ "boke above random_search, not apart from gp_ucb; ..."."""
    words = {1: "above", -1: "below", 0: "not apart from"}
    named = {place.comparison.name.partition(" against "): place.claimed for place in judged.places}
    sides = {(method, peer): found for (method, _, peer), found in named.items()}
    parts = []
    for method in dict.fromkeys(method for method, _ in sides):
        groups = {
            sign: [peer for (name, peer), found in sides.items() if name == method and found == sign] for sign in words
        }
        parts.append(f"{method} " + ", ".join(f"{words[s]} {' and '.join(p)}" for s, p in groups.items() if p))
    return "significantly: " + "; ".join(parts)
