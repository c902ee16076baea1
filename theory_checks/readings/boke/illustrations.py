"""The readings of Figures 1, 2 and 5: pictures of one draw; thirty draws are stored (ten at scale quick).

The readings judge a sentence in the mean over draws, which asks more than that one such draw exists.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from experiments.engine.result_file import Result
from experiments.measures.pictures import CHOSEN, SMALL, correlation, explained, from_nearest, objective, peaks, spread
from theory_checks.ledger import Claim
from theory_checks.paired_seeds import stored
from theory_checks.readings.curve import Setting
from theory_checks.readings.declaration import Circumstance, Measure, Order, Reading, declare
from theory_checks.readings.judgement import Claimed, Comparison

DRAWS = "one draw is printed; judged is the mean over draws, whose designs and bandwidths are ours"
EFFECT = 0.05
"""The smallest effect, as a share of the range of f or of the unit interval."""


Values = Mapping[str, Callable[[Result], np.ndarray]]
"""Part of a picture -> value by draw."""


def _drawn(
    id: str,
    title: str,
    says: str,
    means: str,
    drawn: tuple[str, str],
    measures: Mapping[str, Values],
    claimed: Claimed,
    deviations: tuple[str, ...] = (),
) -> Claim:
    """A sentence on Figure 1 or 2: in the mean over draws (Student's test) every part is as claimed, by each measure;
    `drawn` is (problem, policy) of the study."""
    figure = id.removeprefix("boke.").partition("_")[0]

    def settings(scale: str) -> Iterator[Setting]:
        found = stored(f"boke.{figure}", scale, [drawn])[drawn]
        for words, parts in measures.items():
            samples = {part: {drawn[0]: value(found)} for part, value in parts.items()}
            groups = {part: [Comparison(part, one, claimed, "student")] for part, one in samples.items()}
            yield Setting({"measure": words}, groups)

    reading = Reading(
        id=id,
        title=title,
        paper="A",
        where=f"Figure {figure[3:]}, section 3",
        says=says,
        means=means,
        deviations=(DRAWS, *deviations),
        needs=(f"boke.{figure}",),
        settings=settings,
    )
    return declare(reading, __name__)


fig1_shape = _drawn(
    "boke.fig1_shape",
    "KR approximates the function's shape",
    "the KR effectively approximates the shape of the test function as long as the bandwidth is not excessively large",
    "At the small bandwidth and at the one that cross-validation chooses, KR explains more than half of the variance "
    "of the function; then, its squared correlation with it is above a half.",
    ("eq9", "kernel_regression"),
    {
        words: {name: partial(value, bandwidth=one) for name, one in {"small": SMALL, "chosen": CHOSEN}.items()}
        for words, value in {"explained variance": explained, "squared correlation": correlation}.items()
    },
    Claimed("better by", 0.5),
    ("effectively: half of the variance",),
)

fig1_nearest = _drawn(
    "boke.fig1_nearest",
    "Small bandwidths give a nearest-neighbour estimate",
    "when the bandwidth is extremely small, the KR estimation approximates a step-function interpolation, converging "
    "to a nearest-neighbor estimator",
    "At the small bandwidth KR differs from the nearest neighbour's value by less than a tenth of the function's "
    "deviation, in the root mean square.",
    ("eq9", "kernel_regression"),
    {"distance": {"small": lambda result: -from_nearest(result)}},
    Claimed("not worse", 0.1),
    ("extremely small: 0.01, ours",),
)

fig2_two_peaks = _drawn(
    "boke.fig2_two_peaks",
    "Cross-validated bandwidth captures both peaks",
    "The bandwidth of the middle panel is selected by the maximum likelihood cross-validation method and it captures "
    "the two peaks of the analytical model",
    "In more than half of the draws, by a tenth, the density at that bandwidth has a peak on either side of the middle "
    "between the two peaks of the model.",
    ("beta_mixture", "kernel_density"),
    {"share less a half": {"chosen": lambda result: peaks(result) - 0.5}},
    Claimed("better", 0.1),
)


def _both(scale: str) -> Iterator[Circumstance]:
    names = ("boke", "boke_plus")
    yield Circumstance({}, dict(stored("boke.fig5", scale, [("eq9", name) for name in names])))


def _measures(name: str, value: Callable[[Result], np.ndarray]) -> tuple[Measure, ...]:
    kind = partial(Measure, value=value, compare="difference", effect=EFFECT, smaller_is_better=False)
    return kind(f"difference of mean {name}", test="student"), kind(f"paired differences of {name}", test="wilcoxon")


def _compared(
    id: str, title: str, says: str, means: str, first: str, second: str, measured: tuple[Measure, ...], told: str
) -> Claim:
    """A sentence on Figure 5: the eight points of one method are ahead of those of the other."""
    reading = Reading(
        id=id,
        title=title,
        paper="A",
        where="Figure 5, section 3.3",
        says=says,
        means=means,
        deviations=(DRAWS, told, "BOKE+ explores with probability 1/2"),
        needs=("boke.fig5",),
        orders=(Order(first, second, ("eq9",)),),
        measures=measured,
        source=_both,
        baseline="",
    )
    return declare(reading, __name__)


fig5_focus = _compared(
    "boke.fig5_focus",
    "BOKE+ samples regions of high values",
    "BOKE+ focuses sampling on regions with high objective values",
    "The eight points that BOKE+ chooses have a higher mean objective value than those of BOKE.",
    "boke_plus",
    "boke",
    _measures("objective value", objective),
    "the value is over the range of the function",
)

fig5_balanced = _compared(
    "boke.fig5_balanced",
    "BOKE balances exploration and exploitation",
    "BOKE maintains a more balanced trade-off between exploration and exploitation",
    "The eight points that BOKE chooses are spread more widely than those of BOKE+.",
    "boke",
    "boke_plus",
    _measures("spread", spread),
    "more balanced: a larger standard deviation of the points, in the unit interval",
)
