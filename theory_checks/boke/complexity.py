"""Table 1 and its remark, against measured times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from theory_checks import inputs
from theory_checks.boke.regret_readings import replay_pairs
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.paired import FEWEST_SEEDS, described, replay_interval, side, slopes, stored, student_interval

PRINTED: Mapping[str, Mapping[str, float]] = {
    "preprocessing": {"boke": 0, "boke_plus": 0, "kr_ucb": 2, "gp_ucb": 3},
    "inference": {"boke": 1, "boke_plus": 1, "kr_ucb": 1, "gp_ucb": 2},
}
"""Powers of t that Table 1 prints, by phase and method."""

ALLOWANCE = 0.15
"""How far a measured exponent may exceed the printed power: caches grow slower with size than memory does."""

LAST = 3
"""The largest t that are fitted, where fixed overheads weigh least."""


@claim(
    id="boke.table1",
    paper="A",
    number="Table 1",
    statement="Preprocessing costs O(1) for BOKE and BOKE+, O(t^2) for KR-UCB, O(t^3) for GP-UCB; inference at a point "
    "costs O(t), O(t), O(t^2).",
    hypotheses=("one thread, double precision, d = 3", "outputs standardised beforehand"),
    rule=f"Slope of log seconds in log t over the {LAST} largest t, one a repetition; Student's interval of the mean "
    "at "
    f"the ledger's level. Supported if all eight upper ends are at most the printed power + {ALLOWANCE}, refuted if "
    "some "
    f"lower end is above; otherwise, or with fewer than {FEWEST_SEEDS - 1} repetitions, inconclusive. O(.) is an upper "
    "bound: smaller exponents, as fixed overheads give them, agree with it.",
    control={"printed": {"inference": {"gp_ucb": 1}}, "at": "quick"},
    control_statement="Inference with GP-UCB costs O(t) (read at scale quick).",
    tests=8,
    needs=("boke.table1",),
    replay=replay_interval,
)
def table1(scale: str, *, printed: Mapping[str, Mapping[str, float]] = PRINTED, at: str | None = None) -> Evidence:
    """Measured exponents beside the printed powers."""
    scale, alpha = at or scale, level("A")
    results, numbers, places = stored("boke.table1", scale), dict[str, Any](), []
    counterexample = None
    for phase, powers in printed.items():
        for method, power in powers.items():
            result = results.get((phase, method))
            if result is None:
                return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get("boke.table1", scale), numbers)
            t, seconds = result.arrays["t"][-LAST:], result.arrays["seconds"][:, -LAST:]
            if len(seconds) < FEWEST_SEEDS - 1:
                return Evidence(Verdict.INCONCLUSIVE, f"only {len(seconds)} repetitions at scale {scale}", numbers)
            fitted = slopes(t, seconds)
            mean, low, high = student_interval(fitted, alpha)
            most = power + ALLOWANCE
            places.append(-1 if high <= most else 1 if low > most else 0)
            numbers[f"{phase} {method}"] = {"exponent": mean, "interval": [low, high], "printed": power, "t": t}
            if low > most and counterexample is None:
                band = [-np.inf, most]
                counterexample = {"phase": phase, "method": method, "samples": fitted, "band": band, "level": alpha}
    exponents = ", ".join(f"{name} {one['exponent']:.2f} ({one['printed']:g})" for name, one in numbers.items())
    summary = f"measured (printed) exponents: {exponents}"
    if counterexample is not None:
        return Evidence(Verdict.REFUTED, summary, numbers, counterexample)
    verdict = Verdict.SUPPORTED if all(place < 0 for place in places) else Verdict.INCONCLUSIVE
    return Evidence(verdict, summary, numbers)


FASTEST_FIRST = ("kr_ucb", "boke_plus", "boke")


@claim(
    id="boke.table1_in_practice",
    paper="A",
    number="section 3.4, after Table 1",
    statement="In practice, KR-UCB typically exhibits faster computation than BOKE, with BOKE+ showing intermediate "
    "performance between the two.",
    hypotheses=(
        "m much larger than T evaluations of the acquisition",
        "our code: 1,024 candidates, 8 BFGS refinements",
    ),
    rule="Seconds of whole proposals at the stored t, d = 3, paired by data set. Wilcoxon's signed-rank test of the "
    "log10 ratios, two-sided at the ledger's level, on all pairs (t, data set): KR-UCB over BOKE+, and BOKE+ over "
    "BOKE. "
    "Supported if both ratios lie below 1, refuted if either lies above; otherwise, or with fewer than "
    f"{FEWEST_SEEDS} data sets, inconclusive. The verdict is about this implementation.",
    control={"order": ("gp_ucb", "boke"), "smallest_t": 100, "at": "quick"},
    control_statement="GP-UCB proposes faster than BOKE for t >= 100 (read at scale quick).",
    tests=2,
    needs=("boke.table1",),
    replay=replay_pairs,
)
def table1_in_practice(
    scale: str, *, order: Sequence[str] = FASTEST_FIRST, smallest_t: int = 0, at: str | None = None
) -> Evidence:
    """Each method of `order` against the next, which is claimed to be slower."""
    scale, alpha = at or scale, level("A")
    results, numbers, sides = stored("boke.table1", scale), dict[str, Any](), []
    counterexample = None
    for faster, slower in pairwise(order):
        pair = [results.get(("proposal", method)) for method in (faster, slower)]
        if pair[0] is None or pair[1] is None:
            return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get("boke.table1", scale), numbers)
        t = pair[0].arrays["t"]
        ratios = np.log10(pair[0].arrays["seconds"] / pair[1].arrays["seconds"])[:, t >= smallest_t]
        if len(ratios) < FEWEST_SEEDS:
            return Evidence(Verdict.INCONCLUSIVE, f"only {len(ratios)} data sets at scale {scale}", numbers)
        by_t = {f"t = {t}": ratios[:, column] for column, t in enumerate(t[t >= smallest_t])}
        sides.append(side(ratios.ravel(), 0.0, alpha))
        numbers[f"{faster} / {slower}"] = {"side": sides[-1], "by_t": described(by_t)}
        if sides[-1] > 0 and counterexample is None:
            stated = {"method": faster, "peer": slower}
            counterexample = {**stated, "log10_ratios": ratios.ravel(), "margin": 0.0, "level": alpha}
    medians = {method: float(np.median(results["proposal", method].arrays["seconds"][:, -1])) * 1e3 for method in order}
    summary = "milliseconds a proposal at the largest t: " + ", ".join(f"{m} {s:.2g}" for m, s in medians.items())
    if counterexample is not None:
        return Evidence(Verdict.REFUTED, summary, numbers, counterexample)
    return Evidence(Verdict.SUPPORTED if all(s < 0 for s in sides) else Verdict.INCONCLUSIVE, summary, numbers)
