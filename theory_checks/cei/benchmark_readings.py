"""The readings of Figures 3, 7 and 8: corrected EI against EI on the benchmarks, judged on stored results.

Compared is the incumbent x+ after the last step: its gap f(x*) - f(x+) and its distance from the nearest optimiser,
paired by seed (same start, same noise). The paper's model knows the noise variance (arm "known"); its public code hands
over the noise that occurred (arm "leaked"). The first is the one to read; where it was run, the second says whether a
failure survives the other way of reporting noise. Scale `paper` has the paper's 15 seeds and 150 steps.

Changed after the first results: at scale quick Figure 8 has one high noise level and ten seeds, and Wilcoxon's test of
ten pairs cannot reach the ledger's level whatever they are (the negative control showed it); Student's interval of the
seeds' averages stands in its place. The verdict, inconclusive, was the same under both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from theory_checks import inputs
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.paired import FEWEST_SEEDS, described, replay_interval, side, student_interval

FLOOR = 1e-9
"""Of the problem's range: smaller gaps count as equal."""
PROBLEMS = ("hartmann3", "griewank6", "levy4", "powell5")
ARMS = ("known", "leaked")
HIGH_NOISE = 0.1
"""The high-noise regime of Figure 8: fractions of the range from here on."""

Key = tuple[str, str, float, str]


def stored(study: str, scale: str) -> dict[Key, Result]:
    """(problem, policy, noise fraction, arm) -> result."""
    found = {}
    for one in inputs.results(study, scale):
        options = one.config["options"]
        found[one.config["problem"], one.config["policy"], float(options["noise_fraction"]), str(options["arm"])] = one
    return found


def log_ratio(results: Mapping[Key, Result], ours: Key, peer: Key, metric: str) -> np.ndarray:
    """(seeds,) log10 of our final gap or distance over the peer's."""
    finals = []
    for key in (ours, peer):
        arrays = results[key].arrays
        floor = FLOOR * float(arrays["range"]) if metric == "gap" else FLOOR
        finals.append(np.maximum(np.asarray(arrays[metric], float)[:, -1], floor))
    logarithm: np.ndarray = np.log10(finals[0]) - np.log10(finals[1])
    return logarithm


def replay_pairs(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: median of the stored log10 ratios; right: the margin they should lie below."""
    pooled, margin = np.asarray(stored["log10_ratios"], float), float(stored["margin"])
    return float(np.median(pooled)), margin, side(pooled, margin, float(stored["level"])) > 0


def against_ei(study: str, scale: str, factor: float, ours: str = "corrected_ei", peer: str = "ei") -> Evidence:
    """Is our final gap below `factor` times EI's, over all pairs (problem, seed)?"""
    results, alpha, margin = stored(study, scale), level("B"), math.log10(factor)
    numbers: dict[str, Any] = {"level": alpha, "factor": factor}
    sides, medians, pooled_by_arm = {}, {}, {}
    for arm in ARMS:
        keys = sorted(key for key in results if key[1] == ours and key[3] == arm)
        pairs = {key[0]: (key, (key[0], peer, *key[2:])) for key in keys if (key[0], peer, *key[2:]) in results}
        if arm == "known" and set(pairs) != set(PROBLEMS):
            if not pairs:
                return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get(study, scale), numbers)
            return Evidence(Verdict.INCONCLUSIVE, f"only {', '.join(pairs)} at scale {scale}", numbers)
        if not pairs:
            continue
        gaps = {problem: log_ratio(results, *pair, "gap") for problem, pair in pairs.items()}
        if (fewest := min(map(len, gaps.values()))) < FEWEST_SEEDS:
            return Evidence(Verdict.INCONCLUSIVE, f"only {fewest} seeds at scale {scale}", numbers)
        pooled_by_arm[arm] = np.concatenate(list(gaps.values()))
        sides[arm] = side(pooled_by_arm[arm], margin, alpha)
        medians[arm] = {problem: float(np.median(values)) for problem, values in gaps.items()}
        numbers[arm] = {
            "pairs": len(pooled_by_arm[arm]),
            "side": sides[arm],
            "gap": described(gaps),
            "distance": described({p: log_ratio(results, *pair, "distance") for p, pair in pairs.items()}),
        }
    shown = "; ".join(
        f"{arm}: {10 ** float(np.median(values)):.2f} over all, "
        + ", ".join(f"{problem} {10 ** medians[arm][problem]:.2f}" for problem in medians[arm])
        for arm, values in pooled_by_arm.items()
    )
    summary = f"median gap of {ours} over that of {peer} ({shown}; claimed: below {factor:g}; scale {scale})"
    if all(found > 0 for found in sides.values()):
        arm = ARMS[0]
        found = {"arm": arm, "log10_ratios": pooled_by_arm[arm], "margin": margin, "level": alpha}
        return Evidence(Verdict.REFUTED, summary, numbers, found)
    if sides["known"] < 0 and max(medians["known"].values()) < margin:
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    reason = "not significant" if sides["known"] == 0 else "not on every problem" if sides["known"] < 0 else "not so"
    return Evidence(Verdict.INCONCLUSIVE, f"{summary}: {reason} with the variance known", numbers)


