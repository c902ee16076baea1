"""UHE-BO against its peers on stored runs, as the readings of Figures 2, 4 and 5 judge it.

The paper plots means with standard errors, so the first measure is the mean of the paired differences, in units of the
mean regret of the initial data (errors of predictions: of the objective's variance), by Student's test. Regrets that
span orders of magnitude are judged beside it by their ratios, with Wilcoxon's test. "Better" means better by more than
a margin, so that a method no better than its peer can be told from one that was run too seldom.

What the text leaves open is varied: half the budget, and the readings of `experiments.uhe.fig2_arms`. Each measure
under each of these circumstances has its outcome, which `theory_checks.circumstances` combines. Refutation needs every
circumstance; and where that study has other readings of the text, one of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from experiments.engine.result_file import Result
from experiments.uhe.fig2_arms import AFFECTED, NEAR
from theory_checks import inputs
from theory_checks.circumstances import Part
from theory_checks.circumstances import combined as circumstances_combined
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, Results, shared, stored
from theory_checks.readings import Judged, Rule, judge, problem_by_problem
from theory_checks.sides import Band, above, below, interval

OURS = "uhe_bo"
MAIN = "rate"
FIGURE, ARMS = "uhe.fig2", "uhe.fig2_arms"
FLOOR = 1e-9
"""Of the problem's range or of the objective's variance: smaller values count as equal in ratios."""

Measure = Literal["mean", "ratio"]
MARGIN: Mapping[Measure, float] = {"mean": 0.05, "ratio": math.log10(1.1)}
"""By how much better: a twentieth of the regret of the initial data; a tenth of the peer's regret."""

RULES: Mapping[Measure, Rule] = {
    "mean": problem_by_problem(0.15, "student"),
    "ratio": problem_by_problem(math.log10(1.5)),
}
"""Smallest effects beyond the margin: three twentieths of the initial regret; a factor of 1.5."""

Metric = Literal["simple_regret", "mse"]


@dataclass(frozen=True)
class Circumstance:
    """A reading of the text: its results by (problem, policy), and how much of the budget is used."""

    name: str
    results: Results
    share: float = 1.0


def after(one: Result, metric: Metric, share: float) -> np.ndarray:
    """(seeds,) the metric after that share of the evaluations (of the records, for errors)."""
    arrays = one.arrays
    if metric == "simple_regret":
        first = int(arrays["initial_size"])
        column = first - 1 + round(share * (arrays[metric].shape[1] - first))
    else:
        column = max(round(share * arrays[metric].shape[1]), 1) - 1
    return np.asarray(arrays[metric], float)[:, column]


def unit(one: Result, metric: Metric) -> float:
    """The mean regret of the initial data; the variance of the objective."""
    if metric == "mse":
        return float(one.arrays["truth_variance"])
    return float(np.mean(one.arrays["simple_regret"][:, int(one.arrays["initial_size"]) - 1]))


def differences(ours: Result, theirs: Result, metric: Metric, share: float, measure: Measure) -> np.ndarray:
    """(seeds,) ours less theirs in the unit, or log10 of their ratio, of the seeds that both have."""
    first, second = (after(one, metric, share)[shared(one, other)] for one, other in ((ours, theirs), (theirs, ours)))
    if measure == "mean":
        found: np.ndarray = (first - second) / unit(ours, metric)
        return found
    floor = FLOOR * float(ours.arrays["range" if metric == "simple_regret" else "truth_variance"])
    return np.log10(np.maximum(first, floor)) - np.log10(np.maximum(second, floor))


