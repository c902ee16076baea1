"""UHE-BO against its peers on stored runs, as the readings of Figures 2, 4 and 5 judge it.

The paper's text gives neither the number of evaluations nor the initial data. Every shorter budget is part of a stored
run, so differences are judged after each quarter of it. Where UHE-BO lies on the wrong side the reading is not
reproduced with our choices, which refutes nothing; it is refuted where UHE-BO is worse by more than a factor of
`FAR` after every quarter: so far that no initial data of ours can be to blame.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from theory_checks import inputs
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.paired import FEWEST_SEEDS, described, side, stored

OURS = "uhe_bo"
QUARTERS = (0.25, 0.5, 0.75, 1.0)
FAR = 10.0
FLOOR = 1e-9
"""Of the problem's range (regret) or of the objective's variance (squared error): smaller values count as equal."""

Results = Mapping[tuple[str, str], Result]


def at_quarter(one: Result, metric: str, quarter: float) -> np.ndarray:
    """(seeds,) simple regret, or error of the predictions, after that share of the evaluations; at least the floor."""
    arrays = one.arrays
    if metric == "simple_regret":
        first = int(arrays["initial_size"])
        column = first - 1 + round(quarter * (arrays[metric].shape[1] - first))
        unit = float(arrays["range"])
    else:
        column = max(round(quarter * arrays[metric].shape[1]), 1) - 1
        unit = float(arrays["truth_variance"])
    found: np.ndarray = np.maximum(np.asarray(arrays[metric], float)[:, column] / unit, FLOOR)
    return found


def log_ratios(
    results: Results, metric: str, ours: str, peer: str, problems: Sequence[str], quarter: float
) -> dict[str, np.ndarray]:
    """Problem → (seeds,) log10 of our value over the peer's."""
    return {
        problem: np.log10(at_quarter(results[problem, ours], metric, quarter))
        - np.log10(at_quarter(results[problem, peer], metric, quarter))
        for problem in problems
    }


def replay(counterexample: Mapping[str, Any]) -> tuple[list[float], float, bool]:
    """Left: medians of the stored log10 ratios, a quarter each; right: the claimed bound; violated where far above (or,
    for a peer said to be ahead, far below) after every quarter."""
    quarters = [np.asarray(values, float) for values in counterexample["log10_ratios"]]
    bound, sign = float(counterexample["bound"]), float(counterexample["sign"])
    limit = sign * bound + math.log10(FAR)
    violated = all(side(sign * values, limit, float(counterexample["level"])) > 0 for values in quarters)
    return [float(np.median(values)) for values in quarters], bound, violated


def compare(
    study: str,
    scale: str,
    metric: str,
    problems: Sequence[str],
    behind: Sequence[str],
    factor: float,
    ahead: Sequence[str] = (),
) -> Evidence:
    """Is UHE-BO's value below `factor` times that of every method of `behind`, and above that of every one of `ahead`?

    Supported if so significantly at the end, over all pairs (problem, seed), and by the median on each problem.
    """
    results, alpha, bound = stored(study, scale), level("D"), math.log10(factor)
    numbers: dict[str, Any] = {"level": alpha, "factor": factor, "scale": scale}
    wanted = [(problem, name) for problem in problems for name in (OURS, *behind, *ahead)]
    absent = sorted({f"{problem} {name}" for problem, name in wanted if (problem, name) not in results})
    if absent:
        why = inputs.how_to_get(study, scale) if len(absent) == len(wanted) else f"not there: {', '.join(absent)}"
        return Evidence(Verdict.INCONCLUSIVE, why, numbers)
    fewest = min(len(results[key].arrays[metric]) for key in wanted)
    if fewest < FEWEST_SEEDS:
        return Evidence(Verdict.INCONCLUSIVE, f"only {fewest} seeds at scale {scale}", numbers)
    shown, holds, worst = [], True, None
    for peer in (*behind, *ahead):
        sign, claimed = (1.0, bound) if peer in behind else (-1.0, 0.0)
        quarters = [log_ratios(results, metric, OURS, peer, problems, quarter) for quarter in QUARTERS]
        pooled = [np.concatenate(list(found.values())) for found in quarters]
        sides = [side(sign * values, sign * claimed, alpha) for values in pooled]
        far = [side(sign * values, sign * claimed + math.log10(FAR), alpha) for values in pooled]
        medians = [sign * float(np.median(values)) for values in quarters[-1].values()]
        holds &= sides[-1] < 0 and max(medians) < sign * claimed
        numbers[peer] = {"sides": sides, "far": far, "end": described(quarters[-1])}
        shown.append(f"{10 ** float(np.median(pooled[-1])):.2g} ({_WORDS[sides[-1]]}) times {peer}'s")
        if worst is None and all(found > 0 for found in far):
            worst = {"peer": peer, "log10_ratios": pooled, "bound": claimed, "sign": sign, "level": alpha}
    limit = f", claimed below {factor:g}" if factor != 1.0 else ""
    summary = f"median of UHE-BO's over the peer's at the end: {', '.join(shown)}{limit} (scale {scale})"
    if worst is not None:
        return Evidence(Verdict.REFUTED, summary, numbers, worst)
    return Evidence(Verdict.SUPPORTED if holds else Verdict.INCONCLUSIVE, summary, numbers)


_WORDS = {-1: "as claimed", 0: "not significant", 1: "significantly otherwise"}