_RULE = (
    "Final gap f(x*) - f(x+), paired by seed. Wilcoxon's signed-rank test of log10(corrected EI / EI), two-sided at "
    "the "
    "ledger's level, on all pairs (problem, seed). Supported if with the variance known they lie significantly below 0 "
    "and the median lies below 0 on each of the four problems; refuted if they lie significantly above 0 in every arm "
    f"that was run; otherwise, with a problem missing or fewer than {FEWEST_SEEDS} seeds, inconclusive."
)
_CONTROL = {"factor": 1e-3, "at": "quick"}
_HYPOTHESES = ("the four benchmarks of Figure 3", "Matern-5/2, lengthscales refitted", "3d Sobol points first")


@claim(
    id="cei.fig3_beats_ei",
    paper="B",
    number="Figure 3, section 5.1",
    statement="The corrected EI outperforms EI for the benchmark objective functions (noise of 10 % of the range).",
    hypotheses=_HYPOTHESES,
    rule=_RULE,
    control=_CONTROL,
    control_statement="Its gap is at most a thousandth of EI's (read at scale quick).",
    tests=2,
    needs=("cei.fig3",),
    replay=replay_pairs,
)
def fig3_beats_ei(scale: str, *, factor: float = 1.0, at: str | None = None) -> Evidence:
    """Noise of 10 % of the range."""
    return against_ei("cei.fig3", at or scale, factor)


@claim(
    id="cei.fig7_beats_ei",
    paper="B",
    number="Figure 7, appendix C",
    statement="With noise of 15 % of the range the corrected EI still outperforms EI (the paper: it 'shows competitive "
    "performance compared to other acquisition functions').",
    hypotheses=_HYPOTHESES,
    rule=_RULE,
    control=_CONTROL,
    control_statement="Its gap is at most a thousandth of EI's (read at scale quick).",
    tests=2,
    needs=("cei.fig7",),
    replay=replay_pairs,
)
def fig7_beats_ei(scale: str, *, factor: float = 1.0, at: str | None = None) -> Evidence:
    """Noise of 15 % of the range."""
    return against_ei("cei.fig7", at or scale, factor)


def decline(
    results: Mapping[Key, Result], methods: Sequence[str], fractions: Sequence[float], problem: str
) -> np.ndarray:
    """(seeds,) slope of log10 final distance in log10 of the noise fraction, averaged over methods."""
    t = np.log10(np.asarray(fractions, float))
    t -= t.mean()
    slopes = []
    for method in methods:
        columns = [results[problem, method, fraction, "known"].arrays["distance"][:, -1] for fraction in fractions]
        slopes.append(np.log10(np.maximum(np.stack(columns, axis=1), FLOOR)) @ t / (t @ t))
    averaged: np.ndarray = np.mean(slopes, axis=0)
    return averaged


