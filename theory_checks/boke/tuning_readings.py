"""The readings of Figure 9: what the paper's text says of hyperparameter tuning, judged on stored results."""

from __future__ import annotations

from typing import Any

import numpy as np

from theory_checks import tuning
from theory_checks.ledger import Evidence, level
from theory_checks.pairs import Comparison, shared, stored
from theory_checks.readings import FEWEST_SEEDS, SUPPORT, Rule, judge, reading
from theory_checks.sides import above, as_difference

STUDY = "boke.fig9"
FORESTS = ("rf_california", "rf_wine")
BOOSTED = ("xgb_california", "xgb_wine")
PEERS = ("kr_ucb", "gp_ucb", "random_search")

_RULE = f"""Mean over the evaluations after the initial design of the best R² so far, paired by seed (same start, same
    folds). Wilcoxon's signed-rank test of the difference (ours − peer), for every pair of methods; a reversal
    two-sided at the ledger's level, on all pairs (task, seed) together. {tuning.smallest_effect("A")} Supported if all
    lie above. {tuning.EVERYWHERE} The paper gives no boxes, no budgets and no constants: where a method lies below, or
    nothing is significant, the reading is inconclusive (boke.fig9_here speaks of the runs stored here, and can be
    refuted by them)."""
_CONTROL = {"ours": (tuning.DESIGN,), "settled": True}
_CONTROL_STATEMENT = "In the stored runs the initial design alone outperforms every method."


_FASTER: dict[str, Any] = {
    "ours": ("boke", "boke_plus"),
    "peers": PEERS,
    "tasks": FORESTS,
    "measure": "mean",
    "control_statement": _CONTROL_STATEMENT,
}
_EXPLOITATION: dict[str, Any] = {
    "ours": ("kr_ucb", "boke_plus"),
    "peers": ("boke", "gp_ucb", "random_search"),
    "tasks": BOOSTED,
    "measure": "mean",
    "hypotheses": ("XGBoost on California Housing and Wine Quality, 5-fold cross-validated R²",),
    "control": {**_CONTROL, "tasks": FORESTS},
    "control_statement": "In the stored runs of random forests the initial design alone outperforms every method.",
    "tests": 6,
}

fig9_faster = tuning.tuning_claim(
    "A higher best R² on average over the run, random forests.",
    __name__,
    "A",
    STUDY,
    id="boke.fig9_faster",
    number="Figure 9 (A, B), section 5.3",
    statement="""The results in Figure 9 (A, B) show that BOKE and BOKE+ outperform the other three algorithms,
    achieving faster convergence rates and more robust optimization outcomes.""",
    hypotheses=(
        "random forests on California Housing and Wine Quality, 5-fold cross-validated R²",
        "the other three: KR-UCB, GP-UCB and (our reading, the paper names only two) random search",
    ),
    rule=f"{_RULE} Ours: BOKE, BOKE+; peers: KR-UCB, GP-UCB, random search; the two random-forest tasks.",
    control=_CONTROL,
    tests=6,
    **_FASTER,
)

fig9_here = tuning.tuning_claim(
    "The stored runs themselves, random forests.",
    __name__,
    "A",
    STUDY,
    settled=True,
    id="boke.fig9_here",
    number="Figure 9 (A, B), as run here",
    statement="""With the boxes, budgets and constants of docs/constants.md, BOKE and BOKE+ outperform KR-UCB, GP-UCB
    and random search on the two random-forest tasks.""",
    hypotheses=("random forests on California Housing and Wine Quality, 5-fold cross-validated R²",),
    rule="""The comparisons of boke.fig9_faster, the same tests. Supported if all six lie above, refuted if one lies
    below, otherwise inconclusive.""",
    control={"ours": (tuning.DESIGN,)},
    positive={"peers": ("random_search",)},
    positive_statement="They outperform random search.",
    origin="here",
    **_FASTER,
)

fig9_exploitation = tuning.tuning_claim(
    "A higher best R² on average over the run, XGBoost.",
    __name__,
    "A",
    STUDY,
    id="boke.fig9_exploitation",
    number="Figure 9 (C, D), section 5.3",
    statement="""For the XGB problem in Figure 9 (C, D), the initial R² values are already quite good compared to those
    in (A, B), and acquisition functions that favor exploitation, such as KR-UCB and BOKE+, converge faster.""",
    rule=f"{_RULE} Ours: KR-UCB, BOKE+; peers: BOKE, GP-UCB, random search; the two XGBoost tasks.",
    **_EXPLOITATION,
)

