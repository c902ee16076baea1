"""Figure 4: compression of networks, error rate plus relative size against evaluations."""

from functools import partial

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.slim import best_observed
from paper_figures.cei.benchmarks import METHOD, end_table, linear_curves
from paper_figures.comparisons import Pair, pairs_with_peers
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import GUIDE
from paper_figures.samples import by_method, ends
from paper_figures.style import LETTERS, legend_height, method_legend, new_figure, panel_title, problem_label
from paper_figures.table import Table

COLUMNS = 4

MEASURES = {
    "incumbent": "Error + size at $x^+$",
    "observed": "Smallest observed",
}
"""The two rows of panels, and their vertical axes."""
OBSERVED = "observed"
LUCK = "noise: the least of many noisy sums\nmay lie below the best possible"
"""Why curves of the lower row may pass below the line."""


def sums(data: StudyResults, *, measure: str, **match: object) -> np.ndarray:
    """Error rate plus relative size, (seeds, K), noise-free at x+ before each proposal, or the smallest observed."""
    if measure == "incumbent":
        return -data.array("incumbent_value", **match)
    first = int(data.common("initial_size", **match))
    return -data.made(best_observed, **match)[:, first - 1 : -1]


def draw(data: StudyResults) -> Figure:
    """One column a network: above the sum at x+, noise-free; below the smallest sum observed, which the paper plots."""
    networks, methods = data.problems(), data.policies()
    legend = legend_height(len(methods) + 1, COLUMNS)
    figure, grid = new_figure(2, len(networks), height=4.2 + legend, legend=legend, sharex="col", sharey="col")
    for column, network in enumerate(networks):
        times = data.common("t", problem=network)
        optimum = float(data.common("optimum", problem=network))
        for row, (measure, label) in enumerate(MEASURES.items()):
            axes = grid[row][column]
            linear_curves(axes, times, by_method(data, partial(sums, measure=measure), problem=network))
            if np.isfinite(optimum):
                axes.axhline(-optimum, zorder=1, **GUIDE)
                if measure == OBSERVED:
                    axes.text(0.98, 0.97, LUCK, transform=axes.transAxes, ha="right", va="top", fontsize=6.5)
            if column == 0:
                axes.set_ylabel(label)
            panel_title(axes, LETTERS[row * len(networks) + column], problem_label(network))
        grid[1][column].set_xlabel("Evaluations $t$")
    method_legend(figure, methods, extra=[Line2D([], [], label="Best possible, noise-free", **GUIDE)], columns=COLUMNS)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Corrected EI against every other method at the end of the runs, by both measures."""
    found = []
    for measure, words in (("incumbent", "noise-free at x⁺"), ("observed", "the smallest observed")):
        rows: list[Pair] = []
        for network in data.problems():
            values = ends(by_method(data, partial(sums, measure=measure), problem=network))
            rows += pairs_with_peers(problem_label(network), values, METHOD)
        title = f": error rate plus relative size, {words}"
        found.append(end_table(title, "Network", rows, "Paired by seed (same random start)."))
    return tuple(found)


_CAPTION = (
    "Compression of {network} by low-rank factors: error rate plus relative size (γ = 1) against the number of "
    "evaluations, from the end of the random start on. Each evaluation sees 20 to 50 random held-out images, and the "
    "model is told the variance. Top: noise-free, at the point x+ of largest posterior mean. Bottom: the smallest sum "
    "observed, as the paper plots it, which luck may carry below the best possible. Mean over seeds with its 95 % "
    "bootstrap band. {trained}"
)

FIGURES = (
    FigureSpec(
        id="cei.fig4",
        study="cei.fig4",
        number="Figure 4 (stand-ins)",
        caption=_CAPTION.format(
            network="small stand-ins for the fully connected network FC3",
            trained="Trained here on scikit-learn's digits and, where the panel is there, on 8,000 of MNIST's test "
            "images.",
        ),
        draw=draw,
        tables=tables,
    ),
    FigureSpec(
        id="cei.fig4_public",
        study="cei.fig4_public",
        number="Figure 4",
        caption=_CAPTION.format(
            network="the fully connected network of the public code, 784-1000-1000-10,",
            trained="Trained here on 8,000 of MNIST's test images (a stand-in on digits at scale smoke).",
        ),
        draw=draw,
        tables=tables,
    ),
)