@claim(
    id="cei.fig8_robust",
    paper="B",
    number="Figure 8, appendix C",
    statement="All methods decline as the noise increases; the corrected EI exhibits excellent performance relative "
    "to EI "
    "even in the high-noise regime (Griewank 6D, L2 distance of x+ from the optimiser).",
    hypotheses=("Griewank in six dimensions", "noise of 1 to 20 % of the range, its variance known"),
    rule="Two readings at the ledger's level. Decline: slope of log10 final distance in log10 noise, a seed, averaged "
    "over methods, Student's interval above 0. Relative to EI: log10(corrected EI / EI) of the final distance, a seed, "
    f"averaged over the noise levels of at least {HIGH_NOISE:g} of the range, Student's interval below 0. Supported if "
    "both hold; refuted if either interval lies wholly on the other side of 0; otherwise, or with fewer than "
    f"{FEWEST_SEEDS} seeds, inconclusive.",
    control=_CONTROL,
    control_statement="At high noise its distance is at most a thousandth of EI's (read at scale quick).",
    tests=2,
    needs=("cei.fig8",),
    replay=replay_interval,
)
def fig8_robust(scale: str, *, factor: float = 1.0, at: str | None = None) -> Evidence:
    """Growth of the distance with the noise, and the comparison at high noise."""
    scale, alpha, margin = at or scale, level("B"), math.log10(factor)
    results = {key: one for key, one in stored("cei.fig8", scale).items() if key[3] == "known"}
    if not results:
        return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get("cei.fig8", scale))
    problem = min(key[0] for key in results)
    fractions = sorted({key[2] for key in results})
    complete = {m for m in {key[1] for key in results} if all((problem, m, f, "known") in results for f in fractions)}
    methods = sorted(complete)
    high = [fraction for fraction in fractions if fraction >= HIGH_NOISE]
    seeds = min(len(one.arrays["distance"]) for one in results.values())
    if seeds < FEWEST_SEEDS or len(fractions) < 3 or not {"corrected_ei", "ei"} <= set(methods):
        what = f"only {seeds} seeds, {len(fractions)} noise levels, methods {', '.join(methods)} at scale {scale}"
        return Evidence(Verdict.INCONCLUSIVE, what)
    slope, low, upper = student_interval(decline(results, methods, fractions, problem), alpha)
    by_level = {
        f"{fraction:g}": log_ratio(
            results, (problem, "corrected_ei", fraction, "known"), (problem, "ei", fraction, "known"), "distance"
        )
        for fraction in fractions
    }
    averaged = np.mean([by_level[f"{fraction:g}"] for fraction in high], axis=0)
    mean, least, most = student_interval(averaged, alpha)
    found = 1 if least > margin else -1 if most < margin else 0
    numbers = {
        "level": alpha,
        "decline": {"slope": slope, "interval": [low, upper], "methods": methods},
        "distance": described(by_level),
        "high_noise": {"levels": high, "seeds": len(averaged), "mean_log10": mean, "interval": [least, most]},
    }
    summary = (
        f"distance grows like noise^{slope:.2f} [{low:.2f}, {upper:.2f}]; at noise >= {HIGH_NOISE:g} the mean ratio to "
        f"EI is {10**mean:.2f} [{10**least:.2f}, {10**most:.2f}] (claimed: below {factor:g}; scale {scale})"
    )
    if found > 0 or upper < 0:
        stated = {"samples": averaged, "band": [-math.inf, margin], "level": alpha}
        return Evidence(Verdict.REFUTED, summary, numbers, stated if found > 0 else None)
    if found < 0 and low > 0:
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    return Evidence(Verdict.INCONCLUSIVE, f"{summary}: not significant in both readings", numbers)
