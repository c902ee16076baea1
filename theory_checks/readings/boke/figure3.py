"""The readings of Figure 3: stored fill distances of density-based exploration.

With Scott's rule the fill distance does not decay like t^(-1/d). The Gaussian kernel is analytic, so that for a fixed h
the distribution on the cube that minimises its own smoothed density has finitely many atoms, about h apart (a density
constant on an infinite set would be constant on the whole space). Points gather at the atoms, and gaps as wide as h
stay.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from experiments.measures.fill import fill_slope, jackknifed_slopes, late, mean_fill
from theory_checks.ledger import Origin
from theory_checks.paired_seeds import stored
from theory_checks.readings.curve import Setting
from theory_checks.readings.declaration import Circumstance, Measure, Order, Reading, declare, orders
from theory_checks.readings.judgement import Claimed, Comparison

STUDY, PEER, KDE = "boke.fig3", "gp_exploration", "density_exploration"
BANDWIDTHS = {
    "Scott's rule, our constant": KDE,
    "Scott's rule, a tenth of it": f"{KDE}_small",
    "half the spacing, t^(-1/d) / 2": f"{KDE}_spacing",
}
DIMENSIONS = ("d1", "d2", "d3", "d4")
OVERLAP = 1.1
"""Fill distances within this factor of each other overlap."""
SAME_RATE = 0.2
"""Two slopes that differ by at most this, in units of 1/d, are the same rate."""
QUESTIONS = {"bandwidth of exploration": "; ".join(BANDWIDTHS)}
CUBE = "unit cube, d = 1, ..., 4; Gaussian kernel for KDE, Matérn-5/2 for GP; from ten points on"
MEASURES = (
    Measure("ratio of means, fill distance", mean_fill, "ratio of means", "student", float(np.log10(OVERLAP))),
    Measure("paired ratios, fill distance", mean_fill, "ratio", "student", float(np.log10(OVERLAP))),
)


def _explored(scale: str) -> Iterator[Circumstance]:
    """Density exploration with each bandwidth, under one name, and the other designs."""
    peers = (PEER, "uniform", "lhs")
    found = stored(STUDY, scale, [(dim, name) for dim in DIMENSIONS for name in (*BANDWIDTHS.values(), *peers)])
    for words, name in BANDWIDTHS.items():
        ours = {(dim, KDE): found[dim, name] for dim in DIMENSIONS}
        rest = {(dim, peer): found[dim, peer] for dim in DIMENSIONS for peer in peers}
        yield Circumstance({"bandwidth of exploration": words}, {**ours, **rest})


_of = partial(Reading, paper="A", where="Figure 3, section 3.2", needs=(STUDY,))
_compared = partial(_of, measures=MEASURES, source=_explored, baseline="", questions=QUESTIONS)

fig3_overlap = declare(
    _compared(
        id="boke.fig3_overlap",
        title="Fill distances of KDE and GP overlap",
        says="the fill-distances of KDE and GP closely overlap",
        means="In every dimension the fill distances of density exploration and of GP-variance exploration are within "
        f"a factor of {OVERLAP} of each other, in the geometric mean over t.",
        deviations=(CUBE, f"closely: within a factor of {OVERLAP}"),
        orders=(Order(KDE, PEER, DIMENSIONS, "similar"),),
    ),
    __name__,
)

fig3_effective = declare(
    _compared(
        id="boke.fig3_effective",
        title="KDE fills the space uniformly",
        says="This demonstrates that KDE is an effective exploration method for uniformly filling the space",
        means="In every dimension density exploration fills no worse than uniform sampling and Latin hypercubes.",
        deviations=(CUBE, f"no worse: within a factor of {OVERLAP} of the fill distance"),
        orders=orders((KDE,), ("uniform", "lhs"), DIMENSIONS, "not worse"),
    ),
    __name__,
)


def _gaps(scale: str) -> Iterator[Setting]:
    """The distance of the two curves in one dimension minus their distance in four, by seed."""
    for one in _explored(scale):
        for measure in MEASURES:
            gaps = {}
            for dim in (DIMENSIONS[0], DIMENSIONS[-1]):
                logs = measure.samples(one.results[dim, KDE], one.results[dim, PEER])
                gaps[dim] = logs * np.sign(logs.mean())
            less = {"d1 to d4": gaps[DIMENSIONS[0]] - gaps[DIMENSIONS[-1]]}
            claimed = Claimed("better", measure.effect)
            pair = Comparison("gap in d = 1 wider than in d = 4", less, claimed, "student")
            yield Setting({**one.choices, "measure": measure.name}, {"gap": [pair]})


fig3_overlap_dimension = declare(
    _of(
        id="boke.fig3_overlap_dimension",
        title="Fill distances overlap more in higher dimensions",
        says="the fill-distances of KDE and GP [...] overlap, especially as the dimensionality increases",
        means="The factor between the two fill distances is smaller in d = 4 than in d = 1, by a factor of "
        f"{OVERLAP} at least (of mean fill distances, and of paired ones; Student's test).",
        deviations=(
            CUBE,
            "as the dimensionality increases: the two ends",
            "this half is judged by itself: with half the spacing the curves overlap closely in every dimension "
            "(`boke.fig3_overlap`), and then no more so in d = 4; with the two other bandwidths the reverse",
        ),
        settings=_gaps,
        questions=QUESTIONS,
    ),
    __name__,
)


def _rates(scale: str, designs: Sequence[str]) -> Iterator[Setting]:
    """Slopes of log fill distance in log t minus those of GP exploration, in units of 1/d."""
    found = stored(STUDY, scale, [(dim, name) for dim in DIMENSIONS for name in (*designs, PEER)])
    slopes = {"slope of the mean fill distance": jackknifed_slopes, "mean of the slopes by run": fill_slope}
    for name in designs:
        for words, slope in slopes.items():
            pairs = {}
            for dim in DIMENSIONS:
                ours, theirs = (slope(late(found[dim, each])) for each in (name, PEER))
                samples = {dim: int(dim[1:]) * (theirs - ours)}
                pairs[dim] = [Comparison(f"{name}, {dim}", samples, Claimed("similar", SAME_RATE), "student")]
            yield Setting({"measure": words}, pairs)


_SLOPES = (
    "In every dimension the slope of log fill distance in log t is within "
    f"{SAME_RATE} / d of that of GP-variance exploration from the same seed, whose rate is proved to be t^(-1/d): few "
    "points in many dimensions show another slope, for both (slope of the mean, then mean of slopes; Student's test)."
)

de_rate_here = declare(
    _of(
        id="boke.de_rate_here",
        title="DE's fill distance decays as t^(-1/d) under Scott's rule",
        where="Figure 3, section 3.2, as run here",
        says="With our constant in Scott's rule the fill distance of density-based exploration decays like t^(-1/d), "
        "as that of GP exploration does",
        means=_SLOPES,
        deviations=(CUBE,),
        settings=partial(_rates, designs=(KDE,)),
        variant_of="boke.de_rate",
        origin=Origin.HERE,
    ),
    __name__,
)

de_rate_repaired = declare(
    _of(
        id="boke.de_rate_repaired",
        title="DE's fill distance decays as t^(-1/d) under a spacing rule",
        where="Figure 3, section 3.2, repaired",
        says="With a bandwidth that shrinks as the spacing of the points does, h_t = t^(-1/d) / 2, the fill distance "
        "of density-based exploration decays like t^(-1/d)",
        means=_SLOPES,
        deviations=(CUBE,),
        settings=partial(_rates, designs=(f"{KDE}_spacing",)),
        variant_of="boke.de_rate",
        origin=Origin.REPAIR,
    ),
    __name__,
)
