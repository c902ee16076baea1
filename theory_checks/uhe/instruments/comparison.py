"""UHE-BO against its peers on stored runs, as the readings of Figures 2, 4 and 5 judge it.

The paper's text gives neither the number of evaluations nor the initial data. Every shorter budget is part of a stored
run, so differences are judged after each quarter of it. Where UHE-BO lies on the wrong side the reading is not
reproduced with our choices, which refutes nothing; it is refuted where UHE-BO is worse by more than a factor of
`FAR` after every quarter: so far that no initial data of ours can be to blame.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, differences, stored
from theory_checks.readings import Rule, judge
from theory_checks.sides import above, below, described

OURS = "uhe_bo"
QUARTERS = (0.25, 0.5, 0.75, 1.0)
FAR = 10.0
FLOOR = 1e-9
"""Of the problem's range (regret) or of the objective's variance (squared error): smaller values count as equal."""
RULE = Rule(effect=math.log10(FAR), problems="everywhere", main=str(QUARTERS[-1]))
_WORDS = {1: "as claimed", 0: "not significant", -1: "significantly otherwise"}


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
    peers, far = (*behind, *ahead), math.log10(FAR)
    results = stored(study, scale, [(problem, name) for problem in problems for name in (OURS, *peers)])
    comparisons = []
    for peer in peers:
        bound = math.log10(factor)
        bands = (below(bound), below(bound + far)) if peer in behind else (above(0.0), above(-far))
        for quarter in QUARTERS:
            value = partial(at_quarter, metric=metric, quarter=quarter)
            logs = differences(results, OURS, peer, problems, value, log=True)
            comparisons.append(Comparison(peer, logs, *bands, under=str(quarter)))
    judged = judge(comparisons, RULE, level("D"), scale)
    numbers: dict[str, Any] = {"level": judged.level, "factor": factor, "scale": scale}
    shown = []
    for peer in peers:
        places = [place for place in judged.places if place.comparison.name == peer]
        end = places[-1].comparison
        numbers[peer] = {
            "sides": [-place.claimed for place in places],
            "far": [-place.tolerated for place in places],
            "end": described(end.samples),
        }
        shown.append(f"{10 ** float(np.median(end.pooled)):.2g} ({_WORDS[places[-1].claimed]}) times {peer}'s")
    limit = f", claimed below {factor:g}" if factor != 1.0 else ""
    summary = f"median of UHE-BO's over the peer's at the end: {', '.join(shown)}{limit} (scale {scale})"
    return judged.evidence(summary, numbers)
