"""The reading of Figure 8: BOKE and BOKE+ against GP-UCB on the garden sprinkler, judged on stored results.

The text compares twice: after the same number of evaluations, and "with fixed CPU resources". The second is read at the
CPU time that the quicker of two methods spends on all its proposals, averaged over the timed seeds: the regret of each
after the evaluations it has made by then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from theory_checks import inputs
from theory_checks.boke.regret_readings import BOTH, OPEN_CONSTANTS, REGRET_FLOOR, RULE, final_regret
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, Results, differences, stored
from theory_checks.readings import FEWEST_SEEDS, judge, reading
from theory_checks.sides import as_ratio, below

STUDY, SWEEP, PROBLEM, PEER = "boke.fig8", "boke.fig8_constants", "sprinkler", "gp_ucb"


def log_ratios(method: str, ours: Result, peer: Result) -> dict[str, np.ndarray]:
    """The problem → (seeds,) log10 of the final regret of one run over that of another."""
    both = {(PROBLEM, method): ours, (PROBLEM, PEER): peer}
    return differences(both, method, PEER, [PROBLEM], final_regret, log=True)


def rescue(method: str, scale: str, results: Results, margin: float) -> str:
    """Why a significantly worse method does not refute the reading, or nothing if it does.

    The paper prints the constants of neither side: a failure is the reading's only if no swept setting of the method
    against any of the peer, ours among them, brings the median ratio after the whole budget within the margin.
    """
    if method not in OPEN_CONSTANTS:
        return ""
    settings = {name: {"our constants": results[PROBLEM, name]} for name in (method, PEER)}
    for one in inputs.results(SWEEP, scale):
        options = one.config["options"]
        if one.config["policy"] in settings:
            settings[one.config["policy"]][f"{options['constant']} = {float(options['value']):g}"] = one
    if few := [name for name, found in settings.items() if len(found) == 1]:
        return f"no other constants of {' and '.join(few)} were tried, and the paper gives none"
    ratios = {
        f"{method} with {mine} against {PEER} with {theirs}": float(np.median(log_ratios(method, ours, peer)[PROBLEM]))
        for mine, ours in settings[method].items()
        for theirs, peer in settings[PEER].items()
    }
    where, best = min(ratios.items(), key=lambda item: item[1])
    return f"{where}: median ratio {10**best:.2g}" if best <= margin else ""


def after_equal_time(first: Result, second: Result) -> tuple[Result, Result, float]:
    """Both runs up to the mean CPU time that the quicker one takes for all its proposals; and that time."""
    times = [np.cumsum(one.arrays["seconds"], axis=1).mean(axis=0) for one in (first, second)]
    shared = min(float(time[-1]) for time in times)
    cut = []
    for one, time in zip((first, second), times, strict=True):
        evaluations = int(one.arrays["initial_size"]) + int(np.sum(time <= shared))
        regret = one.arrays["simple_regret"][:, :evaluations]
        cut.append(Result(one.config, {**one.arrays, "simple_regret": regret}, one.metadata))
    return cut[0], cut[1], shared


@reading(
    id="boke.fig8_beats_gp_ucb",
    paper="A",
    number="Figure 8, section 5.2",
    statement="""Both BOKE and BOKE+ achieve better accuracy than GP-UCB. Notably, with fixed CPU resources, BOKE and
    BOKE+ outperform GP-UCB (sprinkler computer model, range, 8D).""",
    hypotheses=("the garden sprinkler, noise-free", "the constants of docs/constants.md"),
    rule=f"""Simple regret of the range (raised to at least 1e-9 of the range), paired by seed (same start). Wilcoxon's
    signed-rank test of log10(ours / GP-UCB), two-sided at the ledger's level, for BOKE and for BOKE+, in two readings:
    after the whole budget, and after equal CPU time, the mean CPU time that the quicker of the two spends on its whole
    run. Supported if all four lie below 0; refuted if one lies above and no pair of settings swept on this problem, one
    of the method and one of GP-UCB, brings its median ratio after the whole budget to 1 (the paper gives no constants:
    a failure with ours alone is inconclusive, not reproduced); otherwise, or with fewer than {FEWEST_SEEDS} seeds,
    inconclusive.""",
    control={"ours": ("random_search",), "factor": 0.1},
    control_statement="The regret of random search is below a tenth of GP-UCB's (read at scale quick).",
    tests=4,
    needs=(STUDY, SWEEP),
    amended="""The rule was written before the study was first run at scale quick; the sweep of constants that it speaks
    of, when the reading had failed with ours. Changed twice since. After the sweep of BOKE's and BOKE+'s constants, and
    before that of GP-UCB's: the first rule asked for constants of the method only, though GP-UCB's are printed no more
    than theirs. After both sweeps: constants of one side at a time were tried, and the reading counted as refuted,
    while both sides together (a smaller noise scale of BOKE against a shorter lengthscale of GP-UCB) turn the order. A
    refutation needs that no pair of swept settings does.""",
)
def fig8_beats_gp_ucb(scale: str, *, ours: Sequence[str] = BOTH, factor: float = 1.0) -> Evidence:
    """Smaller regret than GP-UCB after the same evaluations and after the same CPU time."""
    margin, results = math.log10(factor), stored(STUDY, scale, [(PROBLEM, name) for name in (*ours, PEER)])
    comparisons, runs, methods = [], dict[str, dict[str, Any]](), {"": ""}
    for method in ours:
        whole = results[PROBLEM, method], results[PROBLEM, PEER]
        *cut, seconds = after_equal_time(*whole)
        for equal, pair in {"evaluations": whole, "CPU time": cut}.items():
            name = f"{method}, {equal}"
            methods[name] = method
            comparisons.append(Comparison(name, log_ratios(method, *pair), below(margin)))
            runs[name] = {"t": [one.arrays["simple_regret"].shape[1] for one in pair], "seconds": seconds}
    judged = judge(comparisons, RULE, level("A"), scale)
    for place in judged.places:
        runs[place.comparison.name] |= {"side": place.side, **as_ratio(place.comparison.pooled)}
    ratios = ", ".join(f" {run['median_ratio']:.2f} at equal ".join(name.split(", ")) for name, run in runs.items())
    reason = rescue(methods[judged.refuted], scale, results, margin)
    return judged.evidence(
        f"median regret relative to {PEER}: {ratios} (claimed: below {factor:g}; scale {scale})"
        + "; no pair of swept settings turns it" * (judged.outcome < 0 and not reason),
        {"level": judged.level, "factor": factor, "floor": REGRET_FLOOR, "peer": PEER, **runs},
        undecided="not significant in every reading",
        open=reason,
    )
