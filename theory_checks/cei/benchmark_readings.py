"""The readings of Figures 3 and 8: corrected EI against EI on the benchmarks, judged on stored results.

Compared is the incumbent x+ after the last step: its gap f(x*) - f(x+) and its distance from the nearest optimiser,
paired by seed (same start, same noise). The paper's model knows the noise variance (arm "known"); its public code hands
over the noise that occurred (arm "leaked"). The first is the one to read; where it was run, the second says whether a
failure survives the other way of reporting noise. The whole protocol of that code is read in
`theory_checks.cei.public_code_readings`, Figure 7 in `theory_checks.cei.competitive_readings`.

Better means better by more than a tenth, so that a method that is no better can be told from one that was run too
seldom. A final gap 0.8 times EI's is the smallest effect that matters. At the spread of the runs at scale quick it
takes about 900 pairs (Figure 3); the paper's 60 see a ratio of 0.4. Scale `paper` has 1,120 and 150 steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.cei import fig8_seeds
from experiments.engine.result_file import Result
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, Key, Undecided, fraction_of_range, stored
from theory_checks.readings import EVERYWHERE, FEWEST_SEEDS, Rule, judge, reading
from theory_checks.sides import above, below, described, indifferent, interval

FLOOR = 1e-9
"""Of the problem's range: smaller gaps count as equal."""
OURS, PEER = "corrected_ei", "ei"
PROBLEMS = ("hartmann3", "griewank6", "levy4", "powell5")
ARMS = ("known", "leaked")
FRESH = "cei.fig8_seeds"
"""Whose runs are judged at high noise in the place of Figure 8's, where they are stored."""
HIGH_NOISE = fig8_seeds.HIGH
"""The high-noise regime of Figure 8: fractions of the range from here on."""

RATIO = 0.8
"""The smallest effect that matters: a final gap this many times EI's, or EI's this many times ours."""

BETTER = 1 / 1.1
"""What the ratio to EI's gap is held against."""

BEATS = Rule(effect=-math.log10(RATIO), problems="everywhere", main="known")
ROBUST = Rule(effect=-math.log10(RATIO), test="student")


def key(one: Result) -> Key:
    """(problem, policy, noise fraction, arm)."""
    options = one.config["options"]
    return one.config["problem"], one.config["policy"], float(options["noise_fraction"]), str(options["arm"])


def final(one: Result, metric: str) -> np.ndarray:
    """(seeds,) the last gap (of the range) or distance, at least the floor."""
    if metric == "gap":
        return fraction_of_range(one, metric, FLOOR)[:, -1]
    return np.asarray(np.maximum(np.asarray(one.arrays[metric], float)[:, -1], FLOOR))


def log_ratio(results: Mapping[Key, Result], ours: Key, metric: str) -> np.ndarray:
    """(seeds,) log10 of our final gap or distance over that of EI in the same runs."""
    return np.asarray(
        np.log10(final(results[ours], metric)) - np.log10(final(results[ours[0], PEER, *ours[2:]], metric))
    )


def against_ei(study: str, scale: str, factor: float) -> Evidence:
    """Is our final gap below `factor` times EI's, over all pairs (problem, seed)?"""
    results, margin = stored(study, scale, key=key), math.log10(factor)
    comparisons, distances = [], {}
    for arm in ARMS:
        ours = {one[0]: one for one in sorted(results) if one[1] == OURS and one[3] == arm}
        pairs = {problem: one for problem, one in ours.items() if (problem, PEER, *one[2:]) in results}
        if arm == "known" and set(pairs) != set(PROBLEMS):
            raise Undecided(f"only {', '.join(pairs) or 'no problem'} at scale {scale}")
        if pairs:
            gaps = {problem: log_ratio(results, one, "gap") for problem, one in pairs.items()}
            comparisons.append(Comparison(f"{OURS} / {PEER}", gaps, below(margin), under=arm))
            distances[arm] = {problem: log_ratio(results, one, "distance") for problem, one in pairs.items()}
    judged = judge(comparisons, BEATS, level("B"), scale)
    numbers: dict[str, Any] = {"level": judged.level, "factor": factor}
    shown = []
    for place in judged.places:
        one = place.comparison
        numbers[one.under] = {
            "pairs": len(one.pooled),
            "pairs_needed": BEATS.repetitions(float(np.std(one.pooled, ddof=1)), judged.level),
            "side": place.side,
            "gap": described(one.samples),
            "distance": described(distances[one.under]),
        }
        each = ", ".join(f"{problem} {10**median:.2f}" for problem, median in one.medians.items())
        shown.append(f"{one.under}: {10 ** float(np.median(one.pooled)):.2f} over all, {each}")
    summary = (
        f"median gap of {OURS} over that of {PEER} ({'; '.join(shown)}; claimed: below {factor:.3g}; scale {scale})"
    )
    reason = {0: "not significant", 1: "not on every problem", -1: "not so"}[judged.places[0].claimed]
    return judged.evidence(summary, numbers, undecided=f"{reason} with the variance known")


