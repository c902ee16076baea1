"""What the text says of Figure 2 (bottom) on the random forest: better than most of the peers, like MCMC.

The paper gives no budget and no initial design: a reversal refutes only the entry on the runs stored here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from theory_checks import tuning
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, stored
from theory_checks.readings import FEWEST_SEEDS, SUPPORT, judge, reading
from theory_checks.sides import above, as_difference, within
from theory_checks.uhe.tuning_readings import ALL, PEERS, STUDY

LIKE = "gp_ucb_mcmc"
"""The peer that UHE-BO is said to be similar to."""
MARGIN = tuning.RULES["D"].effect
"""Similar accuracies differ by less than the smallest difference that matters, one test case in four hundred."""
MOST = 3
"""Better than most of the five peers other than MCMC."""
SHARED = len(PEERS) - 1 - (MOST - 1)
"""Peers that share the error of support: Bonferroni's partial conjunction."""
RULE = replace(tuning.RULES["D"], support=SUPPORT / SHARED)
TASKS = ("rf_wilt",)

_RULE = f"""Best accuracy after the whole budget, paired by seed (same start, same split); Wilcoxon's signed-rank test
    of the difference (ours − peer) for every peer. {tuning.smallest_effect("D")} Supported if UHE-BO lies above at
    least {MOST} of the five peers other than MCMC and within {MARGIN:g} of MCMC, each one-sided at 0.05 / {SHARED}
    (where it is above {MOST - 1} alone, {SHARED} more could seem so); reversed if, two-sided at the ledger's level, it
    lies below {MOST} of the five, or outside {MARGIN:g} of MCMC. {{reversed}};
    otherwise, or with a result missing or fewer than {FEWEST_SEEDS} seeds, inconclusive."""
_AMENDED = """After those of scale paper: support took each peer at the ledger's level, as refutation does, where other
    readings take 0.05; by that it was above two of the five, not three."""
_FIELDS: dict[str, Any] = {
    "paper": "D",
    "hypotheses": ("random forest on Wilt, the task of appendix C",),
    "control_statement": """In the stored runs of all four tuning tasks the initial design alone is better than most of
    the methods, and like MCMC.""",
    "needs": (STUDY,),
}
_CONTROL = {"ours": tuning.DESIGN, "tasks": ALL}


def wilt(scale: str, ours: str, tasks: Sequence[str], settled: bool) -> Evidence:
    """Whether a method lies above most of the peers and is like MCMC; a reversal refutes only what is `settled`."""
    methods = [name for name in (ours, *PEERS) if name != tuning.DESIGN]
    results = stored(STUDY, scale, [(task, name) for task in tasks for name in methods])
    comparisons = [
        Comparison(
            f"{ours} against {peer}",
            tuning.gains(results, ours, peer, tasks, "final"),
            within(MARGIN) if peer == LIKE else above(0.0),
        )
        for peer in PEERS
    ]
    judged = judge(comparisons, RULE, level("D"), scale)
    (like,) = (place for place in judged.places if place.comparison.name.endswith(LIKE))
    others = [place for place in judged.places if place is not like]
    ahead, behind = [one for one in others if one.supports], [one for one in others if one.refutes]
    against = behind if len(behind) >= MOST else [like] if like.refutes else []
    found = replace(judged, outcome=-1 if against else int(len(ahead) >= MOST and like.supports))
    if against:
        alone = judge([against[0].comparison], RULE, level("D"), scale)
        found = replace(found, counterexample=alone.counterexample)
    summary = (
        f"{ours} is above {len(ahead)} and below {len(behind)} of {len(others)} peers; less MCMC "
        f"{float(np.mean(like.comparison.pooled)):+.4f} (scale {scale}, {len(tasks)} task{'s' * (len(tasks) != 1)})"
    )
    return found.evidence(
        summary,
        judged.numbers(as_difference) | {"scale": scale},
        undecided="not significant",
        open="" if settled else "the paper leaves the budget open",
    )


@reading(
    id="uhe.fig2_tuning_comparable",
    number="Figure 2 (bottom), section 7.1",
    statement="""For Random Forest with the Wilt dataset, UHE-BO is better than most of the approaches, except MCMC when
    it performs similarly.""",
    rule=_RULE.format(
        reversed="Reversed, it is inconclusive: the paper gives no budget and no initial design, and scale quick runs "
        "part of the data (uhe.fig2_tuning_comparable_here)"
    ),
    control={**_CONTROL, "settled": True},
    tests=6,
    amended=f"""After results of scale quick, inconclusive under either rule: similar to MCMC was not being apart from
    it, which too few runs show best; it is equivalence within a margin now. {_AMENDED}""",
    **_FIELDS,
)
def fig2_tuning_comparable(
    scale: str, *, ours: str = "uhe_bo", tasks: Sequence[str] = TASKS, settled: bool = False
) -> Evidence:
    """Higher final accuracy than most peers, and like MCMC's."""
    return wilt(scale, ours, tasks, settled)


@reading(
    id="uhe.fig2_tuning_comparable_here",
    number="Figure 2 (bottom), as run here",
    statement="""With the budget, designs and amount of data of docs/constants.md, UHE-BO is better than most of the
    other methods on the random forest with Wilt, and similar to MCMC.""",
    rule=_RULE.format(reversed="Reversed, it is refuted (the tests are those of uhe.fig2_tuning_comparable)"),
    control=_CONTROL,
    amended=_AMENDED,
    origin="here",
    **_FIELDS,
)
def fig2_tuning_comparable_here(scale: str, *, ours: str = "uhe_bo", tasks: Sequence[str] = TASKS) -> Evidence:
    """The stored runs themselves."""
    return wilt(scale, ours, tasks, True)
