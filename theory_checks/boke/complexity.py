"""The remark on Table 1, against measured times; the table itself is in :mod:`theory_checks.boke.operations`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, stored
from theory_checks.readings import Rule, judge, reading
from theory_checks.sides import below, described

STUDY = "boke.table1"
TIMES = Rule(effect=math.log10(1.1), unit="data sets")


FASTEST_FIRST = ("kr_ucb", "boke_plus", "boke")


@reading(
    id="boke.table1_in_practice",
    paper="A",
    number="section 3.4, after Table 1",
    statement="""In practice, KR-UCB typically exhibits faster computation than BOKE, with BOKE+ showing intermediate
    performance between the two.""",
    hypotheses=(
        "m much larger than T evaluations of the acquisition",
        "our code: 1,024 candidates, 8 BFGS refinements",
    ),
    rule=f"""Seconds of whole proposals at the stored t, d = 3, paired by data set. Wilcoxon's signed-rank test of the
    log10 ratios, two-sided at the ledger's level, on all pairs (t, data set): KR-UCB over BOKE+, and BOKE+ over BOKE.
    Supported if both ratios lie below 1, refuted if either lies above; otherwise, or with fewer than {TIMES.fewest}
    data sets, inconclusive. The verdict is about this implementation.""",
    control={"order": ("gp_ucb", "boke"), "smallest_t": 100},
    control_statement="GP-UCB proposes faster than BOKE for t >= 100 (read at scale quick).",
    tests=2,
    needs=(STUDY,),
    origin="printed",
)
def table1_in_practice(scale: str, *, order: Sequence[str] = FASTEST_FIRST, smallest_t: int = 0) -> Evidence:
    """Each method of `order` against the next, which is claimed to be slower."""
    arrays = {key[1]: one.arrays for key, one in stored(STUDY, scale, [("proposal", name) for name in order]).items()}
    comparisons = []
    for faster, slower in pairwise(order):
        t = arrays[faster]["t"]
        ratios = np.log10(arrays[faster]["seconds"] / arrays[slower]["seconds"])
        by_t = {f"t = {one}": ratios[:, column] for column, one in enumerate(t) if one >= smallest_t}
        comparisons.append(Comparison(f"{faster} / {slower}", by_t, below(0.0)))
    judged = judge(comparisons, TIMES, level("A"), scale)
    numbers = {p.comparison.name: {"side": p.side, "by_t": described(p.comparison.samples)} for p in judged.places}
    medians = {method: float(np.median(arrays[method]["seconds"][:, -1])) * 1e3 for method in order}
    times = ", ".join(f"{method} {milliseconds:.2g}" for method, milliseconds in medians.items())
    return judged.evidence(f"milliseconds a proposal at the largest t: {times}", numbers)
