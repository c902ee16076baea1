"""The readings of Figures 1 and 2: what the text says of them, judged on stored results.

Compared is the cumulative regret of the expectation, C (1), from the end of the initial design to the last round,
paired by seed (same design, same contexts). The figures run 350 rounds, as scale `paper` does; with fewer, a reading
says what it found and stays inconclusive, whichever way it points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from experiments.ctx import fig1a, fig1b, fig2
from experiments.ctx.benchmarks import ROUNDS
from experiments.engine.result_file import Result
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, Results, differences, stored
from theory_checks.readings import Rule, judge, reading
from theory_checks.sides import below, interval

OURS = ("sbo_kde", "drbo_kde")
PEERS = ("drbo_mmd", "drbo_mmd_minimax", "stable_opt", "context_free_ucb")
FEWEST = 5
"""Seeds of the figures; with fewer nothing is said."""

BEST = Rule(effect=math.log10(1.1), problems="everywhere", fewest=2)
BEST_OF_ONE = Rule(effect=math.log10(1.1), test="student", problems="everywhere", fewest=2)
OF_THE_TWO = Rule(effect=0.1, test="student", fewest=2)
"""In units of the function, a round."""


def cumulative(result: Result, measure: str = "regret") -> np.ndarray:
    """(seeds,) sum over the rounds after the initial design."""
    total: np.ndarray = np.asarray(result.arrays[measure], float)[:, int(result.arrays["initial_size"]) :].sum(axis=1)
    return total


def rounds_of(results: Results) -> int:
    """The fewest rounds in any of the results."""
    return min(one.arrays["regret"].shape[1] - int(one.arrays["initial_size"]) for one in results.values())


def too_few(results: Results, scale: str, rounds: int) -> str:
    """Why a verdict cannot be given whatever was found, or nothing."""
    seeds = min(len(one.arrays["regret"]) for one in results.values())
    if seeds < FEWEST:
        return f"only {seeds} seeds at scale {scale}"
    if (done := rounds_of(results)) < rounds:
        return f"only {done} of {rounds} rounds at scale {scale}"
    return ""


def best_of_all(
    studies: Sequence[str], scale: str, problems: Sequence[str], factor: float, rounds: int, rule: Rule
) -> Evidence:
    """Is the cumulative regret of each of `OURS` below `factor` times that of every peer?"""
    results = stored(studies, scale, [(problem, method) for problem in problems for method in (*OURS, *PEERS)])
    comparisons = [
        Comparison(
            f"{method} / {peer}",
            differences(results, method, peer, problems, cumulative, log=True),
            below(math.log10(factor)),
        )
        for method in OURS
        for peer in PEERS
    ]
    judged = judge(comparisons, rule, level("C"), scale)
    medians = {one.name: f"{10 ** float(np.median(one.pooled)):.2f}" for one in comparisons}
    shown = "; ".join(f"{m} / " + ", ".join(f"{peer} {medians[f'{m} / {peer}']}" for peer in PEERS) for m in OURS)
    numbers = judged.numbers() | {"factor": factor, "rounds": rounds_of(results)}
    found = [place.claimed for place in judged.places]
    summary = (
        f"median cumulative regret after {numbers['rounds']} rounds relative to the peers: {shown} "
        f"(claimed: below {factor:g}; {found.count(1)} of {len(found)} comparisons significantly "
        f"so, {found.count(-1)} significantly not; scale {scale})"
    )
    reason = too_few(results, scale, rounds)
    return judged.evidence(summary, numbers, withheld=reason, undecided="not significant, or not on every problem")


_RULE_END = f"""Fewer than {FEWEST} seeds, fewer than {ROUNDS["paper"]} rounds or a run missing: inconclusive. The
    rounds of scale quick are the first {ROUNDS["quick"]}."""
_CONTROL = {"factor": 1e-3, "rounds": ROUNDS["quick"]}
_CONTROL_STATEMENT = f"""After {ROUNDS["quick"]} rounds their regret is at most a thousandth of that of the others (read
    at scale quick)."""


@reading(
    id="ctx.fig1_best",
    paper="C",
    number="Figure 1, sections 4.2 and 4.3",
    statement="""SBO-KDE and DRBO-KDE outperform all the other baselines on the synthetic functions, and still on
    newsvendor and portfolio.""",
    hypotheses=("the problems, constants and search effort of section 4 and appendix B",),
    rule=f"""Cumulative regret, paired by seed. For each of the two methods and each of the four others, Wilcoxon's
    signed-rank test of log10(ours / peer), two-sided at the ledger's level, on all pairs (problem, seed) of the seven
    problems together. Supported if all eight comparisons lie significantly below 0 and the median does on each problem;
    refuted if one lies significantly above; otherwise inconclusive. {_RULE_END}""",
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT,
    tests=len(OURS) * len(PEERS),
    needs=("ctx.fig1a", "ctx.fig1b"),
)
def fig1_best(scale: str, *, factor: float = 1.0, rounds: int = ROUNDS["paper"]) -> Evidence:
    """Seven problems, four peers."""
    problems = (*fig1a.PROBLEMS, *fig1b.PROBLEMS)
    return best_of_all(("ctx.fig1a", "ctx.fig1b"), scale, problems, factor, rounds, BEST)


@reading(
    id="ctx.fig2_best",
    paper="C",
    number="Figure 2, appendix D",
    statement="On Ackley with two decisions and four contexts SBO-KDE and DRBO-KDE still outperform other methods.",
    hypotheses=("constants and search effort of section 4 and appendix B",),
    rule=f"""Cumulative regret, paired by seed. For each of the two methods and each of the four others, Student's
    interval at the ledger's level of the mean over seeds of log10(ours / peer). Supported if all eight lie below 0,
    refuted if one lies above, otherwise inconclusive. {_RULE_END}""",
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT,
    tests=len(OURS) * len(PEERS),
    needs=("ctx.fig2",),
)
def fig2_best(scale: str, *, factor: float = 1.0, rounds: int = ROUNDS["paper"]) -> Evidence:
    """One problem, four peers."""
    return best_of_all(("ctx.fig2",), scale, fig2.PROBLEMS, factor, rounds, BEST_OF_ONE)


def of_the_two(scale: str, problem: str, measure: str, advantage: float, rounds: int) -> Evidence:
    """Mean over seeds of SBO-KDE's cumulative regret, or reward, less DRBO-KDE's, each divided by the rounds."""
    results = stored("ctx.fig1a", scale, [(problem, method) for method in OURS])
    done, totals = rounds_of(results), {name: cumulative(one, measure) for (_, name), one in results.items()}
    samples = (totals[OURS[0]] - totals[OURS[1]]) / done
    compared = Comparison(" - ".join(OURS), {problem: samples}, below(0 - advantage))
    judged = judge([compared], OF_THE_TWO, level("C"), scale)
    usual = interval(samples, 0.05)
    numbers = {
        "rounds": done,
        "level": judged.level,
        "interval": interval(samples, judged.level)[1:],
        "mean_difference_95": usual,
        "means": {method: float(total.mean()) / done for method, total in totals.items()},
        "lower": f"{int(np.sum(samples < 0))} of {len(samples)}",
    }
    summary = (
        f"mean {'reward' if measure == 'y' else measure} a round of SBO-KDE less DRBO-KDE's {usual[0]:.3g}, 95 % "
        f"interval [{usual[1]:.3g}, {usual[2]:.3g}], after {done} rounds (claimed: below {0 - advantage:g}; scale "
        f"{scale})"
    )
    return judged.evidence(summary, numbers, withheld=too_few(results, scale, rounds), undecided="not significant")


@reading(
    id="ctx.fig1_ackley_sbo",
    paper="C",
    number="Figure 1 (a), section 4.2",
    statement="In the Ackley function SBO-KDE performs slightly better than DRBO-KDE.",
    hypotheses=("constants and search effort of section 4 and appendix B",),
    rule=f"""Cumulative regret a round of SBO-KDE less DRBO-KDE's, paired by seed; Student's interval of the mean at the
    ledger's level. Supported if it lies below 0, refuted if above, otherwise inconclusive. {_RULE_END}""",
    control={"advantage": 21.0, "rounds": ROUNDS["quick"]},
    control_statement="SBO-KDE's regret a round is lower by 21, the range of the function (read at scale quick).",
    tests=1,
    needs=("ctx.fig1a",),
)
def fig1_ackley_sbo(scale: str, *, advantage: float = 0.0, rounds: int = ROUNDS["paper"]) -> Evidence:
    """Regret of the expectation."""
    return of_the_two(scale, "context_ackley", "regret", advantage, rounds)


@reading(
    id="ctx.fig1_complicated_dro",
    paper="C",
    number="Figure 1 (a), section 4.2",
    statement="In the complicated Hartmann function DRBO-KDE performs better than SBO-KDE (cumulative reward).",
    hypotheses=("constants and search effort of section 4 and appendix B",),
    rule=f"""Reward a round, as observed, of SBO-KDE less DRBO-KDE's, paired by seed (same contexts); Student's interval
    of the mean at the ledger's level. Supported if it lies below 0, refuted if above, otherwise inconclusive.
    {_RULE_END}""",
    control={"advantage": 3.33, "rounds": ROUNDS["quick"]},
    control_statement="""DRBO-KDE's reward a round is higher by 3.33, more than the range of the function (read at scale
    quick).""",
    tests=1,
    needs=("ctx.fig1a",),
)
def fig1_complicated_dro(scale: str, *, advantage: float = 0.0, rounds: int = ROUNDS["paper"]) -> Evidence:
    """Reward observed."""
    return of_the_two(scale, "context_hartmann_complicated", "y", advantage, rounds)
