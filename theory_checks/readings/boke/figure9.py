"""The readings of Figure 9: hyperparameter tuning of random forests and XGBoost, 5-fold cross-validated R^2."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from experiments.boke import fig9_boxes
from experiments.measures.tuning import Score, deviation, score
from theory_checks.paired_seeds import shared, stored
from theory_checks.readings.boke.regret_runs import DEFAULT, OURS
from theory_checks.readings.boke.tuning_runs import (
    BOOSTED,
    BOXES,
    FORESTS,
    MORE,
    QUESTIONS,
    STUDY,
    SWEEP,
    in_box,
    runs,
)
from theory_checks.readings.curve import Setting
from theory_checks.readings.declaration import Measure, Reading, declare, orders
from theory_checks.readings.judgement import Claimed, Comparison
from theory_checks.readings.statistics import Test

EFFECT, INITIAL, SPREAD = 0.01, 0.05, float(np.log10(1.25))
"""Smallest effects: differences of R², of initial R²; log10 of ratios of deviations."""
EXPLOITING = ("kr_ucb", "boke_plus")
ALL = ("kr_ucb", "gp_ucb", "random_search")
WORKLOAD = "2,000 rows, at most 50 trees, boxes of docs/constants.md"


def _r2(name: str, which: Score, test: Test) -> Measure:
    return Measure(name, partial(score, which=which), "difference", test, EFFECT, smaller_is_better=False)


AHEAD = (
    _r2("difference of mean R², over the run", "mean", "student"),
    _r2("paired differences of R², over the run", "mean", "wilcoxon"),
    _r2("difference of mean final R²", "final", "student"),
)
"""Measures of being ahead; "over the run" averages over the evaluations after the initial design."""


_forests = partial(
    Reading,
    paper="A",
    where="Figure 9 (A, B), section 5.3",
    needs=(STUDY, SWEEP),
    orders=orders(OURS, ALL, FORESTS),
    source=runs(FORESTS, (*OURS, *ALL)),
    questions={name: text for name, text in QUESTIONS.items() if name != "box"},
)
_boosted = partial(Reading, paper="A", where="Figure 9 (C, D), section 5.3")

_FASTER = _forests(
    id="boke.fig9_faster",
    title="BOKE and BOKE+ converge fastest on Figure 9",
    says="BOKE and BOKE+ outperform the other three algorithms, achieving faster convergence rates",
    means="On both forests each of the two has a higher best R² over the run than each of the other three.",
    deviations=("the other three: KR-UCB, GP-UCB and random search; the paper names only two", WORKLOAD),
    measures=AHEAD,
    looks=2,
)
fig9_faster = declare(_FASTER, __name__)

fig9_robust = declare(
    _forests(
        id="boke.fig9_robust",
        title="BOKE and BOKE+ are the most robust on Figure 9",
        says="BOKE and BOKE+ outperform the other three algorithms, achieving [...] more robust optimization outcomes",
        means="On both forests the final R² of each of the two varies less over seeds than that of each other.",
        deviations=("robust: a smaller mean absolute deviation from the median over seeds", WORKLOAD),
        measures=(
            Measure(
                "deviation of the final R²", partial(deviation, which="final"), "ratio of means", "student", SPREAD
            ),
            Measure("deviation over the run", partial(deviation, which="mean"), "ratio of means", "student", SPREAD),
        ),
        baseline="",
    ),
    __name__,
)

LESS = {
    "BOKE and GP-UCB": ("boke", "gp_ucb"),
    "BOKE alone": ("boke",),
}
"""The acquisition functions that favour exploitation less; the paper does not say whether GP-UCB is meant."""


def _exploitation(scale: str) -> Iterator[Setting]:
    """KR-UCB and BOKE+ before the methods that favour exploitation less, under each meaning of these."""
    for words, peers in LESS.items():
        meant = replace(
            _FASTER,
            orders=orders(EXPLOITING, peers, BOOSTED),
            source=runs(BOOSTED, tuple(dict.fromkeys((*EXPLOITING, *peers)))),
            baseline="",
        )
        for one in meant.tried(scale):
            yield replace(one, choices={**one.choices, "exploiting less": words})


fig9_exploitation = declare(
    _boosted(
        id="boke.fig9_exploitation",
        title="Exploiting acquisitions converge faster on XGB",
        says="acquisition functions that favor exploitation, such as KR-UCB and BOKE+, converge faster",
        means="On both data sets KR-UCB and BOKE+ have a higher best R² than those that favor exploitation less: in "
        f"the mean over the run, paired, and in the mean at the end; the smallest difference that matters is {EFFECT}.",
        deviations=(WORKLOAD,),
        needs=(STUDY, SWEEP, BOXES, MORE),
        settings=_exploitation,
        questions={**QUESTIONS, "exploiting less": " or ".join(LESS)},
        looks=2,
    ),
    __name__,
)


def _initial(scale: str) -> Iterator[Setting]:
    """XGBoost's initial designs against the forest's on the same data, in each box of XGBoost."""
    figure = stored(STUDY, scale, [(task, "boke") for task in (*BOOSTED, *FORESTS)])
    for box in (DEFAULT, *fig9_boxes.BOXES):
        found = in_box(scale, BOOSTED, ("boke",), box) if box != DEFAULT else figure
        if len(found) < len(BOOSTED):
            yield Setting({"box": box}, missing=f"python -m experiments run --only {BOXES} --scale {scale}")
            continue
        several = {}
        for task, forest in zip(BOOSTED, FORESTS, strict=True):
            one, other = found[task, "boke"], figure[forest, "boke"]
            gain = score(one, "design")[shared(one, other)] - score(other, "design")[shared(other, one)]
            several[task] = [Comparison(f"{task} above {forest}", {task: gain}, Claimed("better", INITIAL), "student")]
        yield Setting({"box": box}, several)


fig9_initial = declare(
    _boosted(
        id="boke.fig9_initial",
        title="Initial scores of XGB are already good",
        says="For the XGB problem in Figure 9 (C, D), the initial R² values are already quite good compared to those "
        "in (A, B)",
        means=f"On both data sets the best R² of XGBoost's initial design is above that of the forest's, in the mean "
        f"over seeds (Student's test); the smallest difference that matters is {INITIAL}.",
        deviations=("initial: best of the initial design, of 15 points (XGBoost) and 11 (forest)", WORKLOAD),
        needs=(STUDY, BOXES),
        settings=_initial,
        questions={"box": QUESTIONS["box"]},
    ),
    __name__,
)
