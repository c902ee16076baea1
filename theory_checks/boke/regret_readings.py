"""The readings of Figures 6 and 7: what the paper's text says of its regret curves, judged on stored results.

Ratios of final simple regrets are compared. Pairs (problem, seed) are pooled over the problems that a sentence speaks
of; every problem's own numbers are reported. The paper gives no constants: a method that is significantly worse than
said with ours refutes the sentence only if no constant that Figure A-S sweeps rescues it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from experiments.engine.result_file import Result
from theory_checks import inputs
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, Results, differences, fraction_of_range, stored
from theory_checks.readings import FEWEST_SEEDS, Rule, judge, reading
from theory_checks.sides import below

REGRET_FLOOR = 1e-9
"""Of the range: smaller regrets are rounding, and count as equal."""

COMPETITIVE = 2.0
"""Competitive: at most this many times the peer's regret."""

PROBLEMS = ("forrester", "goldstein_price", "six_hump_camel", "hartmann3", "rosenbrock4", "sphere6")
HIGH_DIMENSIONAL = ("rosenbrock4", "sphere6")
BOTH = ("boke", "boke_plus")
OPEN_CONSTANTS = frozenset({"boke", "boke_plus", "kr_ucb", "gp_ucb"})
"""Methods whose constants the paper leaves open."""

RULE = Rule(effect=math.log10(2.0))


def final_regret(result: Result) -> np.ndarray:
    """(seeds,) last simple regret as a fraction of the range, at least the floor."""
    return fraction_of_range(result, "simple_regret", REGRET_FLOOR)[:, -1]


def compare(study: str, scale: str, ours: Sequence[str], peer: str, problems: Sequence[str], factor: float) -> Evidence:
    """Is the regret of each of `ours` below `factor` times the peer's, over all pairs (problem, seed)?"""
    results, margin = (
        stored(study, scale, [(p, method) for p in problems for method in (*ours, peer)]),
        math.log10(factor),
    )
    pairs = {method: differences(results, method, peer, problems, final_regret, log=True) for method in ours}
    judged = judge([Comparison(*pair, below(margin)) for pair in pairs.items()], RULE, level("A"), scale)
    ratios = ", ".join(f"{p.comparison.name} {10 ** float(np.median(p.comparison.pooled)):.2g}" for p in judged.places)
    numbers = judged.numbers() | {"factor": factor, "floor": REGRET_FLOOR, "peer": peer}
    return judged.evidence(
        f"median regret relative to {peer}: {ratios} (claimed: below {factor:g}; scale {scale})",
        numbers,
        undecided="not significant for every method",
        open=rescue(study, scale, judged.refuted, results, peer, problems, margin),
    )


def rescue(
    study: str, scale: str, method: str, results: Results, peer: str, problems: Sequence[str], margin: float
) -> str:
    """Why a significantly worse method does not refute a reading of the paper, or nothing if it does.

    The paper gives no constants, so a failure with ours is the reading's only if no constant that Figure A-S sweeps
    brings the method's median regret, on the swept problems, within the margin of the peer (which keeps ours).
    """
    if method not in OPEN_CONSTANTS:
        return ""
    noisy = study == "boke.fig7"
    settings: dict[tuple[str, float], list[np.ndarray]] = {}
    for one in inputs.results("boke.sensitivity", scale):
        options = one.config["options"]
        problem = options["problem"]
        if one.config["policy"] != method or bool(options["noise_fraction"]) != noisy or problem not in problems:
            continue
        pair = {(problem, method): one, (problem, peer): results[problem, peer]}
        found = differences(pair, method, peer, [problem], final_regret, log=True)
        settings.setdefault((str(options["constant"]), float(options["value"])), []).extend(found.values())
    if not settings:
        return f"no other constants of {method} were tried on these problems, and the paper gives none"
    ratios = {key: float(np.median(np.concatenate(found))) for key, found in settings.items()}
    (constant, value), best = min(ratios.items(), key=lambda item: item[1])
    if best > margin:
        return ""
    return f"{constant} = {value:g} gives {method} a median ratio of {10**best:.2g} on the problems swept"


