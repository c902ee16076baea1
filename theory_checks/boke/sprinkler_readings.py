"""The reading of Figure 8: BOKE and BOKE+ against GP-UCB on the garden sprinkler, judged on stored results.

The text compares twice: after the same number of evaluations, and "with fixed CPU resources". The second is read at the
CPU time that the quicker of two methods spends on all its proposals, averaged over the timed seeds: the regret of each
after the evaluations it has made by then.

The rule was written before the study was first run at scale quick; the sweep of constants that it speaks of, when the
reading had failed with ours. Changed after that sweep, and before GP-UCB's constants were swept: the first rule asked
for other constants of BOKE and BOKE+ only and would have called the reading refuted, though the bandwidth of GP-UCB is
printed no more than theirs. A refutation now needs that no swept constant of either side turns the order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.result_file import Result
from theory_checks import inputs
from theory_checks.boke.regret_readings import BOTH, OPEN_CONSTANTS, REGRET_FLOOR, replay_pairs, rescue
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.paired import FEWEST_SEEDS, described, log_ratios, side, stored

__all__ = ["after_equal_time", "fig8_beats_gp_ucb", "peer_rescue"]

STUDY, SWEEP, PROBLEM, PEER = "boke.fig8", "boke.fig8_constants", "sprinkler", "gp_ucb"


def peer_rescue(method: str, scale: str, results: Mapping[tuple[str, str], Result], margin: float) -> str:
    """Why a significantly worse method does not refute the reading on the peer's side, or nothing if it does: the
    peer's constants are open too, and a swept one may bring the median ratio within the margin."""
    ratios = {}
    for one in inputs.results(SWEEP, scale):
        if one.config["policy"] == PEER:
            options = one.config["options"]
            pair = {(PROBLEM, method): results[PROBLEM, method], (PROBLEM, PEER): one}
            found = log_ratios(pair, method, PEER, [PROBLEM], REGRET_FLOOR)[PROBLEM]
            ratios[str(options["constant"]), float(options["value"])] = float(np.median(found))
    if not ratios:
        return f"no other constants of {PEER} were tried, and the paper gives none"
    (constant, value), best = min(ratios.items(), key=lambda item: item[1])
    return f"against {PEER} with {constant} = {value:g} the median ratio is {10**best:.2g}" if best <= margin else ""


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


@claim(
    id="boke.fig8_beats_gp_ucb",
    paper="A",
    number="Figure 8, section 5.2",
    statement="Both BOKE and BOKE+ achieve better accuracy than GP-UCB. Notably, with fixed CPU resources, BOKE and "
    "BOKE+ outperform GP-UCB (sprinkler computer model, range, 8D).",
    hypotheses=("the garden sprinkler, noise-free", "the constants of docs/constants.md"),
    rule="Simple regret of the range (raised to at least 1e-9 of the range), paired by seed (same start). Wilcoxon's "
    "signed-rank test of log10(ours / GP-UCB), two-sided at the ledger's level, for BOKE and for BOKE+, in two "
    "readings: after the whole budget, and after equal CPU time, the mean CPU time that the quicker of the two spends "
    "on its whole run. Supported if all four lie below 0; refuted if one lies above and no other constants, of the "
    "method or of GP-UCB, swept on this problem, bring its median ratio after the whole budget to 1 (the paper gives "
    "no constants: a failure with ours alone is inconclusive, not reproduced); otherwise, or with fewer than "
    f"{FEWEST_SEEDS} seeds, inconclusive.",
    control={"ours": ("random_search",), "factor": 0.1, "at": "quick"},
    control_statement="The regret of random search is below a tenth of GP-UCB's (read at scale quick).",
    tests=4,
    needs=(STUDY, SWEEP),
    replay=replay_pairs,
)
def fig8_beats_gp_ucb(
    scale: str, *, ours: Sequence[str] = BOTH, factor: float = 1.0, at: str | None = None
) -> Evidence:
    """Smaller regret than GP-UCB after the same evaluations and after the same CPU time."""
    scale, margin, alpha = at or scale, math.log10(factor), level("A")
    results = stored(STUDY, scale)
    if not all((PROBLEM, name) in results for name in (*ours, PEER)):
        return Evidence(Verdict.INCONCLUSIVE, inputs.how_to_get(STUDY, scale))
    numbers: dict[str, Any] = {"level": alpha, "factor": factor, "floor": REGRET_FLOOR, "peer": PEER}
    sides, shown = [], []
    worst: dict[str, Any] | None = None
    for method in ours:
        mine, theirs = results[PROBLEM, method], results[PROBLEM, PEER]
        cut_mine, cut_theirs, seconds = after_equal_time(mine, theirs)
        for reading, pair in {"evaluations": (mine, theirs), "CPU time": (cut_mine, cut_theirs)}.items():
            both = dict(zip(((PROBLEM, method), (PROBLEM, PEER)), pair, strict=True))
            ratios = log_ratios(both, method, PEER, [PROBLEM], REGRET_FLOOR)[PROBLEM]
            if len(ratios) < FEWEST_SEEDS:
                return Evidence(Verdict.INCONCLUSIVE, f"only {len(ratios)} seeds at scale {scale}", numbers)
            found = side(ratios, margin, alpha)
            sides.append(found)
            shown.append(f"{method} {10 ** float(np.median(ratios)):.2f} at equal {reading}")
            numbers[f"{method}, {reading}"] = {
                "side": found,
                "t": [one.arrays["simple_regret"].shape[1] for one in pair],
                "seconds": seconds,
                **described({PROBLEM: ratios})[PROBLEM],
            }
            if found > 0 and worst is None:
                worst = {"method": method, "reading": reading, "log10_ratios": ratios}
                worst |= {"margin": margin, "level": alpha}
    summary = f"median regret relative to {PEER}: {', '.join(shown)} (claimed: below {factor:g}; scale {scale})"
    if worst is not None:
        method = str(worst["method"])
        reason = rescue(STUDY, scale, method, results, PEER, [PROBLEM], margin, SWEEP)
        reason = reason or (peer_rescue(method, scale, results, margin) if method in OPEN_CONSTANTS else "")
        if reason:
            return Evidence(Verdict.INCONCLUSIVE, f"{summary}: not reproduced, but {reason}", numbers)
        return Evidence(Verdict.REFUTED, f"{summary}; no constant swept on one side turns it", numbers, worst)
    if all(found < 0 for found in sides):
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    return Evidence(Verdict.INCONCLUSIVE, f"{summary}: not significant in every reading", numbers)
