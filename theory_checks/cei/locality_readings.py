"""Does corrected EI search more globally than EI? Judged on the stored runs of Figure 3.

Globally is read as far from the incumbent x+, next to which the corrected EI is small: that is why the paper expects
it."""

from __future__ import annotations

import math

import numpy as np

from experiments.engine.result_file import Result
from experiments.engine.slim import incumbent_steps
from theory_checks.cei.benchmark_readings import ARMS, OURS, PEER, PROBLEMS, RATIO, key
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, Key, Undecided, stored
from theory_checks.readings import EVERYWHERE, FEWEST_SEEDS, Rule, judge, reading
from theory_checks.sides import above

GLOBAL = Rule(effect=-math.log10(RATIO), problems="everywhere", main="known")
LEAST_STEP = 1e-6
"""Of the unit cube's side: shorter steps count as equal."""


def steps(one: Result) -> np.ndarray:
    """(seeds,) median distance, in the unit cube, from a proposal to the incumbent that it was made against."""
    return np.asarray(np.median(np.maximum(incumbent_steps(one.arrays), LEAST_STEP), axis=1))


def runs(study: str, scale: str, arm: str) -> dict[Key, Result]:
    """(problem, policy) → stored runs of an arm."""
    return {one[:2]: found for one, found in stored(study, scale, key=key).items() if one[3] == arm}


def on_common_seeds(ours: np.ndarray, peer: np.ndarray) -> np.ndarray:
    """log10 of ours over the peer's; seeds count from 0, and one may have more."""
    count = min(len(ours), len(peer))
    return np.asarray(np.log10(ours[:count]) - np.log10(peer[:count]))


@reading(
    id="cei.more_global",
    paper="B",
    number="section 4.1, after B (8)",
    statement="This acquisition function would search more globally than EI.",
    hypotheses=(
        "the four benchmarks of Figure 3, noise of 10 % of the range",
        "globally: farther from the incumbent x+",
    ),
    rule=f"""Median distance of the proposals of a run from the incumbents they were made against, in the unit cube,
    paired by seed; the smallest effect that matters is a ratio of {RATIO:g}. Wilcoxon's signed-rank test of
    log10(corrected EI / EI). Supported if with the variance known they lie above 0 on each of the four problems,
    one-sided at 0.05; refuted if those of all problems together lie below 0, two-sided at the ledger's level, in every
    arm that was run; otherwise, with a problem missing or fewer than {FEWEST_SEEDS} seeds, inconclusive.""",
    control={"ours": PEER, "peer": OURS},
    control_statement="EI searches more globally than the corrected EI.",
    tests=2,
    needs=("cei.fig3",),
    amended=f"""The control was a factor, 4 and then 12, what ten seeds could refute; it is the reverse statement now.
    {EVERYWHERE}""",
)
def more_global(scale: str, *, ours: str = OURS, peer: str = PEER) -> Evidence:
    """Both arms."""
    comparisons = []
    for arm in ARMS:
        found = runs("cei.fig3", scale, arm)
        logs = {
            problem: on_common_seeds(steps(found[problem, ours]), steps(found[problem, peer]))
            for problem in PROBLEMS
            if {(problem, ours), (problem, peer)} <= set(found)
        }
        if arm == "known" and set(logs) != set(PROBLEMS):
            raise Undecided(f"only {', '.join(logs) or 'no problem'} at scale {scale}")
        if logs:
            comparisons.append(Comparison(f"{ours} / {peer}", logs, above(0.0), under=arm))
    judged = judge(comparisons, GLOBAL, level("B"), scale)
    shown = "; ".join(
        f"{one.under}: {10 ** float(np.median(one.pooled)):.2f} over all, "
        + ", ".join(f"{problem} {10**median:.2f}" for problem, median in one.medians.items())
        for one in comparisons
    )
    summary = f"median step of {ours} from x+ over that of {peer} ({shown}; claimed: above 1; scale {scale})"
    return judged.evidence(summary, judged.numbers(), undecided="not significant, or not on every problem")
