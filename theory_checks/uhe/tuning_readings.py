"""The readings of Figure 2 (bottom) and Figure 5 (right): tuning with unknown hyperparameters, on stored results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from theory_checks import tuning
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.pairs import Comparison, differences, stored
from theory_checks.readings import FEWEST_SEEDS, Rule, judge, reading
from theory_checks.sides import below, interval

STUDY = "uhe.fig2_tuning"
SIGNIFICANT = ("lr_vehicle", "xgb_australian", "xgb_kc1")
"""Tasks on which UHE-BO is said to win; the XGBoost data are named twice, differently, and both are run."""

ALL = (*SIGNIFICANT, "rf_wilt")
PEERS = ("gp_ucb_map", "gp_ucb_mcmc", "a_gp_ucb", "wang_de_freitas", "portfolio_exp3", "random_search")
MOST = 3
"""Better than most of the five peers other than MCMC."""

SIMILAR = 2.0
"""Similar running times differ by at most this factor; much faster is by more than it."""

TIMES = Rule(effect=math.log10(SIMILAR), test="student")

_RULE = f"""Best accuracy after the whole budget, paired by seed (same start, same split). Wilcoxon's signed-rank test
    of the difference (ours − peer), two-sided at the ledger's level, on all pairs (task, seed) together, for every
    peer. {tuning.smallest_effect("D")} {tuning.EVERYWHERE}"""
_OPEN = """The paper gives no budget and no initial design, and scale quick runs part of the data: where a method lies
    below a peer the reading is inconclusive (uhe.fig2_tuning_here speaks of the runs stored here, and can be refuted by
    them)."""
_CONTROL = {"ours": (tuning.DESIGN,), "tasks": ALL, "settled": True}
_CONTROL_STATEMENT = """In the stored runs the initial design alone is significantly better than the methods (read at
    scale quick)."""


_BEST: dict[str, Any] = {
    "ours": ("uhe_bo",),
    "peers": PEERS,
    "tasks": SIGNIFICANT,
    "measure": "final",
    "hypotheses": ("the tasks of section 7.1 and appendix C, the data of XGBoost read both ways",),
    "control": _CONTROL,
    "control_statement": _CONTROL_STATEMENT,
}

fig2_tuning_best = tuning.tuning_claim(
    "Higher final accuracy than every peer.",
    __name__,
    "D",
    STUDY,
    id="uhe.fig2_tuning_best",
    number="Figure 2 (bottom), section 7.1",
    statement="""For Logistic Regression with the Vehicle Silhouettes dataset and the XGB Classification with the
    Australia Credit dataset, UHE-BO outperforms existing methods significantly.""",
    rule=f"{_RULE} Supported if UHE-BO lies above all six, on the three tasks together. {_OPEN}",
    tests=6,
    **_BEST,
)

fig2_tuning_here = tuning.tuning_claim(
    "The stored runs themselves.",
    __name__,
    "D",
    STUDY,
    settled=True,
    id="uhe.fig2_tuning_here",
    number="Figure 2 (bottom), as run here",
    statement="""With the budgets, designs and amounts of data of docs/constants.md, UHE-BO outperforms every other
    method on the tasks with Vehicle Silhouettes, Australian Credit and KC1.""",
    rule="""The comparisons of uhe.fig2_tuning_best, the same tests. Supported if all six lie above, refuted if one lies
    below, otherwise inconclusive.""",
    origin="here",
    **_BEST,
)

fig2_tuning_random = tuning.tuning_claim(
    "Lower final accuracy than the methods that model the objective.",
    __name__,
    "D",
    STUDY,
    id="uhe.fig2_tuning_random",
    number="Figure 2 (bottom), section 7.1",
    statement="The Random method performs poorly in all cases.",
    rule=f"""{_RULE} Ours: UHE-BO, MAP and MCMC; peer: Random. Supported if all three lie above, on the four tasks
    together. {_OPEN}""",
    tests=3,
    **_BEST
    | {
        "ours": ("uhe_bo", "gp_ucb_map", "gp_ucb_mcmc"),
        "peers": ("random_search",),
        "tasks": ALL,
        "control": _CONTROL | {"peers": ("gp_ucb_map", "gp_ucb_mcmc", "uhe_bo")},
    },
)


@reading(
    id="uhe.fig2_tuning_comparable",
    paper="D",
    number="Figure 2 (bottom), section 7.1",
    statement="""For Random Forest with the Wilt dataset, UHE-BO is better than most of the approaches, except MCMC when
    it performs similarly.""",
    hypotheses=("random forest on Wilt, the task of appendix C",),
    rule=f"""{_RULE} Supported if UHE-BO lies above at least {MOST} of the five peers other than MCMC and is not apart
    from MCMC. {_OPEN}""",
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT,
    tests=6,
    needs=(STUDY,),
)
def fig2_tuning_comparable(
    scale: str,
    *,
    ours: Sequence[str] = ("uhe_bo",),
    tasks: Sequence[str] = ("rf_wilt",),
    settled: bool = False,
) -> Evidence:
    """Higher final accuracy than most peers, and like MCMC's."""
    sides, evidence = tuning.compare("D", STUDY, scale, ours, PEERS, tasks, "final", settled)
    if evidence.verdict == Verdict.REFUTED:
        return evidence
    above = sum(found > 0 for (_, peer), found in sides.items() if peer != "gp_ucb_mcmc")
    like = all(found == 0 for (_, peer), found in sides.items() if peer == "gp_ucb_mcmc")
    verdict = Verdict.SUPPORTED if above >= MOST and like else Verdict.INCONCLUSIVE
    return Evidence(verdict, evidence.summary, evidence.numbers)


