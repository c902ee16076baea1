"""Figure 3 by the protocol of the public code: two methods, two metrics."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from experiments.engine.slim import best_value
from paper_figures.cei.benchmarks import GAP_FLOOR, METHOD, end_table, linear_curves, log_gap
from paper_figures.comparisons import Pair, pairs_with_peers
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.samples import Measure, by_method, ends
from paper_figures.style import (
    LETTERS,
    WIDTH,
    legend_height,
    method_legend,
    new_figure,
    panel_title,
    problem_label,
)
from paper_figures.table import Table

ARM = "public"


def log_best_query(data: StudyResults, **match: object) -> np.ndarray:
    """log₁₀ of f(x*) less the largest noise-free value among the queries so far, (seeds, K)."""
    first, count = int(data.common("initial_size", **match)) - 1, len(data.common("t", **match))
    best = data.made(best_value, **match)[:, first : first + count]
    return np.log10(np.maximum(float(data.common("optimum", **match)) - best, GAP_FLOOR))


MEASURES: Mapping[str, tuple[str, Measure]] = {
    "log₁₀ of the distance to the optimum, f(x*) − f(x⁺)": (r"$\log_{10}(f(x^*) - f(x^+))$", log_gap),
    "log₁₀ of the distance of the best query": (r"$\log_{10}(f(x^*) - \max_i f(x_i))$", log_best_query),
}
"""What is measured, in words → the label of its axis, and the measure."""


def draw(data: StudyResults) -> Figure:
    """One column a problem: above x⁺, which the paper names, below the best query, which its code stores."""
    problems, methods = data.problems(), data.policies()
    wide = len(problems) > 2
    legend = legend_height(len(methods), 4)
    figure, grid = new_figure(
        2, len(problems), height=3.7 + legend, width=WIDTH if wide else 3.6 * len(problems),
        legend=legend if wide else 0.8, sharex="col",
    )  # fmt: skip
    for column, problem in enumerate(problems):
        times = data.common("t", problem=problem, arm=ARM)
        for row, (label, measure) in enumerate(MEASURES.values()):
            axes = grid[row][column]
            linear_curves(axes, times, by_method(data, measure, problem=problem, arm=ARM))
            panel_title(axes, LETTERS[row * max(len(problems), 4) + column], problem_label(problem))
            if column == 0:
                axes.set_ylabel(label)
        grid[1][column].set_xlabel("Evaluations $t$")
    method_legend(figure, methods, columns=4 if wide else 2)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Corrected EI against EI, and on Hartmann3 against corrected PI, by both metrics."""
    found = []
    for words, (_, measure) in MEASURES.items():
        rows: list[Pair] = []
        for problem in data.problems():
            last = ends(by_method(data, measure, problem=problem, arm=ARM))
            rows += pairs_with_peers(problem_label(problem), last, METHOD)
        found.append(end_table(f", protocol of the public code: {words}", "Setting", rows))
    return tuple(found)


FIGURES = (
    FigureSpec(
        id="cei.fig3_public",
        study="cei.fig3_public",
        number="Figure 3 (public code)",
        caption=(
            "Figure 3 by the protocol of the authors' public code: maximum a posteriori with its priors and a constant "
            "mean, inputs in units of the coordinates seen, the acquisition itself maximised by five iterations from "
            "four of 256 points, noise of 10 % of the range on the box's diagonal, the noise that occurred told to the "
            "model. Mean over seeds of log₁₀ of the distance to the optimum: of x+ (top), of the best query (bottom), "
            "which the code stores and nobody knows, against the number of evaluations."
        ),
        draw=draw,
        tables=tables,
        shows={"arm": ARM},
    ),
)