_RULE = f"""Final gap f(x*) - f(x+), paired by seed; the smallest effect that matters is a ratio of {RATIO:g}.
    Better means by more than a tenth: Wilcoxon's signed-rank test of log10(corrected EI / EI) against log10(1 / 1.1).
    Supported if with the variance known they lie below it on each of the four problems, one-sided at 0.05; refuted if
    those of all problems together lie above it, two-sided at the ledger's level, in every arm that was run; otherwise,
    with a problem missing or fewer than {FEWEST_SEEDS} seeds, inconclusive."""
_CONTROL = {"factor": 0.25}
_HYPOTHESES = ("the four benchmarks of Figure 3", "Matern-5/2, lengthscales refitted", "3d Sobol points first")


@reading(
    id="cei.fig3_beats_ei",
    paper="B",
    number="Figure 3, section 5.1",
    statement="The corrected EI outperforms EI for the benchmark objective functions (noise of 10 % of the range).",
    hypotheses=_HYPOTHESES,
    rule=_RULE,
    control=_CONTROL,
    control_statement="Its gap is at most a quarter of EI's.",
    positive={"factor": 3.0},
    positive_statement="Its gap is at most three times EI's.",
    severity="substantive",
    tests=2,
    needs=("cei.fig3",),
    amended=f"""Before any of these runs was made at paper scale, after those of scale quick and of the public code's
    protocol (`cei.fig3_public_code`), which show no advantage: held against 0 before, where two equal methods are
    never told from two that were run too seldom. {EVERYWHERE}""",
)
def fig3_beats_ei(scale: str, *, factor: float = BETTER) -> Evidence:
    """Noise of 10 % of the range."""
    return against_ei("cei.fig3", scale, factor)


def decline(logs: Mapping[float, np.ndarray]) -> np.ndarray:
    """(seeds,) slope of log10 final distance in log10 of the noise fraction; `logs`: fraction → (methods, seeds),
    whose slopes are averaged."""
    t = np.log10(np.asarray(list(logs), float))
    t -= t.mean()
    slopes = np.stack(list(logs.values()), axis=-1) @ t / (t @ t)
    return np.asarray(slopes.mean(axis=0))


def other_seeds(scale: str, ours: Key, levels: Sequence[float]) -> dict[float, np.ndarray]:
    """Level → (seeds,) log10 of the ratio of distances of the seeds of :data:`FRESH`; empty until all are stored: of
    some of them it would be a look before the number that was written down.
    """
    try:
        results = stored(FRESH, scale, key=key)
    except Undecided:
        return {}
    wanted = [(*method, fraction, "known") for method in (ours, (ours[0], PEER)) for fraction in levels]
    seeds = [len(results[one].arrays["distance"]) if one in results else 0 for one in wanted]
    if min(seeds) < len(fig8_seeds.SEEDS[scale]):
        return {}
    return {fraction: log_ratio(results, (*ours, fraction, "known"), "distance") for fraction in levels}


