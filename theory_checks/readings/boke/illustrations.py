"""The readings of Figures 1, 2 and 5: pictures on one draw, of which thirty are stored here (ten at scale quick).

A picture shows one draw. What is said of it is judged in the mean over draws, which is more than the existence of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from jaxtyping import Float

from experiments.engine.result_file import Result
from theory_checks.pairs import stored
from theory_checks.readings.curve import Setting
from theory_checks.readings.declaration import Circumstance, Measure, Order, Reading, declare
from theory_checks.readings.judgement import Claimed, Comparison

DRAWS = "one draw is printed; judged is the mean over draws of function (9), whose design and bandwidths are ours"
SMALL, CHOSEN = 0, 1
"""Of the three bandwidths of Figures 1 and 2: the small one, and the one that cross-validation chooses."""
EXPLAINED, NEAR, EFFECT = 0.5, 0.1, 0.05
"""Share of the variance of f; of the deviation of f; of the range of f, or of the unit interval."""


def _stored(scale: str, study: str, policy: str, problem: str = "eq9") -> Result:
    return stored(study, scale, [(problem, policy)])[problem, policy]


def explained(result: Result, bandwidth: int) -> Float[np.ndarray, " s"]:
    """1 - mean (m - f)^2 / Var f over the grid: 1 where m is f, 0 where it is as good as the mean of f."""
    truth = result.arrays["truth"]
    return np.asarray(1.0 - ((result.arrays["mean"][:, bandwidth] - truth) ** 2).mean(axis=1) / truth.var())


def correlation(result: Result, bandwidth: int) -> Float[np.ndarray, " s"]:
    """Squared correlation of m and f over the grid: whether m has the shape of f, up to shift and scale."""
    truth = result.arrays["truth"]
    return np.array([np.corrcoef(mean, truth)[0, 1] ** 2 for mean in result.arrays["mean"][:, bandwidth]])


def _shape(scale: str) -> Iterator[Setting]:
    found = _stored(scale, "boke.fig1", "kernel_regression")
    for words, measure in {"explained variance": explained, "squared correlation": correlation}.items():
        groups = {}
        for name, bandwidth in {"small bandwidth": SMALL, "chosen bandwidth": CHOSEN}.items():
            claimed = Claimed("better by", EXPLAINED)
            groups[name] = [Comparison(name, {"eq9": measure(found, bandwidth)}, claimed, "student")]
        yield Setting({"measure": words}, groups)


fig1_shape = declare(
    Reading(
        id="boke.fig1_shape",
        paper="A",
        where="Figure 1, section 3.1",
        says="the KR effectively approximates the shape of the test function as long as the bandwidth is not "
        "excessively large",
        means="At the small bandwidth and at the one that cross-validation chooses, KR explains more than half of the "
        "variance of the function; then, its squared correlation with it is above a half (Student's test).",
        deviations=(DRAWS, "effectively: half of the variance"),
        needs=("boke.fig1",),
        settings=_shape,
    ),
    __name__,
)


def from_nearest(result: Result) -> Float[np.ndarray, " s"]:
    """Root mean square of m at the small bandwidth less the nearest observation, over the deviation of f."""
    x, y, grid = (result.arrays[name] for name in ("x", "y", "grid"))
    nearest = np.abs(grid[None, :, None] - x[:, None, :]).argmin(axis=2)
    apart = result.arrays["mean"][:, SMALL] - np.take_along_axis(y, nearest, axis=1)
    return np.asarray(np.sqrt((apart**2).mean(axis=1)) / result.arrays["truth"].std())


def _nearest(scale: str) -> Iterator[Setting]:
    apart = {"eq9": -from_nearest(_stored(scale, "boke.fig1", "kernel_regression"))}
    yield Setting({}, {"nearest": [Comparison("distance", apart, Claimed("not worse", NEAR), "student")]})


fig1_nearest = declare(
    Reading(
        id="boke.fig1_nearest",
        paper="A",
        where="Figure 1, section 3.1",
        says="when the bandwidth is extremely small, the KR estimation approximates a step-function interpolation, "
        "converging to a nearest-neighbor estimator",
        means=f"At the small bandwidth KR differs from the nearest neighbour's value by less than {NEAR} deviations of "
        "the function, in the root mean square (Student's test).",
        deviations=(DRAWS, "extremely small: 0.01, ours"),
        needs=("boke.fig1",),
        settings=_nearest,
    ),
    __name__,
)


def peaks(result: Result) -> Float[np.ndarray, " s"]:
    """1 where the density at the chosen bandwidth has a peak on either side of the middle between the two peaks of the
    model, else 0."""
    grid, truth = result.arrays["grid"], result.arrays["truth"]
    modes = grid[_maxima(truth)]
    middle = float(modes.mean())
    found = []
    for density in result.arrays["density"][:, CHOSEN]:
        places = grid[_maxima(density)]
        found.append(float(any(places < middle) and any(places > middle)))
    return np.array(found)


def _maxima(values: np.ndarray) -> np.ndarray:
    return np.flatnonzero((values[1:-1] > values[:-2]) & (values[1:-1] >= values[2:])) + 1


def _two_peaks(scale: str) -> Iterator[Setting]:
    both = peaks(_stored(scale, "boke.fig2", "kernel_density", "beta_mixture")) - 0.5
    yield Setting(
        {}, {"peaks": [Comparison("share less a half", {"mixture": both}, Claimed("better", 0.1), "student")]}
    )


fig2_two_peaks = declare(
    Reading(
        id="boke.fig2_two_peaks",
        paper="A",
        where="Figure 2, section 3.2",
        says="The bandwidth of the middle panel is selected by the maximum likelihood cross-validation method and it "
        "captures the two peaks of the analytical model",
        means="In more than half of the draws, by a tenth, the density at that bandwidth has a peak on either side of "
        "the middle between the two peaks of the model (Student's test).",
        deviations=("one draw is printed; judged are draws like it",),
        needs=("boke.fig2",),
        settings=_two_peaks,
    ),
    __name__,
)


def objective(result: Result) -> Float[np.ndarray, " s"]:
    """Mean noise-free value of the points chosen after the initial design, over the range of the function."""
    arrays = result.arrays
    chosen = arrays["value"][:, int(arrays["initial_size"]) :].mean(axis=1)
    return np.asarray((chosen - arrays["truth"].min()) / np.ptp(arrays["truth"]))


def spread(result: Result) -> Float[np.ndarray, " s"]:
    """Standard deviation of the points chosen after the initial design, in the unit interval."""
    return np.asarray(result.arrays["x"][:, int(result.arrays["initial_size"]) :].std(axis=1))


def _both(scale: str) -> Iterator[Circumstance]:
    names = ("boke", "boke_plus")
    yield Circumstance({}, dict(stored("boke.fig5", scale, [("eq9", name) for name in names])))


def _measures(name: str, value: Callable[[Result], np.ndarray]) -> tuple[Measure, ...]:
    kind = partial(Measure, value=value, compare="difference", effect=EFFECT, smaller_is_better=False)
    return kind(f"difference of mean {name}", test="student"), kind(f"paired differences of {name}", test="wilcoxon")


fig5_focus = declare(
    Reading(
        id="boke.fig5_focus",
        paper="A",
        where="Figure 5, section 3.3",
        says="BOKE+ focuses sampling on regions with high objective values",
        means="The eight points that BOKE+ chooses have a higher mean objective value than those of BOKE.",
        deviations=(DRAWS, "the value is over the range of the function; BOKE+ explores with probability 1/2"),
        needs=("boke.fig5",),
        orders=(Order("boke_plus", "boke", ("eq9",)),),
        measures=_measures("objective value", objective),
        source=_both,
        baseline="",
    ),
    __name__,
)

fig5_balanced = declare(
    Reading(
        id="boke.fig5_balanced",
        paper="A",
        where="Figure 5, section 3.3",
        says="BOKE maintains a more balanced trade-off between exploration and exploitation",
        means="The eight points that BOKE chooses are spread more widely than those of BOKE+.",
        deviations=(DRAWS, "more balanced: a larger standard deviation of the points; BOKE+ explores half of the time"),
        needs=("boke.fig5",),
        orders=(Order("boke", "boke_plus", ("eq9",)),),
        measures=_measures("spread", spread),
        source=_both,
        baseline="",
    ),
    __name__,
)