fig9_exploitation_here = tuning.tuning_claim(
    "The stored runs themselves, XGBoost.",
    __name__,
    "A",
    STUDY,
    settled=True,
    id="boke.fig9_exploitation_here",
    number="Figure 9 (C, D), as run here",
    statement="""With the boxes, budgets and constants of docs/constants.md, KR-UCB and BOKE+ converge faster than BOKE,
    GP-UCB and random search on the two XGBoost tasks.""",
    rule="""The comparisons of boke.fig9_exploitation, the same tests. Supported if all six lie above, refuted if one
    lies below, otherwise inconclusive.""",
    positive={"peers": ("boke", "random_search")},
    positive_statement="They converge faster than BOKE and random search.",
    origin="here",
    **_EXPLOITATION,
)


INITIAL = Rule(effect=0.05, test="student", problems="each", support=SUPPORT)
PAIRED = dict(zip(BOOSTED, FORESTS, strict=True))


_INITIAL_RULE = f"""Best R² of the initial design of XGBoost less that of the random forest, on the same data and seed;
    mean and Student's test, data set by data set. Supported if both lie above 0 (each at 0.05). With a significant
    reversal (two-sided at the ledger's level) {{reversed}}; otherwise, or with fewer than {FEWEST_SEEDS} seeds,
    inconclusive. The smallest effect that matters is {INITIAL.effect:g}."""
_INITIAL: dict[str, Any] = {
    "paper": "A",
    "hypotheses": ("best R² of the initial design, of 15 points (XGBoost) and 11 (random forest), our boxes",),
    "control_statement": "In the stored runs the initial R² of XGBoost is better by more than 0.2.",
    "needs": (STUDY,),
}


def initial(scale: str, margin: float, settled: bool) -> Evidence:
    """Whether XGBoost's initial designs are better than the random forest's by the margin; a reversal refutes only what
    is `settled`, a statement about the stored runs."""
    results = stored(STUDY, scale, [(task, "boke") for task in (*BOOSTED, *FORESTS)])
    samples = {}
    for task, peer in PAIRED.items():
        ours, theirs = results[task, "boke"], results[peer, "boke"]
        best = [tuning.score(one, "design")[shared(one, other)] for one, other in ((ours, theirs), (theirs, ours))]
        samples[task] = best[0] - best[1]
    judged = judge([Comparison("XGBoost - random forest", samples, above(margin))], INITIAL, level("A"), scale)
    means = ", ".join(f"{float(np.mean(values)):.3f} ({task})" for task, values in samples.items())
    left_open = "" if settled else "the paper leaves the boxes open"
    summary = f"initial R² of XGBoost less that of the forest: {means}"
    return judged.evidence(summary, judged.numbers(as_difference), open=left_open)


@reading(
    id="boke.fig9_initial",
    number="Figure 9 (C, D), section 5.3",
    statement="""For the XGB problem in Figure 9 (C, D), the initial R² values are already quite good compared to those
    in (A, B).""",
    rule=_INITIAL_RULE.format(reversed="inconclusive, since the paper gives no boxes (boke.fig9_initial_here)"),
    control={"margin": 0.2, "settled": True},
    tests=2,
    amended="""The entry spoke of the stored runs alone, under the paper's words: that is boke.fig9_initial_here
    now.""",
    **_INITIAL,
)
def fig9_initial(scale: str, *, margin: float = 0.0, settled: bool = False) -> Evidence:
    """XGBoost's initial designs against the random forest's."""
    return initial(scale, margin, settled)


@reading(
    id="boke.fig9_initial_here",
    number="Figure 9 (C, D), as run here",
    statement="""With the boxes and initial designs of docs/constants.md, the initial R² values of XGBoost are better
    than those of the random forest, on both data sets.""",
    rule=_INITIAL_RULE.format(reversed="refuted (the tests are those of boke.fig9_initial)"),
    control={"margin": 0.2},
    positive={"margin": -0.2},
    positive_statement="""In the stored runs the initial R² of XGBoost is at most 0.2 below the forest's.""",
    origin="here",
    **_INITIAL,
)
def fig9_initial_here(scale: str, *, margin: float = 0.0) -> Evidence:
    """The stored runs themselves."""
    return initial(scale, margin, True)
