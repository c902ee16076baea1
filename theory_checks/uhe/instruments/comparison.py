"""UHE-BO against its peers on stored runs, as the readings of Figures 2, 4 and 5 judge it.

The paper plots means with standard errors, so the first measure is the mean of the paired differences, in units of the
mean regret of the initial data (errors of predictions: of the objective's variance), by Student's test. Regrets that
span orders of magnitude are judged beside it by their ratios, with Wilcoxon's test. "Better" means better by more than
a margin, so that a method no better than its peer can be told from one that was run too seldom.

What the text leaves open is varied: half the budget, and the readings of `experiments.uhe.fig2_arms`. Each measure
under each of these circumstances has its outcome: supported (1), refuted (-1) or neither; :func:`verdict` combines
them. A circumstance that lacks a peer supports nothing. Refutation needs every circumstance, so that the probability of
refuting a true claim is at most that of its first; and where that study has other readings of the text, one of them.
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
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.pairs import Comparison, Results, shared, stored
from theory_checks.readings import Judged, Rule, clearness, judge, problem_by_problem
from theory_checks.sides import Band, above, below, interval
from theory_checks.undecided import Kind

OURS = "uhe_bo"
MAIN = "rate"
FIGURE, ARMS = "uhe.fig2", "uhe.fig2_arms"
LARGEST = "paper"
"""The scale that runs every method under every reading."""
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
_WORDS = {1: "as claimed", 0: "undecided", -1: "otherwise"}


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


def verdict(outcomes: Sequence[int]) -> Verdict:
    """Supported by the first circumstance and reversed under none; refuted under all; depends where some say so and
    some otherwise; else inconclusive."""
    if outcomes[0] > 0 and min(outcomes) >= 0:
        return Verdict.SUPPORTED
    if max(outcomes) < 0:
        return Verdict.REFUTED
    return Verdict.DEPENDS if max(outcomes) > 0 > min(outcomes) else Verdict.INCONCLUSIVE


Part = tuple[str, Judged | None, bool]
"""Name of a circumstance and measure, what was judged there, and whether nothing was missing."""


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
    """The evidence of all circumstances; the first is the main one, and undecided where nothing of it is stored. A
    statement that is `settled` is about the runs that are stored, whatever their reading. Runs that are missing are
    those of `study`; with `others`, the study of other readings of the text, one reading alone does not refute. `null`:
    of :func:`clearest`, which chooses the counterexample."""
    sides: dict[str, int] = {}
    places: dict[str, Any] = {}
    for name, one, whole in parts:
        if one is None:
            if name == parts[0][0] and not settled:
                sides[name] = 0
            continue
        sides[name] = one.outcome if whole else min(one.outcome, 0)
        places[name] = {
            place.comparison.name: {"side": place.claimed, "mean": list(interval(place.comparison.pooled, 0.05))}
            for place in one.places
        }
    outcome = verdict(list(sides.values()))
    alone = others and not settled and len({name.split(",")[0] for name in sides}) == 1
    if alone and outcome is Verdict.REFUTED:
        outcome, shown = Verdict.INCONCLUSIVE, f"{shown}. No other reading was tried: {how_to_run(others, scale)}"
    said = "; ".join(f"{name}: {_WORDS[side]}" for name, side in sides.items())
    missing = dict.fromkeys(name.split(",")[0] for name, one, whole in parts if one is None or not whole)
    lacks = f". Runs are missing of {MAIN}: {how_to_run(study, scale)}" if missing.pop(MAIN, True) is None else ""
    if missing:
        lacks += f". Not every peer was run under {', '.join(missing)}: {how_to_run(others or study, LARGEST)} runs all"
    decided = outcome in (Verdict.REFUTED, Verdict.DEPENDS)
    open_ = {"undecided": why(*parts[0][1:], list(sides.values()))} if outcome is Verdict.INCONCLUSIVE else {}
    return Evidence(
        outcome,
        f"{shown}. By reading and measure: {said}{lacks} (scale {scale})",
        {"level": level("D"), "scale": scale, "outcomes": sides, **numbers, **places, **open_},
        clearest([one for _, one, _ in parts if one is not None], null) if decided else None,
    )


def clearest(several: Sequence[Judged], null: float | None = None) -> dict[str, Any] | None:
    """Of all comparisons that refute, under every circumstance and measure, the one of the largest
    `theory_checks.readings.clearness`, with all that `theory_checks.readings.replay` needs; None where none refutes.
    For differences `null` is zero: beyond a margin lies also what cannot be better by so much."""
    refuting = [(place.comparison, one) for one in several for place in one.places if place.refutes]
    if not refuting:
        return None
    comparison, one = max(refuting, key=lambda found: clearness(found[0], null))
    rule = {"test": one.rule.test, "band": comparison.limit, "level": one.level}
    return {"comparison": comparison.name, **rule, "samples": comparison.pooled}


def why(main: Judged | None, whole: bool, outcomes: Sequence[int]) -> dict[str, Any]:
    """Why they do not decide: runs of the main circumstance missing, reversed under some, or what is said of it."""
    if main is None or not whole:
        return {"kind": str(Kind.TOO_FEW)}
    return {"kind": str(Kind.REVERSED)} if min(outcomes) < 0 else main.undecided()


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


def how_to_run(study: str, scale: str) -> str:
    """The command that computes what is missing."""
    return f"python -m experiments run --only {study} --scale {scale}"


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
