"""The readings of Figures 1 and 2 and of Table 1: what the text says of them, judged on stored results.

Compared is the cumulative regret of the expectation, eq. (1), from the end of the initial design to the last round,
paired by seed (same design, same contexts). The figures run 350 rounds, as scale `paper` does; with fewer, a reading
says what it found and stays inconclusive, whichever way it points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.ctx import fig1a, fig1b, fig2
from experiments.ctx.benchmarks import ROUNDS
from experiments.engine.result_file import Result
from theory_checks import inputs
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.paired import described, replay_interval, side, stored, student_interval

OURS = ("sbo_kde", "drbo_kde")
PEERS = ("drbo_mmd", "drbo_mmd_minimax", "stable_opt", "context_free_ucb")
FEWEST = 5
"""Seeds of the figures; with fewer nothing is said."""
FEWEST_REPETITIONS = 5
"""Runs of Table 1, likewise (the paper has ten)."""

Stored = Mapping[tuple[str, str], Result]


def cumulative(result: Result, measure: str = "regret") -> np.ndarray:
    """(seeds,) sum over the rounds after the initial design."""
    total: np.ndarray = np.asarray(result.arrays[measure], float)[:, int(result.arrays["initial_size"]) :].sum(axis=1)
    return total


def rounds_of(results: Stored) -> int:
    """The fewest rounds in any of the results."""
    return min(one.arrays["regret"].shape[1] - int(one.arrays["initial_size"]) for one in results.values())


def log_ratios(results: Stored, ours: str, peer: str, problems: Sequence[str]) -> dict[str, np.ndarray]:
    """Problem -> (seeds,) log10 of our cumulative regret over the peer's."""
    return {
        problem: np.log10(cumulative(results[problem, ours])) - np.log10(cumulative(results[problem, peer]))
        for problem in problems
    }