@reading(
    id="uhe.fig5_runtime_tuning",
    paper="D",
    number="Figure 5 (right), section 7.2",
    statement="The running time of our approach is similar to MAP whilst much faster than MCMC (RF Wilt).",
    hypotheses=("random forest on Wilt", "running time: CPU seconds of the method, without those of the objective"),
    rule=f"""log10 of the ratio of two methods' own CPU seconds a run (compilation and evaluations left out), paired by
    seed; Student's interval of its mean at the ledger's level. Supported if UHE-BO / MAP lies below {SIMILAR:g} and
    UHE-BO / MCMC below 1/{SIMILAR:g}; refuted, of the implementations here, if either lies above its bound; otherwise,
    or with fewer than {FEWEST_SEEDS} seeds, inconclusive.""",
    control={"ours": "gp_ucb_mcmc"},
    control_statement="The running time of MCMC is similar to MAP (read at scale quick).",
    tests=2,
    needs=(STUDY,),
    origin="here",
)
def fig5_runtime_tuning(scale: str, *, ours: str = "uhe_bo") -> Evidence:
    """Own CPU seconds a run against MAP's and MCMC's."""
    task, bounds = ("rf_wilt",), {"gp_ucb_map": math.log10(SIMILAR), "gp_ucb_mcmc": -math.log10(SIMILAR)}
    results = stored(STUDY, scale, [(*task, name) for name in (ours, *bounds)])

    def seconds(one: Result) -> np.ndarray:
        return np.asarray(one.arrays["proposal_seconds"].sum(axis=1))

    comparisons = [
        Comparison(peer, differences(results, ours, peer, task, seconds, log=True), below(bound))
        for peer, bound in bounds.items()
    ]
    judged = judge(comparisons, TIMES, level("D"), scale)
    numbers: dict[str, Any] = {"level": judged.level}
    words = []
    for peer, one in zip(bounds, comparisons, strict=True):
        ratio, low, high = (10**end for end in interval(one.pooled, judged.level))
        numbers[peer] = {"ratio": ratio, "interval": [low, high], "bound": 10 ** bounds[peer]}
        words.append(f"{ratio:.2g} times that of {peer} (claimed: below {10 ** bounds[peer]:g})")
    return judged.evidence(f"CPU time of {ours}: {' and '.join(words)}", numbers)
