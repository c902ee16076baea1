"""The readings of Figures 2 (top), 4 and 5, judged on stored runs on the synthetic problems.

How differences are judged: `theory_checks.uhe.instruments.comparison`. All rules were set before the runs of scale
quick were read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from theory_checks import inputs
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.paired import FEWEST_SEEDS, stored, student_interval
from theory_checks.uhe.instruments.comparison import FAR, OURS, compare, replay

BASELINES = ("gp_ucb_map", "gp_ucb_mcmc", "a_gp_ucb", "wang_de_freitas", "portfolio_exp3")
PEERS = (*BASELINES, "random_search")
PROBLEMS = ("branin", "deceptive2", "hartmann3", "h1")
DENOMINATORS = ("h1", "h1_printed")

COMPARABLE = 0.1
"""Of the mean regret of the initial data: final regrets this close are comparable."""
NOT_COMPARABLE = 0.5
SIMILAR = 2.0
"""Similar running times differ by at most this factor; much faster is by more than it."""

_HYPOTHESES = (
    "Matern-5/2 ARD, beta = 1.96, M_t = 2 |D|, priors of appendix C",
    "initial data and budget of docs/constants.md (the paper's text gives neither)",
)
_RULE = (
    "Paired by seed (same initial data), Wilcoxon's signed-rank test of log10(UHE-BO / peer), two-sided at the "
    "ledger's level. {supported} Refuted if for some peer UHE-BO is worse by significantly more than a factor of "
    f"{FAR:g} after each quarter of the run{{more}}; otherwise (as where it is behind by less: initial data and budget "
    f"are ours), with a result missing or fewer than {FEWEST_SEEDS} seeds, inconclusive."
)
_BETTER = "Supported if the final simple regret is significantly smaller than that of each of the six."
_CONTROL = {"factor": 1e-3, "at": "quick"}
_CONTROL_STATEMENT = "{} is at most a thousandth of every peer's (read at scale quick)."


@claim(
    id="uhe.fig2_best_deceptive",
    paper="D",
    number="Figure 2 (top), section 7.1",
    statement="Our UHE-BO is significantly better than all methods on Deceptive and h1 (here: on Deceptive).",
    hypotheses=("Deceptive in two dimensions, the continuous function", *_HYPOTHESES),
    rule=_RULE.format(supported=_BETTER, more=""),
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT.format("Its regret"),
    tests=len(PEERS),
    needs=("uhe.fig2",),
    replay=replay,
)
def fig2_best_deceptive(scale: str, *, factor: float = 1.0, at: str | None = None) -> Evidence:
    """Smaller final regret than each peer."""
    return compare("uhe.fig2", at or scale, "simple_regret", ("deceptive2",), PEERS, factor)


@claim(
    id="uhe.fig2_best_h1",
    paper="D",
    number="Figure 2 (top), section 7.1",
    statement="Our UHE-BO is significantly better than all methods on Deceptive and h1 (here: on h1).",
    hypotheses=("h1 on [-100, 100]^2, with the denominator of the literature or the printed one", *_HYPOTHESES),
    rule=_RULE.format(supported=_BETTER, more="")
    + " Of the two denominators (scale quick has the literature's alone) the more favourable verdict counts.",
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT.format("Its regret"),
    tests=len(PEERS),
    needs=("uhe.fig2",),
    replay=replay,
)
def fig2_best_h1(scale: str, *, factor: float = 1.0, at: str | None = None) -> Evidence:
    """Smaller final regret than each peer, with either denominator."""
    scale = at or scale
    there = [name for name in DENOMINATORS if (name, OURS) in stored("uhe.fig2", scale)] or [DENOMINATORS[0]]
    found = [compare("uhe.fig2", scale, "simple_regret", (name,), PEERS, factor) for name in there]
    order = (Verdict.SUPPORTED, Verdict.INCONCLUSIVE, Verdict.REFUTED)
    best = min(found, key=lambda evidence: order.index(evidence.verdict))
    if len(found) == 1:
        return best
    summary = "; ".join(f"{name}: {evidence.summary}" for name, evidence in zip(there, found, strict=True))
    numbers = {name: evidence.numbers for name, evidence in zip(there, found, strict=True)}
    return Evidence(best.verdict, summary, numbers, best.counterexample)


def replay_difference(counterexample: Mapping[str, Any]) -> tuple[list[float], float, bool]:
    """Left: interval of the mean of the stored differences; right: the bound; violated where it lies above."""
    _, low, high = student_interval(np.asarray(counterexample["samples"], float), float(counterexample["level"]))
    bound = float(counterexample["bound"])
    return [low, high], bound, low > bound


@claim(
    id="uhe.fig2_comparable",
    paper="D",
    number="Figure 2 (top), section 7.1",
    statement="UHE-BO performs comparably on Branin and Hartmann3, on which MAP and MCMC perform well.",
    hypotheses=_HYPOTHESES,
    rule="Final simple regret of UHE-BO less that of MAP, and of MCMC, paired by seed, in units of the mean regret of "
    "the initial data; Student's interval of the mean at the ledger's level. Supported if all four intervals (two "
    f"problems, two peers) lie within ±{COMPARABLE:g}; refuted if one lies wholly above {NOT_COMPARABLE:g}; otherwise, "
    f"with a result missing or fewer than {FEWEST_SEEDS} seeds, inconclusive.",
    control={"ahead_by": 1.0, "at": "quick"},
    control_statement="UHE-BO's final regret is smaller by as much as the regret of the initial data (scale quick).",
    tests=4,
    needs=("uhe.fig2",),
    replay=replay_difference,
)
def fig2_comparable(scale: str, *, ahead_by: float = 0.0, at: str | None = None) -> Evidence:
    """Final regrets that differ by little of what there was to gain."""
    scale, results, alpha = at or scale, stored("uhe.fig2", at or scale), level("D")
    peers, problems = ("gp_ucb_map", "gp_ucb_mcmc"), ("branin", "hartmann3")
    if any((problem, name) not in results for problem in problems for name in (OURS, *peers)):
        return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get("uhe.fig2", scale))
    numbers: dict[str, Any] = {"level": alpha}
    shown, close, worst = [], True, None
    for problem in problems:
        arrays = results[problem, OURS].arrays
        unit = float(np.mean(arrays["simple_regret"][:, int(arrays["initial_size"]) - 1]))
        for peer in peers:
            finals = [results[problem, name].arrays["simple_regret"][:, -1] for name in (OURS, peer)]
            samples = (finals[0] - finals[1]) / unit + ahead_by
            if len(samples) < FEWEST_SEEDS:
                return Evidence(Verdict.INCONCLUSIVE, f"only {len(samples)} seeds at scale {scale}", numbers)
            mean, low, high = student_interval(samples, alpha)
            close &= low > -COMPARABLE and high < COMPARABLE
            numbers[f"{problem} {peer}"] = {"mean": mean, "interval": [low, high], "regret_at_start": unit}
            shown.append(f"{problem} {peer} {mean:+.3f} [{low:+.3f}, {high:+.3f}]")
            if worst is None and low > NOT_COMPARABLE:
                worst = {"problem": problem, "peer": peer, "samples": samples, "bound": NOT_COMPARABLE, "level": alpha}
    summary = f"difference of final regrets over the regret of the initial data: {'; '.join(shown)} (scale {scale})"
    if worst is not None:
        return Evidence(Verdict.REFUTED, summary, numbers, worst)
    return Evidence(Verdict.SUPPORTED if close else Verdict.INCONCLUSIVE, summary, numbers)


@claim(
    id="uhe.fig4_mse",
    paper="D",
    number="Figure 4, section 7.2",
    statement="Random gives the most accurate GP predictions. Our UHE-BO estimates the GPs more accurately than all "
    "baseline methods (except Random).",
    hypotheses=("mean squared error of the posterior mean over the search domain", *_HYPOTHESES),
    rule=_RULE.format(
        supported="Supported if the error at the end is significantly smaller than that of each of the five baselines, "
        "and significantly larger than Random's, over all pairs (problem, seed) and by the median on each problem.",
        more=" (or better, where the peer is Random)",
    ),
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT.format("Its mean squared error"),
    tests=len(PEERS),
    needs=("uhe.fig2",),
    replay=replay,
)
def fig4_mse(scale: str, *, factor: float = 1.0, at: str | None = None) -> Evidence:
    """Errors of the predictions against the baselines' and against Random's."""
    return compare("uhe.fig2", at or scale, "mse", PROBLEMS, BASELINES, factor, ahead=("random_search",))


@claim(
    id="uhe.fig5_components",
    paper="D",
    number="Figure 5 (appendix D), section 7.2",
    statement="Each component contributes to the success of the proposed method: random sampling based on EXP3, and "
    "the proposed loss function.",
    hypotheses=_HYPOTHESES,
    rule=_RULE.format(
        supported="Supported if the final simple regret is significantly smaller than that of RA-BO and than that of "
        "Random + EXP3, over all pairs (problem, seed) and by the median on each problem.",
        more="",
    ),
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT.format("Its regret"),
    tests=2,
    needs=("uhe.fig5",),
    replay=replay,
)
def fig5_components(scale: str, *, factor: float = 1.0, at: str | None = None) -> Evidence:
    """Smaller final regret than both ablations."""
    return compare("uhe.fig5", at or scale, "simple_regret", PROBLEMS, ("ra_bo", "random_exp3"), factor)


@claim(
    id="uhe.fig5_runtime",
    paper="D",
    number="Figure 5 (appendix D), section 7.2",
    statement="The running time of our approach is similar to MAP whilst much faster than MCMC (here: on Deceptive and "
    "Hartmann3).",
    hypotheses=("Deceptive and Hartmann3", "CPU seconds of whole runs of compiled code, compilation left out"),
    rule="log10 of the ratio of two methods' CPU seconds, paired by repetition; Student's interval of the mean at the "
    f"ledger's level. Supported if on both problems UHE-BO / MAP lies below {SIMILAR:g} and UHE-BO / MCMC below "
    f"1/{SIMILAR:g}; refuted if one of them lies above by more than a factor of {FAR / SIMILAR:g}; otherwise (how far "
    f"from MAP depends on the implementation), with a result missing or fewer than {FEWEST_SEEDS} repetitions, "
    "inconclusive.",
    control={"factor": 1e-3, "at": "quick"},
    control_statement="It takes a thousandth of these times (read at scale quick).",
    tests=4,
    needs=("uhe.fig5_runtime",),
    replay=replay_difference,
)
def fig5_runtime(scale: str, *, factor: float = 1.0, at: str | None = None) -> Evidence:
    """CPU seconds a run against MAP's and MCMC's."""
    scale, results, alpha = at or scale, stored("uhe.fig5_runtime", at or scale), level("D")
    bounds = {"gp_ucb_map": math.log10(SIMILAR * factor), "gp_ucb_mcmc": math.log10(factor / SIMILAR)}
    numbers: dict[str, Any] = {"level": alpha}
    shown, below, worst = [], [], None
    for problem in ("deceptive2", "hartmann3"):
        arrays = results[problem, "all"].arrays if (problem, "all") in results else {}
        if any(f"cpu_seconds_{name}" not in arrays for name in (OURS, *bounds)):
            return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get("uhe.fig5_runtime", scale), numbers)
        for peer, bound in bounds.items():
            samples = np.log10(arrays[f"cpu_seconds_{OURS}"]) - np.log10(arrays[f"cpu_seconds_{peer}"])
            if len(samples) < FEWEST_SEEDS:
                return Evidence(Verdict.INCONCLUSIVE, f"only {len(samples)} repetitions at scale {scale}", numbers)
            mean, low, high = student_interval(samples, alpha)
            below.append(high < bound)
            numbers[f"{problem} {peer}"] = {"ratio": 10**mean, "interval": [10**low, 10**high], "claimed": 10**bound}
            shown.append(f"{problem}: {10**mean:.2g} [{10**low:.2g}, {10**high:.2g}] times {peer}'s")
            limit = bound + math.log10(FAR / SIMILAR)
            if worst is None and low > limit:
                worst = {"problem": problem, "peer": peer, "samples": samples, "bound": limit, "level": alpha}
    summary = f"CPU time of a run of UHE-BO: {'; '.join(shown)} (scale {scale})"
    if worst is not None:
        return Evidence(Verdict.REFUTED, summary, numbers, worst)
    return Evidence(Verdict.SUPPORTED if all(below) else Verdict.INCONCLUSIVE, summary, numbers)