_COMPARED = f"""Final simple regret (raised to at least 1e-9 of the problem's range), paired by seed (same start, same
    noise). Wilcoxon's signed-rank test of log10(ours / peer) against log10 of the factor, two-sided at the ledger's
    level, on all pairs (problem, seed) of the problems together: for BOKE and for BOKE+. Supported if both lie below,
    refuted if either lies above and no value of its constants in Figure A-S brings its median regret within the factor
    on the problems swept there (the paper gives no constants: a failure with ours alone is inconclusive, not
    reproduced); otherwise, with a problem missing or fewer than {FEWEST_SEEDS} seeds, inconclusive."""
_AMENDED = """Changed after trial runs, before the stored ones: a first rule counted regrets below 1e-3 of a problem's
    range as equal. It could not refute its own negative control, because corners of the box set the ranges of
    Goldstein-Price and Rosenbrock, and was dropped for that reason."""
_CONTROL = {"ours": ("random_search",)}


@reading(
    id="boke.fig6_competitive",
    paper="A",
    number="Figure 6, section 5.1",
    statement="Both BOKE and BOKE+ demonstrate competitive performance compared to GP-UCB (noise-free).",
    hypotheses=("the six benchmark functions of Figure 6", "the constants of docs/constants.md"),
    rule=f"{_COMPARED} Factor {COMPETITIVE:g}, all six problems.",
    control={**_CONTROL, "factor": 1.0},
    control_statement="Random search has at most the regret of GP-UCB (read at scale quick).",
    tests=2,
    needs=("boke.fig6", "boke.sensitivity"),
    amended=_AMENDED,
)
def fig6_competitive(scale: str, *, ours: Sequence[str] = BOTH, factor: float = COMPETITIVE) -> Evidence:
    """At most twice the final regret of GP-UCB, without noise."""
    return compare("boke.fig6", scale, ours, "gp_ucb", PROBLEMS, factor)


@reading(
    id="boke.fig7_beats_kr_ucb",
    paper="A",
    number="Figure 7, section 5.1",
    statement="Both the BOKE and BOKE+ algorithms significantly outperform the KR-UCB algorithm (Gaussian noise).",
    hypotheses=(
        "the six benchmark functions of Figure 7",
        "the constants of docs/constants.md",
        "noise of 5 % of the range",
    ),
    rule=f"{_COMPARED} Factor 1, all six problems.",
    control={**_CONTROL, "peer": "gp_ucb", "study": "boke.fig6"},
    control_statement="Random search significantly outperforms GP-UCB without noise (read at scale quick).",
    tests=2,
    needs=("boke.fig7", "boke.sensitivity"),
    amended=_AMENDED,
)
def fig7_beats_kr_ucb(
    scale: str, *, ours: Sequence[str] = BOTH, peer: str = "kr_ucb", study: str = "boke.fig7"
) -> Evidence:
    """Smaller final regret than KR-UCB, with noise."""
    return compare(study, scale, ours, peer, PROBLEMS, 1.0)


@reading(
    id="boke.fig7_beats_gp_ucb_high_d",
    paper="A",
    number="Figure 7, section 5.1",
    statement="""The two proposed algorithms achieve better accuracy than GP-UCB in high-dimensional cases, such as in
    Figure 7 (F).""",
    hypotheses=("Rosenbrock 4D and Sphere 6D", "the constants of docs/constants.md", "noise of 5 % of the range"),
    rule=f"{_COMPARED} Factor 1, the two problems with d >= 4.",
    control={**_CONTROL, "study": "boke.fig6", "problems": ("hartmann3", *HIGH_DIMENSIONAL)},
    control_statement="Random search is more accurate than GP-UCB for d >= 3 without noise (read at scale quick).",
    tests=2,
    needs=("boke.fig7", "boke.sensitivity"),
    amended=_AMENDED,
)
def fig7_beats_gp_ucb_high_d(
    scale: str, *, ours: Sequence[str] = BOTH, study: str = "boke.fig7", problems: Sequence[str] = HIGH_DIMENSIONAL
) -> Evidence:
    """Smaller final regret than GP-UCB in four and six dimensions, with noise."""
    return compare(study, scale, ours, "gp_ucb", problems, 1.0)