@reading(
    id="cei.fig8_robust",
    paper="B",
    number="Figure 8, appendix C",
    statement="""All methods decline as the noise increases; the corrected EI exhibits excellent performance relative
    to EI even in the high-noise regime (Griewank 6D, L2 distance of x+ from the optimiser).""",
    hypotheses=("Griewank in six dimensions", "noise of 1 to 20 % of the range, its variance known"),
    rule=f"""Two readings at the ledger's level. Decline: slope of log10 final distance in log10 noise, a seed, averaged
    over methods, Student's interval above 0. Relative to EI: log10(corrected EI / EI) of the final distance, a seed,
    averaged over the noise levels of at least {HIGH_NOISE:g} of the range, Student's interval below 0; of the other
    seeds of `cei.fig8_seeds` alone once all of them are stored, of Figure 8's until then. Of the other seeds there are
    {fig8_seeds.LOOKS} looks, which share the level. Supported if both hold; refuted if the first interval lies wholly
    below 0, or the second does not lie below 0 but wholly above log10(1 / 1.1): an advantage of a tenth is excluded
    (`cei.fig3_beats_ei`); otherwise, or with fewer than {FEWEST_SEEDS} seeds, inconclusive.""",
    control={"factor": 1 / 3},
    control_statement="At high noise its distance is at most a third of EI's.",
    positive={"factor": 3.0},
    positive_statement="At high noise its distance is at most three times EI's.",
    severity="substantive",
    tests=2,
    needs=("cei.fig8", FRESH),
    amended="""Changed after the first results: at scale quick Figure 8 has one high noise level and ten seeds, and
    Wilcoxon's test of ten pairs cannot reach the ledger's level whatever they are (the negative control showed it);
    Student's interval of the seeds' averages stands in its place. The verdict, inconclusive, was the same under
    both. The control was 0.8 of EI's, which another run of scale quick did not exclude. After thirty seeds at scale
    paper, 1.07 times EI's distance [0.81, 1.42]: judged by 120 others alone, and refuted where an advantage of a tenth
    is excluded, not only where EI is ahead, both written down before any of these was run. They left it open, 1.05
    [0.90, 1.22]: judged by these and 180 more, a second look at half the level, written down before any of the 180 was
    run. The first look had the whole level, so that the two together err at one and a half times the ledger's.""",
)
def fig8_robust(scale: str, *, factor: float = 1.0) -> Evidence:
    """Growth of the distance with the noise, and the comparison at high noise."""
    margin = math.log10(factor)
    results = {one: run for one, run in stored("cei.fig8", scale, key=key).items() if one[3] == "known"}
    problem, fractions = min(one[0] for one in results), sorted({one[2] for one in results})
    methods = [
        m for m in sorted({one[1] for one in results}) if all((problem, m, f, "known") in results for f in fractions)
    ]
    seeds = min(len(one.arrays["distance"]) for one in results.values())
    if seeds < FEWEST_SEEDS or len(fractions) < 3 or not {OURS, PEER} <= set(methods):
        what = f"{len(fractions)} noise levels, methods {', '.join(methods)}"
        raise Undecided(f"only {seeds} seeds, {what} at scale {scale}")
    logs = {
        fraction: np.log10([final(results[problem, method, fraction, "known"], "distance") for method in methods])
        for fraction in fractions
    }
    by_level = {fraction: log_ratio(results, (problem, OURS, fraction, "known"), "distance") for fraction in fractions}
    high = [fraction for fraction in fractions if fraction >= HIGH_NOISE]
    others = other_seeds(scale, (problem, OURS), high)
    by_level |= others
    grown, averaged = decline(logs), np.mean([by_level[fraction] for fraction in high], axis=0)
    tolerated = indifferent(below(margin), -math.log10(BETTER)) if factor == 1.0 else None
    judged = judge(
        [
            Comparison("relative to EI", {"": averaged}, below(margin), tolerated),
            Comparison("decline", {"": grown}, above(0.0)),
        ],
        ROBUST,
        level("B") / (fig8_seeds.LOOKS if others else 1),
        scale,
    )
    (slope, low, upper), (mean, least, most) = (interval(values, judged.level) for values in (grown, averaged))
    numbers = {
        "level": judged.level,
        "decline": {"slope": slope, "interval": [low, upper], "methods": methods},
        "distance": described({f"{fraction:g}": values for fraction, values in by_level.items()}),
        "high_noise": {"levels": high, "seeds": len(averaged), "mean_log10": mean, "interval": [least, most]},
    }
    summary = (
        f"distance grows like noise^{slope:.2f} [{low:.2f}, {upper:.2f}]; at noise >= {HIGH_NOISE:g} the mean ratio to "
        f"EI is {10**mean:.2f} [{10**least:.2f}, {10**most:.2f}] (claimed: below {factor:g}; scale {scale})"
    )
    return judged.evidence(summary, numbers, undecided="not significant in both readings")