def replay_pairs(counterexample: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: median of the stored log10 ratios; right: the margin they should lie below."""
    pooled, margin = np.asarray(counterexample["log10_ratios"], float), float(counterexample["margin"])
    return float(np.median(pooled)), margin, side(pooled, margin, float(counterexample["level"])) > 0


def too_few(results: Stored, scale: str, rounds: int) -> str:
    """Why a verdict cannot be given whatever was found, or nothing."""
    seeds = min(len(one.arrays["regret"]) for one in results.values())
    if seeds < FEWEST:
        return f"only {seeds} seeds at scale {scale}"
    if (done := rounds_of(results)) < rounds:
        return f"only {done} of {rounds} rounds at scale {scale}"
    return ""


def best_of_all(
    studies: Sequence[str], scale: str, problems: Sequence[str], ours: Sequence[str], factor: float, rounds: int
) -> Evidence:
    """Is the cumulative regret of each of `ours` below `factor` times that of every peer?"""
    everything = {key: one for study in studies for key, one in stored(study, scale).items()}
    wanted = {(problem, method) for problem in problems for method in (*ours, *PEERS)}
    if missing := sorted(wanted - set(everything)):
        reason = f"{len(missing)} of {len(wanted)} runs missing, {missing[0][1]} on {missing[0][0]} among them: "
        return Evidence(Verdict.INCONCLUSIVE, reason + "; ".join(inputs.how_to_get(study, scale) for study in studies))
    results = {key: everything[key] for key in sorted(wanted)}
    alpha, margin = level("C"), math.log10(factor)
    numbers: dict[str, Any] = {"level": alpha, "factor": factor, "rounds": rounds_of(results)}
    sides, worst, shown, everywhere = [], None, [], True
    for method in ours:
        numbers[method], medians = {}, []
        for peer in PEERS:
            differences = log_ratios(results, method, peer, problems)
            pooled = np.concatenate(list(differences.values()))
            one_problem = len(problems) == 1
            mean, low, high = student_interval(pooled, alpha)
            by_interval = 1 if low > margin else -1 if high < margin else 0
            sides.append(by_interval if one_problem else side(pooled, margin, alpha))
            medians.append(f"{peer} {10 ** float(np.median(pooled)):.2f}")
            everywhere &= max(float(np.median(values)) for values in differences.values()) < margin
            numbers[method][peer] = {"pairs": len(pooled), "side": sides[-1], "problems": described(differences)}
            if sides[-1] > 0 and worst is None:
                worst = {"method": method, "peer": peer, "log10_ratios": pooled, "margin": margin, "level": alpha}
                if one_problem:
                    worst |= {"samples": pooled, "band": [-math.inf, margin]}
        shown.append(f"{method} / " + ", ".join(medians))
    summary = (
        f"median cumulative regret after {numbers['rounds']} rounds relative to the peers: {'; '.join(shown)} "
        f"(claimed: below {factor:g}; {sum(found < 0 for found in sides)} of {len(sides)} comparisons significantly "
        f"so, {sum(found > 0 for found in sides)} significantly not; scale {scale})"
    )
    if reason := too_few(results, scale, rounds):
        return Evidence(Verdict.INCONCLUSIVE, f"{summary}: {reason}", numbers)
    if worst is not None:
        return Evidence(Verdict.REFUTED, summary, numbers, worst)
    if all(found < 0 for found in sides) and everywhere:
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    return Evidence(Verdict.INCONCLUSIVE, f"{summary}: not significant, or not on every problem", numbers)


_RULE_END = (
    f"Fewer than {FEWEST} seeds, fewer than {ROUNDS['paper']} rounds or a run missing: inconclusive. The rounds of "
    f"scale quick are the first {ROUNDS['quick']}."
)
_CONTROL = {"factor": 1e-3, "rounds": ROUNDS["quick"], "at": "quick"}
_CONTROL_STATEMENT = (
    f"After {ROUNDS['quick']} rounds their regret is at most a thousandth of that of the others (read at scale quick)."
)


@claim(
    id="ctx.fig1_best",
    paper="C",
    number="Figure 1, sections 4.2 and 4.3",
    statement="SBO-KDE and DRBO-KDE outperform all the other baselines on the synthetic functions, and still on "
    "newsvendor and portfolio.",
    hypotheses=("the problems, constants and search effort of section 4 and appendix B",),
    rule="Cumulative regret, paired by seed. For each of the two methods and each of the four others, Wilcoxon's "
    "signed-rank test of log10(ours / peer), two-sided at the ledger's level, on all pairs (problem, seed) of the "
    "seven problems together. Supported if all eight comparisons lie significantly below 0 and the median does on "
    "each problem; refuted if one lies significantly above; otherwise inconclusive. " + _RULE_END,
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT,
    tests=len(OURS) * len(PEERS),
    needs=("ctx.fig1a", "ctx.fig1b"),
    replay=replay_pairs,
)
def fig1_best(
    scale: str,
    *,
    ours: Sequence[str] = OURS,
    factor: float = 1.0,
    rounds: int = ROUNDS["paper"],
    at: str | None = None,
) -> Evidence:
    """Seven problems, four peers."""
    problems = (*fig1a.PROBLEMS, *fig1b.PROBLEMS)
    return best_of_all(("ctx.fig1a", "ctx.fig1b"), at or scale, problems, ours, factor, rounds)


@claim(
    id="ctx.fig2_best",
    paper="C",
    number="Figure 2, appendix D",
    statement="On Ackley with two decisions and four contexts SBO-KDE and DRBO-KDE still outperform other methods.",
    hypotheses=("constants and search effort of section 4 and appendix B",),
    rule="Cumulative regret, paired by seed. For each of the two methods and each of the four others, Student's "
    "interval at the ledger's level of the mean over seeds of log10(ours / peer). Supported if all eight lie below 0, "
    "refuted if one lies above, otherwise inconclusive. " + _RULE_END,
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT,
    tests=len(OURS) * len(PEERS),
    needs=("ctx.fig2",),
    replay=replay_interval,
)
def fig2_best(
    scale: str,
    *,
    ours: Sequence[str] = OURS,
    factor: float = 1.0,
    rounds: int = ROUNDS["paper"],
    at: str | None = None,
) -> Evidence:
    """One problem, four peers."""
    return best_of_all(("ctx.fig2",), at or scale, fig2.PROBLEMS, ours, factor, rounds)


def of_the_two(scale: str, problem: str, measure: str, advantage: float, rounds: int) -> Evidence:
    """Mean over seeds of SBO-KDE's cumulative regret, or reward, less DRBO-KDE's, each divided by the rounds."""
    results = {key: one for key, one in stored("ctx.fig1a", scale).items() if key[0] == problem and key[1] in OURS}
    if len(results) < len(OURS):
        return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get("ctx.fig1a", scale))
    alpha, done = level("C"), rounds_of(results)
    differences = (
        cumulative(results[problem, "sbo_kde"], measure) - cumulative(results[problem, "drbo_kde"], measure)
    ) / done
    mean, low, high = student_interval(differences, alpha)
    usual = student_interval(differences, 0.05)
    numbers = {
        "rounds": done,
        "level": alpha,
        "interval": [low, high],
        "mean_difference_95": list(usual),
        "means": {method: float(cumulative(results[problem, method], measure).mean()) / done for method in OURS},
        "lower": f"{int(np.sum(differences < 0))} of {len(differences)}",
    }
    summary = (
        f"mean {'reward' if measure == 'y' else measure} a round of SBO-KDE less DRBO-KDE's {mean:.3g}, 95 % interval "
        f"[{usual[1]:.3g}, {usual[2]:.3g}], after {done} rounds (claimed: below {0 - advantage:g}; scale {scale})"
    )
    if reason := too_few(results, scale, rounds):
        return Evidence(Verdict.INCONCLUSIVE, f"{summary}: {reason}", numbers)
    if low > -advantage:
        stated = {"samples": differences, "band": [-math.inf, -advantage], "level": alpha}
        return Evidence(Verdict.REFUTED, summary, numbers, stated)
    if high < -advantage:
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    return Evidence(Verdict.INCONCLUSIVE, f"{summary}: not significant", numbers)


@claim(
    id="ctx.fig1_ackley_sbo",
    paper="C",
    number="Figure 1 (a), section 4.2",
    statement="In the Ackley function SBO-KDE performs slightly better than DRBO-KDE.",
    hypotheses=("constants and search effort of section 4 and appendix B",),
    rule="Cumulative regret a round of SBO-KDE less DRBO-KDE's, paired by seed; Student's interval of the mean at the "
    "ledger's level. Supported if it lies below 0, refuted if above, otherwise inconclusive. " + _RULE_END,
    control={"advantage": 21.0, "rounds": ROUNDS["quick"], "at": "quick"},
    control_statement="SBO-KDE's regret a round is lower by 21, the range of the function (read at scale quick).",
    tests=1,
    needs=("ctx.fig1a",),
    replay=replay_interval,
)
def fig1_ackley_sbo(
    scale: str, *, advantage: float = 0.0, rounds: int = ROUNDS["paper"], at: str | None = None
) -> Evidence:
    """Regret of the expectation."""
    return of_the_two(at or scale, "context_ackley", "regret", advantage, rounds)


@claim(
    id="ctx.fig1_complicated_dro",
    paper="C",
    number="Figure 1 (a), section 4.2",
    statement="In the complicated Hartmann function DRBO-KDE performs better than SBO-KDE (cumulative reward).",
    hypotheses=("constants and search effort of section 4 and appendix B",),
    rule="Reward a round, as observed, of SBO-KDE less DRBO-KDE's, paired by seed (same contexts); Student's interval "
    "of the mean at the ledger's level. Supported if it lies below 0, refuted if above, otherwise inconclusive. "
    + _RULE_END,
    control={"advantage": 3.33, "rounds": ROUNDS["quick"], "at": "quick"},
    control_statement="DRBO-KDE's reward a round is higher by 3.33, more than the range of the function (read at scale "
    "quick).",
    tests=1,
    needs=("ctx.fig1a",),
    replay=replay_interval,
)
def fig1_complicated_dro(
    scale: str, *, advantage: float = 0.0, rounds: int = ROUNDS["paper"], at: str | None = None
) -> Evidence:
    """Reward observed."""
    return of_the_two(at or scale, "context_hartmann_complicated", "y", advantage, rounds)


ORDER = (
    ("context_free_ucb", "sbo_kde"),
    ("context_free_ucb", "stable_opt"),
    ("sbo_kde", "drbo_mmd_minimax"),
    ("stable_opt", "drbo_mmd_minimax"),
    ("drbo_mmd_minimax", "drbo_kde"),
    ("drbo_kde", "drbo_mmd"),
)
"""Pairs (faster, slower) that make the printed order; SBO-KDE and StableOpt differ by 7 % there, "similar"."""


@claim(
    id="ctx.table1_order",
    paper="C",
    number="Table 1, appendix C",
    statement="The runtime for 100 evaluations on Ackley is in the order of the complexity analysis: GP-UCB (11 s), "
    "SBO-KDE and StableOpt (31, 33), DRBO-MMD-MinimaxApprox (119), DRBO-KDE (181), DRBO-MMD (5255).",
    hypotheses=("read as a property of the methods, not of one implementation", "same search effort for every method"),
    rule=f"CPU seconds of a run. For {len(ORDER)} neighbouring pairs of the order, Student's interval at the ledger's "
    "level of the mean over repetitions of log10(slower / faster). Supported if all lie above 0, refuted if one lies "
    f"below: then an implementation with another order exists. Otherwise, or with fewer than {FEWEST_REPETITIONS} "
    "repetitions, inconclusive.",
    control={"factor": 1e3, "at": "quick"},
    control_statement="Each is a thousand times as slow as its neighbour (read at scale quick).",
    tests=len(ORDER),
    needs=("ctx.table1",),
    replay=replay_interval,
)
def table1_order(scale: str, *, factor: float = 1.0, at: str | None = None) -> Evidence:
    """Neighbours in the printed order."""
    scale, alpha, margin = at or scale, level("C"), math.log10(factor)
    seconds = {
        policy: np.asarray(one.arrays["cpu_seconds"], float) for (_, policy), one in stored("ctx.table1", scale).items()
    }
    if not {name for pair in ORDER for name in pair} <= set(seconds):
        return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get("ctx.table1", scale))
    if (fewest := min(map(len, seconds.values()))) < FEWEST_REPETITIONS:
        return Evidence(Verdict.INCONCLUSIVE, f"only {fewest} repetitions at scale {scale}")
    numbers: dict[str, Any] = {"level": alpha, "cpu_seconds": {name: float(s.mean()) for name, s in seconds.items()}}
    sides, counterexample = [], None
    for faster, slower in ORDER:
        ratios = np.log10(seconds[slower]) - np.log10(seconds[faster])
        mean, low, high = student_interval(ratios, alpha)
        sides.append(1 if low > margin else -1 if high < margin else 0)
        numbers[f"{slower} / {faster}"] = {"ratio": 10**mean, "interval": [10**low, 10**high], "side": sides[-1]}
        if sides[-1] < 0 and counterexample is None:
            stated = {"faster": faster, "slower": slower, "band": [margin, math.inf], "level": alpha}
            counterexample = {**stated, "samples": ratios}
    times = ", ".join(
        f"{name} {float(s.mean()):.3g}" for name, s in sorted(seconds.items(), key=lambda kv: kv[1].mean())
    )
    summary = (
        f"CPU seconds: {times}; {sum(s > 0 for s in sides)} of {len(ORDER)} neighbours in the printed order, "
        f"{sum(s < 0 for s in sides)} significantly reversed (scale {scale})"
    )
    if counterexample is not None:
        return Evidence(Verdict.REFUTED, summary, numbers, counterexample)
    return Evidence(Verdict.SUPPORTED if all(s > 0 for s in sides) else Verdict.INCONCLUSIVE, summary, numbers)
