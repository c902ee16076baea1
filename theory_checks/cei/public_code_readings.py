"""Does the authors' own code show the headline of Figure 3? Judged on stored runs of its protocol.

Two metrics are read of the same runs: the best noise-free value among all queries, which the code stores, and x+, which
the paper names. To say what turns the order, the same ratios are given, where they are stored, of our model and search
told the noise that occurred (arm `leaked` of Figure 3, scale quick).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from experiments.engine.slim import best_value
from theory_checks.cei.benchmark_readings import BETTER, FLOOR, OURS, PEER, PROBLEMS, final, key
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, Key, Undecided, stored
from theory_checks.readings import EVERYWHERE, FEWEST_SEEDS, Rule, judge, reading
from theory_checks.sides import below, described, indifferent, usual

STUDY, ARM = "cei.fig3_public", "public"
METRICS = ("best query", "x+")
RATIO = 0.8
"""The smallest effect that matters: a final regret this many times EI's, or EI's this many times ours."""
RULE = Rule(effect=-math.log10(RATIO), problems="everywhere", main="best query")


def regret(one: Result, metric: str) -> np.ndarray:
    """(seeds,) final regret, of the range, at x+ or of the best query; at least the floor."""
    if metric == "x+":
        return final(one, "gap")
    best = best_value(one.arrays)[:, -1]
    found: np.ndarray = (float(one.arrays["optimum"]) - best) / float(one.arrays["range"])
    return np.maximum(found, FLOOR)


def log_ratios(results: dict[Key, Result], arm: str, metric: str) -> dict[str, np.ndarray]:
    """Problem → (seeds,) log10 of our final regret over EI's, where both were run in that arm."""
    ours = {one[0]: one for one in sorted(results) if one[1] == OURS and one[3] == arm}
    pairs = {name: (one, (name, PEER, *one[2:])) for name, one in ours.items() if (name, PEER, *one[2:]) in results}
    return {
        name: np.log10(regret(results[one], metric)) - np.log10(regret(results[peer], metric))
        for name, (one, peer) in pairs.items()
    }


def on_the_way(scale: str, results: dict[Key, Result]) -> dict[str, Any]:
    """Median ratios with 95 % intervals over all pairs, by arm and metric, from our runs to theirs."""
    try:
        before = stored("cei.fig3", scale, key=key)
    except Undecided:
        before = {}
    found: dict[str, Any] = {}
    for arm, runs in (("leaked", before), (ARM, results)):
        for metric in METRICS:
            logs = log_ratios(runs, arm, metric)
            if set(logs) == set(PROBLEMS):
                pooled = np.concatenate(list(logs.values()))
                middle = [10.0**end for end in usual(pooled)]
                found.setdefault(arm, {})[metric] = {
                    "pairs": len(pooled),
                    "median_ratio": 10.0 ** float(np.median(pooled)),
                    "geometric_mean_ratio": middle,
                }
    return found


@reading(
    id="cei.fig3_public_code",
    paper="B",
    number="Figure 3, section 5.1, public code",
    statement="""Run by the protocol of the authors' public code, the corrected EI outperforms EI for the benchmark
    objective functions (noise of 10 % of the range).""",
    hypotheses=(
        "the four benchmarks of Figure 3",
        "maximum a posteriori, constant mean, the noise that occurred told to the model",
        "the acquisition itself maximised by five iterations",
    ),
    rule=f"""Final regret by two metrics, of the best query (the code's) and of x+ (the paper's), paired by seed; the
    smallest effect that matters is a ratio of {RATIO:g}. Wilcoxon's signed-rank test of log10(corrected EI / EI).
    Supported if those of the best query lie below 0 on each of the four problems, one-sided at 0.05; refuted if not,
    and those of all problems together lie above log10(1 / 1.1), two-sided at the ledger's level, by both metrics: an
    advantage of a tenth is excluded, which is what "better" means in `cei.fig3_beats_ei`; otherwise, with a problem
    missing or fewer than {FEWEST_SEEDS} seeds, inconclusive. How many pairs that effect takes at the spread found is
    reported, and the ratios of the leaked arm of Figure 3.""",
    control={"factor": 0.25},
    control_statement="Its regret is at most a quarter of EI's.",
    tests=2,
    needs=(STUDY,),
    severity="substantive",
    positive={"factor": 3.0},
    positive_statement="Its regret is at most three times EI's.",
    amended=f"""{EVERYWHERE} After the runs of scale paper, in which the ratios are 1.08 [1.00, 1.18] and 1.07 [0.99,
    1.15]: refuted where an advantage of a tenth is excluded, as the same sentence is under our protocol
    (`cei.fig3_beats_ei`, whose rule was written before its runs); before, where they lie above 0, so that two methods
    that are level stayed undecided however many pairs there are. To be reported at scale paper were the leaked arm of
    Figure 3 too, and an arm with their model and our search: neither was part of the rule, neither is run there.""",
)
def fig3_public_code(scale: str, *, factor: float = 1.0) -> Evidence:
    """Both metrics, and what turns the order."""
    results, margin = stored(STUDY, scale, key=key), math.log10(factor)
    samples = {metric: log_ratios(results, ARM, metric) for metric in METRICS}
    if set(samples["x+"]) != set(PROBLEMS):
        raise Undecided(f"only {', '.join(samples['x+']) or 'no problem'} at scale {scale}")
    tolerated = indifferent(below(margin), -math.log10(BETTER)) if factor == 1.0 else None
    comparisons = [
        Comparison(f"{OURS} / {PEER}", samples[metric], below(margin), tolerated, under=metric) for metric in METRICS
    ]
    judged = judge(comparisons, RULE, level("B"), scale)
    numbers: dict[str, Any] = {"level": judged.level, "factor": factor, "way": on_the_way(scale, results)}
    shown = []
    for place in judged.places:
        one = place.comparison
        needed = RULE.repetitions(float(np.std(one.pooled, ddof=1)), judged.level)
        numbers[one.under] = {
            "pairs": len(one.pooled),
            "pairs_needed": needed,
            "side": place.side,
            "regret": described(one.samples),
        }
        each = ", ".join(f"{problem} {10**median:.2f}" for problem, median in one.medians.items())
        shown.append(
            f"{one.under} {10 ** float(np.median(one.pooled)):.2f} ({each}; {len(one.pooled)} of the {needed} pairs "
            f"that {RATIO:g} takes)"
        )
    way = "; ".join(
        f"{arm}: " + ", ".join(f"{metric} {row['median_ratio']:.2f}" for metric, row in rows.items())
        for arm, rows in numbers["way"].items()
    )
    summary = (
        f"median regret of {OURS} over that of {PEER} by the public code's protocol, {'; '.join(shown)}; on the way "
        f"there, {way} (claimed: below {factor:g}; scale {scale})"
    )
    reason = {0: "not significant", 1: "not on every problem", -1: "not so"}[judged.places[0].claimed]
    return judged.evidence(summary, numbers, undecided=f"{reason} for the best query")
