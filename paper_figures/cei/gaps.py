"""Figures 3 and 7: seven acquisitions under noise of 10 % and 15 % of the range; Figure 3 in two arms of the noise.

The paper's curves come first, then ratios to EI.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from experiments.engine.slim import incumbent_steps
from experiments.engine.statistics import bootstrap_interval
from paper_figures.cei import ratios
from paper_figures.cei.benchmarks import ARMS, DEVIATIONS, MEASURES, benchmark_panels, end_tables, log_gap
from paper_figures.comparisons import Pair, estimate_cells, paired_table
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.samples import by_method
from paper_figures.style import method_label, method_order, problem_label
from paper_figures.table import Table, percent

NEXT_TO = 0.01
"""The distance in the unit cube below which a proposal is next to the incumbent."""


def draw(data: StudyResults, arm: str) -> Figure:
    """log₁₀ of the distance to the optimum above, the distance to the optimiser below, as in the paper's panels."""
    figure = benchmark_panels(data, MEASURES, arm)
    level = float(data.select(arm=arm)[0].config["options"]["noise_fraction"])
    remark(figure, f"Noise {percent(level)} of the range, {ARMS[arm]}")
    return figure


def tables(data: StudyResults, arm: str) -> tuple[Table, ...]:
    """Corrected EI against every other method at the end of the runs, by both measures."""
    return end_tables(data, arm, {problem_label(problem): {"problem": problem} for problem in data.problems()})


def steps_from_incumbent(data: StudyResults, **match: object) -> np.ndarray:
    """The distance from each proposal to its incumbent, in the unit cube, (seeds, K)."""
    return data.made(incumbent_steps, **match)


def locality_table(data: StudyResults, arm: str) -> Table:
    """The distance from the incumbent at which every method proposes."""
    rows = []
    for problem in data.problems():
        steps = by_method(data, steps_from_incumbent, problem=problem, arm=arm)
        for method in method_order(steps):
            median = bootstrap_interval(np.median(steps[method], axis=1))
            near = f"{np.mean(steps[method] < NEXT_TO):.0%}"
            rows.append((problem_label(problem), method_label(method), *estimate_cells(median), near))
    return Table(
        f"How far from the incumbent the proposals lie, {ARMS[arm]}",
        ("Problem", "Method", "Median distance", "95 % CI", f"Closer than {NEXT_TO:g}"),
        tuple(rows),
        f"Distances are in the unit cube: the median over a run, averaged over seeds. {method_label('corrected_pi')} "
        "tends to more than 1/2 at x+ along the slope of the posterior mean: an accurate search may propose next to "
        "x+ again.",
    )


def leak_table(data: StudyResults) -> Table:
    """Every method that was run with the noise leaked, against the same method with the variance known."""
    pairs = []
    for problem in data.problems():
        known, leaked = (by_method(data, log_gap, problem=problem, arm=arm) for arm in ARMS)
        for method in method_order(set(known) & set(leaked)):
            labels = problem_label(problem), method_label(method)
            pairs.append(Pair(labels, leaked[method][:, -1], known[method][:, -1]))
    return paired_table(
        "What leaked noise is worth: log₁₀(f(x*) − f(x⁺)) at the end",
        ("Problem", "Method"),
        pairs,
        "Difference = leaked − known, paired by seed. A negative difference means that a model profits from being "
        "told the noise that occurred. Both arms have the same initial design and noise.",
        sides="leaked / known",
        outcomes="Leaked better–worse–equal",
    )


_RATIOS = (
    "Every acquisition against EI after the whole budget, paired by seed. The upper row has a panel for each "
    "problem: the ratio of the distance to the optimum to EI's, as a geometric mean over seeds. Its last panel shows "
    "the probability of improvement: the share of seeds on which the acquisition ends better than EI, with ties "
    "counted half, averaged over the problems. The lower row shows the same of the distance to the nearest "
    "optimiser. Every estimate has its 95 % bootstrap interval. The noise has a standard deviation of {level} of the "
    "range; {arm} The paper's curves are in {number}. " + DEVIATIONS
)
_CURVES = (
    "Means over seeds of log₁₀ of the distance to the optimum (a to d) and of the distance from x+ to the nearest "
    "optimiser (e to h), against the number of evaluations from the end of the initial design on. The means after "
    "the whole budget stand beside the curves with their 95 % intervals; these means judge the sentences. Corrected "
    "EI and EI have bands. The noise has a standard deviation of {level} of the range; {arm} " + DEVIATIONS
)
_ARMS = {
    "known": "the model knows its variance, as in B (2).",
    "leaked": "the model is told the square of the noise that occurred, as in the paper's public code. No "
    "experimenter has this advantage. Scale quick has EI and corrected EI alone.",
}


def _curves(
    name: str, study: str, number: str, arm: str, level: str, made: Callable[[StudyResults], tuple[Table, ...]]
) -> FigureSpec:
    return FigureSpec(
        id=f"cei.{name}",
        study=study,
        number=number,
        caption=_CURVES.format(level=level, arm=_ARMS[arm]),
        draw=partial(draw, arm=arm),
        tables=lambda data: (*tables(data, arm), *made(data)),
        shows={"arm": arm},
    )


def _ratios(name: str, study: str, number: str, level: str) -> FigureSpec:
    return FigureSpec(
        id=f"cei.{name}_ratios",
        study=study,
        number=f"{number} (ratios)",
        caption=_RATIOS.format(level=level, arm=_ARMS["known"], number=number),
        draw=partial(ratios.draw, arm="known"),
        tables=lambda data: (ratios.table(data, "known"),),
        shows={"arm": "known"},
    )


FIGURES = (
    _curves("fig3", "cei.fig3", "Figure 3", "known", "10 %", lambda data: (locality_table(data, "known"),)),
    _ratios("fig3", "cei.fig3", "Figure 3", "10 %"),
    _curves("fig3_leaked", "cei.fig3", "Figure 3 (noise leaked)", "leaked", "10 %", lambda data: (leak_table(data),)),
    _curves("fig7", "cei.fig7", "Figure 7", "known", "15 %", lambda data: ()),
    _ratios("fig7", "cei.fig7", "Figure 7", "15 %"),
)