def circumstances(
    scale: str, problems: Sequence[str], methods: Sequence[str], study: str = FIGURE, arms: bool = False
) -> list[Circumstance]:
    """The main reading of a study after the whole budget, first, and after half of it; with `arms` those of
    `experiments.uhe.fig2_arms`; results that name no reading, which took the priors' 10 as a scale.

    Raises Undecided where nothing is stored of the problems and methods.
    """
    wanted = {(problem, name) for problem in problems for name in methods}
    found = {(arm_of(one), *_place(one)): one for one in inputs.results(study, scale) if _place(one) in wanted}
    if not found:
        stored(study, scale, wanted)
    by_arm = {arm: {key[1:]: one for key, one in found.items() if key[0] == arm} for arm in (MAIN, "scale")}
    main = by_arm[MAIN]
    readings = [Circumstance(MAIN, main), Circumstance(f"{MAIN}, half the budget", main, 0.5)]
    others = {(arm_of(one), *_place(one)): one for one in inputs.results(ARMS, scale)} if arms else {}
    for arm, affected in AFFECTED.items():
        changed = {key[1:]: one for key, one in others.items() if key[0] == arm and key[1:] in wanted}
        kept = {key: one for key, one in main.items() if key[1] not in affected}
        if changed:
            readings.append(Circumstance(arm, kept | changed))
        elif arm == "scale" and by_arm[arm]:
            readings.append(Circumstance(arm, by_arm[arm]))
    near = {("h1", policy): one for (_, problem, policy), one in others.items() if problem == NEAR and "h1" in problems}
    elsewhere = {key: one for key, one in main.items() if key[0] != "h1"}  # the box of h1 changes no other problem
    return [*readings, Circumstance(NEAR, elsewhere | near)] if near else readings


def arm_of(one: Result) -> str:
    """The reading that a result was made under."""
    return str(one.config["options"].get("arm", "scale"))


def _place(one: Result) -> tuple[str, str]:
    return one.config["problem"], one.config["policy"]


def judged(
    circumstance: Circumstance,
    metric: Metric,
    measure: Measure,
    problems: Sequence[str],
    bands: Mapping[str, Band],
    scale: str,
) -> Judged | None:
    """The comparisons with every peer of `bands` that is there, problem by problem; None without any."""
    results, comparisons = circumstance.results, []
    for peer, band in bands.items():
        samples = {
            problem: differences(results[problem, OURS], results[problem, peer], metric, circumstance.share, measure)
            for problem in problems
            if (problem, OURS) in results and (problem, peer) in results
        }
        if samples:
            comparisons.append(Comparison(peer, samples, band))
    return judge(comparisons, RULES[measure], level("D"), scale) if comparisons else None


def combined(
    parts: Sequence[Part],
    shown: str,
    numbers: Mapping[str, Any],
    scale: str,
    settled: bool = False,
    study: str = FIGURE,
    others: str = "",
    null: float | None = None,
) -> Evidence:
    """:func:`theory_checks.circumstances.combined` at Paper D's level, of runs of Figure 2 unless told otherwise."""
    return circumstances_combined(
        parts, shown, numbers, scale, level("D"), study=study, settled=settled, others=others, null=null
    )


def compare(
    metric: Metric,
    problems: Sequence[str],
    scale: str,
    behind: Sequence[str],
    found: Sequence[Circumstance],
    ahead: Sequence[str] = (),
    lead: Mapping[Measure, float] = MARGIN,
    settled: bool = False,
    study: str = FIGURE,
    others: str = "",
) -> Evidence:
    """Is UHE-BO's value below that of every method of `behind` by more than `lead`, and above that of every one of
    `ahead`, on each problem? A negative lead asks whether it is not worse by more than that."""
    parts: list[Part] = []
    shown: list[str] = []
    for circumstance in found:
        for measure in RULES:
            bands: dict[str, Band] = {peer: below(-lead[measure]) for peer in behind}
            bands |= {peer: above(lead[measure]) for peer in ahead}
            one = judged(circumstance, metric, measure, problems, bands, scale)
            whole = one is not None and len(one.places) == len(bands) * len(problems)
            parts.append((f"{circumstance.name}, {measure}", one, whole))
            if one is not None and len(shown) < len(RULES):
                shown.append(_described(one, measure))
    return combined(parts, "; ".join(shown), {"lead": dict(lead)}, scale, settled, study, others, null=0.0)


def _described(one: Judged, measure: Measure) -> str:
    """The comparison that speaks most against the claim, in words."""

    def excess(samples: np.ndarray, band: Band) -> float:
        middle = float(np.mean(samples)) if measure == "mean" else float(np.median(samples))
        return middle - band[1] if band[0] == -math.inf else band[0] - middle

    worst = max((place.comparison for place in one.places), key=lambda each: excess(each.pooled, each.claimed))
    if measure == "mean":
        mean, low, high = interval(worst.pooled, 0.05)
        return f"ours less theirs over the unit, at worst {mean:+.2f} [{low:+.2f}, {high:+.2f}] ({worst.name})"
    return f"median ratio at worst {10 ** float(np.median(worst.pooled)):.3g} ({worst.name})"
