"""The common part of Figures 3, 4, 7 and 8: curves of corrected EI and its peers, and paired comparisons of their
ends."""

from collections.abc import Iterable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from paper_figures.comparisons import BY_SEED, Pair, favours, paired_table, pairs_with_peers
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.panels import final_intervals, method_curves
from paper_figures.samples import Measure, by_method, ends
from paper_figures.style import (
    LOWER,
    WIDTH,
    legend_height,
    method_label,
    method_legend,
    new_figure,
    panel_title,
    problem_label,
)
from paper_figures.table import Table

METHOD, PEER = "corrected_ei", "ei"
"""The two methods that the paper's sentences compare; these have bands."""
APART = 5
"""The evaluations between the points of a curve without a band: such curves are means of few runs and jump."""
GAP_FLOOR = 1e-9
"""The least distance to the optimum: smaller distances are raised to this value before their logarithm is averaged."""

CORRECTED_PI = "corrected_pi"

ARMS = {"known": "noise variance known", "leaked": "noise leaked: each squared error is told"}

DEVIATIONS = (
    "Noise has the same standard deviation at every point, relative to the exact range on the full box. x+ is the "
    "observed point of largest posterior mean. Intervals are 95 % bootstrap intervals over seeds."
)
"""The differences from the paper, as the caption of every such figure states them."""


def log_gap(data: StudyResults, **match: object) -> np.ndarray:
    """log₁₀(f(x*) − f(x⁺)), (seeds, K), with distances of at least `GAP_FLOOR`."""
    return np.log10(np.maximum(data.array("gap", **match), GAP_FLOOR))


def distance(data: StudyResults, **match: object) -> np.ndarray:
    """Distance from x⁺ to the nearest optimiser, (seeds, K), in natural units."""
    return data.array("distance", **match)


DISTANCE_LABEL = "$\\|x^+ - x^*\\|_2$\n(lower is better)"

MEASURES: Mapping[str, tuple[str, Measure]] = {
    "log₁₀ of the distance to the optimum, f(x*) − f(x⁺)": (
        "$\\log_{10}(f(x^*) - f(x^+))$\n(lower is better)",
        log_gap,
    ),
    "Distance from x⁺ to the nearest optimiser, natural units": (DISTANCE_LABEL, distance),
}
"""The measures, by their names in words: the label of the axis, and the function."""


def linear_curves(axes: Axes, horizontal: np.ndarray, samples: Mapping[str, np.ndarray]) -> None:
    """The mean over seeds of every method, corrected EI on top. The means at the end stand beside the curves with
    intervals.

    Corrected EI and EI have bands. The other curves, of fewer runs, are drawn at every `APART`-th evaluation.
    """
    apart = np.unique([*range(0, len(horizontal), APART), len(horizontal) - 1])
    shown = {name: slice(None) if name in (METHOD, PEER) else apart for name in samples}
    method_curves(
        axes,
        {name: horizontal[places] for name, places in shown.items()},
        {name: samples[name][:, places] for name, places in shown.items()},
        markers=4,
        first=(METHOD,),
        banded=(METHOD, PEER),
    )
    figure = axes.get_figure(root=True)
    if figure is not None and set(samples) - {METHOD, PEER}:
        remark(figure, f"Curves without bands are drawn at every {APART}th evaluation")
    final_intervals(axes, horizontal, ends(dict(samples)))


def benchmark_panels(data: StudyResults, measures: Mapping[str, tuple[str, Measure]], arm: str) -> Figure:
    """A column a problem and a row a measure, with the paper's letters; rows beyond the paper's have further
    letters."""
    problems = [problem for problem in data.problems() if data.select(problem=problem, arm=arm)]
    methods = list(dict.fromkeys(str(result.config["policy"]) for result in data.select(arm=arm)))
    rows, count = len(measures), len(problems)
    wide = count > 2
    legend = legend_height(len(methods), 4) if wide else 0.8
    figure, grid = new_figure(
        rows, count, height=0.3 + 1.7 * rows + legend, width=WIDTH if wide else 3.6 * count, legend=legend,
        sharex="col",
    )  # fmt: skip
    for column, problem in enumerate(problems):
        times = data.common("t", problem=problem, arm=arm)
        for row, (label, measure) in enumerate(measures.values()):
            axes = grid[row][column]
            linear_curves(axes, times, by_method(data, measure, problem=problem, arm=arm))
            panel_title(axes, LOWER[row * max(count, 4) + column], problem_label(problem))
            if column == 0:
                axes.set_ylabel(label)
        grid[-1][column].set_xlabel("Evaluations $t$")
    if CORRECTED_PI in methods and ARMS.get(arm):
        remark(figure, f"{method_label(CORRECTED_PI)} exceeds 1/2 beside x+ and goes on proposing there")
    method_legend(figure, methods, columns=4 if wide else 2)
    return figure


def end_table(words: str, group: str, rows: Iterable[Pair], paired: str = BY_SEED) -> Table:
    """`METHOD` against each peer after the whole budget (less is better); `group` heads the first column."""
    name = method_label(METHOD)
    return paired_table(
        f"{name} against its peers at the end{words}", (group, "Peer"), rows, f"{paired} {favours(name)}"
    )


def end_tables(data: StudyResults, arm: str, settings: Mapping[str, Mapping[str, object]]) -> tuple[Table, ...]:
    """One table a measure; `settings` maps the name of a block of rows to the options that its results match."""
    found = []
    for words, (_, measure) in MEASURES.items():
        rows: list[Pair] = []
        for label, match in settings.items():
            rows += pairs_with_peers(label, ends(by_method(data, measure, arm=arm, **match)), METHOD)
        found.append(end_table(f", {ARMS[arm]}: {words}", "Setting", rows))
    return tuple(found)
