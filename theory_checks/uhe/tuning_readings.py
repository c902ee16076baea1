"""The readings of Figure 2 (bottom) and Figure 5 (right): tuning with unknown hyperparameters, on stored results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from theory_checks import inputs, tuning
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.paired import FEWEST_SEEDS, stored, student_interval

STUDY = "uhe.fig2_tuning"
SIGNIFICANT = ("lr_vehicle", "xgb_australian", "xgb_kc1")
"""Tasks on which UHE-BO is said to win; the XGBoost data are named twice, differently, and both are run."""

ALL = (*SIGNIFICANT, "rf_wilt")
PEERS = ("gp_ucb_map", "gp_ucb_mcmc", "a_gp_ucb", "wang_de_freitas", "portfolio_exp3", "random_search")
MOST = 3
"""Better than most of the five peers other than MCMC."""

SIMILAR = 2.0
"""Similar running times differ by at most this factor; much faster is by more than it."""

_RULE = (
    "Best accuracy after the whole budget, paired by seed (same start, same split). Wilcoxon's signed-rank test of the "
    "difference (ours − peer), two-sided at the ledger's level, on all pairs (task, seed) together, for every peer. "
)
_OPEN = (
    " The paper gives no budget and no initial design, and scale quick runs part of the data: where a method lies "
    "below a peer the reading is inconclusive (uhe.fig2_tuning_here speaks of the runs stored here, and can be refuted "
    "by them)."
)
_CONTROL = {"ours": (tuning.DESIGN,), "tasks": ALL, "settled": True, "at": "quick"}
_CONTROL_STATEMENT = (
    "In the stored runs the initial design alone is significantly better than the methods (read at scale quick)."
)


@claim(
    id="uhe.fig2_tuning_best",
    paper="D",
    number="Figure 2 (bottom), section 7.1",
    statement="For Logistic Regression with the Vehicle Silhouettes dataset and the XGB Classification with the "
    "Australia Credit dataset, UHE-BO outperforms existing methods significantly.",
    hypotheses=("the tasks of section 7.1 and appendix C, the data of XGBoost read both ways",),
    rule=_RULE + "Supported if UHE-BO lies above all six, on the three tasks together." + _OPEN,
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT,
    tests=6,
    needs=(STUDY,),
    replay=tuning.replay_differences,
)
def fig2_tuning_best(
    scale: str,
    *,
    ours: Sequence[str] = ("uhe_bo",),
    tasks: Sequence[str] = SIGNIFICANT,
    settled: bool = False,
    at: str | None = None,
) -> Evidence:
    """Higher final accuracy than every peer."""
    return tuning.compare("D", STUDY, at or scale, ours, PEERS, tasks, "final", settled)[1]


@claim(
    id="uhe.fig2_tuning_here",
    paper="D",
    number="Figure 2 (bottom), as run here",
    statement="With the budgets, designs and amounts of data of docs/constants.md, UHE-BO outperforms every other "
    "method on the tasks with Vehicle Silhouettes, Australian Credit and KC1.",
    hypotheses=("the tasks of section 7.1 and appendix C, the data of XGBoost read both ways",),
    rule="The comparisons of uhe.fig2_tuning_best, the same tests. Supported if all six lie above, refuted if one lies "
    "below, otherwise inconclusive.",
    control={"ours": (tuning.DESIGN,), "tasks": ALL, "at": "quick"},
    control_statement=_CONTROL_STATEMENT,
    needs=(STUDY,),
    replay=tuning.replay_differences,
)
def fig2_tuning_here(
    scale: str, *, ours: Sequence[str] = ("uhe_bo",), tasks: Sequence[str] = SIGNIFICANT, at: str | None = None
) -> Evidence:
    """The stored runs themselves."""
    return tuning.compare("D", STUDY, at or scale, ours, PEERS, tasks, "final", settled=True)[1]


@claim(
    id="uhe.fig2_tuning_comparable",
    paper="D",
    number="Figure 2 (bottom), section 7.1",
    statement="For Random Forest with the Wilt dataset, UHE-BO is better than most of the approaches, except MCMC when "
    "it performs similarly.",
    hypotheses=("random forest on Wilt, the task of appendix C",),
    rule=_RULE + f"Supported if UHE-BO lies above at least {MOST} of the five peers other than MCMC and is not apart "
    "from MCMC." + _OPEN,
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT,
    tests=6,
    needs=(STUDY,),
    replay=tuning.replay_differences,
)
def fig2_tuning_comparable(
    scale: str,
    *,
    ours: Sequence[str] = ("uhe_bo",),
    tasks: Sequence[str] = ("rf_wilt",),
    settled: bool = False,
    at: str | None = None,
) -> Evidence:
    """Higher final accuracy than most peers, and like MCMC's."""
    sides, evidence = tuning.compare("D", STUDY, at or scale, ours, PEERS, tasks, "final", settled)
    if not sides or evidence.verdict == Verdict.REFUTED:
        return evidence
    above = sum(found > 0 for (_, peer), found in sides.items() if peer != "gp_ucb_mcmc")
    like = all(found == 0 for (_, peer), found in sides.items() if peer == "gp_ucb_mcmc")
    verdict = Verdict.SUPPORTED if above >= MOST and like else Verdict.INCONCLUSIVE
    return Evidence(verdict, evidence.summary, evidence.numbers)


@claim(
    id="uhe.fig2_tuning_random",
    paper="D",
    number="Figure 2 (bottom), section 7.1",
    statement="The Random method performs poorly in all cases.",
    hypotheses=("the tasks of section 7.1 and appendix C, the data of XGBoost read both ways",),
    rule=_RULE + "Ours: UHE-BO, MAP and MCMC; peer: Random. Supported if all three lie above, on the four tasks "
    "together." + _OPEN,
    control=_CONTROL | {"peers": ("gp_ucb_map", "gp_ucb_mcmc", "uhe_bo")},
    control_statement=_CONTROL_STATEMENT,
    tests=3,
    needs=(STUDY,),
    replay=tuning.replay_differences,
)
def fig2_tuning_random(
    scale: str,
    *,
    ours: Sequence[str] = ("uhe_bo", "gp_ucb_map", "gp_ucb_mcmc"),
    peers: Sequence[str] = ("random_search",),
    tasks: Sequence[str] = ALL,
    settled: bool = False,
    at: str | None = None,
) -> Evidence:
    """Lower final accuracy than the methods that model the objective."""
    return tuning.compare("D", STUDY, at or scale, ours, peers, tasks, "final", settled)[1]


def replay_time(counterexample: Mapping[str, Any]) -> tuple[list[float], float, bool]:
    """Left: interval of the mean log10 ratio of running times; right: its bound; violated where it lies above."""
    samples = np.asarray(counterexample["log10_ratios"])
    _, low, high = student_interval(samples, float(counterexample["level"]))
    return [low, high], float(counterexample["bound"]), low > float(counterexample["bound"])


@claim(
    id="uhe.fig5_runtime_tuning",
    paper="D",
    number="Figure 5 (right), section 7.2",
    statement="The running time of our approach is similar to MAP whilst much faster than MCMC (RF Wilt).",
    hypotheses=("random forest on Wilt", "running time: CPU seconds of the method, without those of the objective"),
    rule="log10 of the ratio of two methods' own CPU seconds a run (compilation and evaluations left out), paired by "
    "seed; Student's interval of its mean at the ledger's level. Supported if UHE-BO / MAP lies below "
    f"{SIMILAR:g} and UHE-BO / MCMC below 1/{SIMILAR:g}; refuted, of the implementations here, if either lies above "
    f"its bound; otherwise, or with fewer than {FEWEST_SEEDS} seeds, inconclusive.",
    control={"ours": "gp_ucb_mcmc", "at": "quick"},
    control_statement="The running time of MCMC is similar to MAP (read at scale quick).",
    tests=2,
    needs=(STUDY,),
    replay=replay_time,
)
def fig5_runtime_tuning(scale: str, *, ours: str = "uhe_bo", at: str | None = None) -> Evidence:
    """Own CPU seconds a run against MAP's and MCMC's."""
    results, alpha = stored(STUDY, at or scale), level("D")
    numbers: dict[str, Any] = {"level": alpha}
    bounds = {"gp_ucb_map": math.log10(SIMILAR), "gp_ucb_mcmc": -math.log10(SIMILAR)}
    if any(("rf_wilt", name) not in results for name in (ours, *bounds)):
        return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get(STUDY, at or scale), numbers)
    seconds = {name: results["rf_wilt", name].arrays["proposal_seconds"].sum(axis=1) for name in (ours, *bounds)}
    if min(map(len, seconds.values())) < FEWEST_SEEDS:
        return Evidence(Verdict.INCONCLUSIVE, f"fewer than {FEWEST_SEEDS} seeds", numbers)
    sides, words, worst = [], [], None
    for peer, bound in bounds.items():
        ratios = np.log10(seconds[ours]) - np.log10(seconds[peer])
        mean, low, high = student_interval(ratios, alpha)
        sides.append(-1 if high < bound else 1 if low > bound else 0)
        numbers[peer] = {"ratio": 10**mean, "interval": [10**low, 10**high], "bound": 10**bound}
        words.append(f"{10**mean:.2g} times that of {peer} (claimed: below {10**bound:g})")
        if sides[-1] > 0 and worst is None:
            worst = {"peer": peer, "log10_ratios": ratios, "bound": bound, "level": alpha}
    summary = f"CPU time of {ours}: {' and '.join(words)}"
    if worst is not None:
        return Evidence(Verdict.REFUTED, summary, numbers, worst)
    verdict = Verdict.SUPPORTED if all(found < 0 for found in sides) else Verdict.INCONCLUSIVE
    return Evidence(verdict, summary, numbers)
