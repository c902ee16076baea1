"""The cost comparison of section 5.1, which the paper makes in words."""

import numpy as np
from matplotlib.figure import Figure

from experiments.cei.benchmarks import METHODS
from experiments.cei.cost import FIT, SEPARATE
from experiments.engine.statistics import bootstrap_interval
from paper_figures.comparisons import ratio_cells
from paper_figures.figure import FigureSpec
from paper_figures.footer import name_bars
from paper_figures.load import StudyResults
from paper_figures.panels import plain_log_ticks
from paper_figures.style import (
    LETTERS,
    WIDTH,
    legend_height,
    method_label,
    method_legend,
    method_order,
    method_style,
    new_figure,
    panel_title,
)
from paper_figures.table import Table, number

REFERENCE = "corrected_ei"
NAMES = (*METHODS, *SEPARATE, FIT)
APART = 0.09
"""The share of the distance between two numbers of observations that separates neighbouring methods."""


def draw(data: StudyResults) -> Figure:
    """One panel a dimension and one group of methods a number of observations: median seconds with intervals."""
    problems, names = data.problems(), method_order(NAMES)
    legend = legend_height(len(names), 4)
    numbers = [data.common("t", problem=problem) for problem in problems]
    figure, grid = new_figure(
        1, len(problems), height=2.5 + legend, width=max(4.5, min(WIDTH, 1.0 + 1.5 * sum(map(len, numbers)))),
        legend=legend, sharey=True, gridspec_kw={"width_ratios": [len(counts) for counts in numbers]},
    )  # fmt: skip
    for index, (axes, problem, counts) in enumerate(zip(grid[0], problems, numbers, strict=True)):
        for order, name in enumerate(names):
            style = method_style(name)
            estimate, low, high = bootstrap_interval(1e3 * data.array(f"seconds_{name}", problem=problem), "median")
            axes.errorbar(
                np.arange(len(counts)) + APART * (order - (len(names) - 1) / 2), estimate,
                np.stack([estimate - low, high - estimate]), color=style.colour, marker=style.marker, linestyle="",
                elinewidth=1.2, markersize=4.5,
            )  # fmt: skip
        axes.set_yscale("log")
        axes.set_xlim(-0.5, len(counts) - 0.5)
        axes.set_xticks(range(len(counts)), [f"$t = {count:g}$" for count in counts])
        axes.tick_params(axis="x", length=0)
        for edge in range(1, len(counts)):
            axes.axvline(edge - 0.5, color="#d0d0d0", linewidth=0.6)
        axes.grid(False, axis="x")
        plain_log_ticks(axes.yaxis)
        axes.set_xlabel("Observations")
        panel_title(axes, LETTERS[index], f"$d = {problem.removeprefix('d')}$")
    name_bars(grid[0][0], "95 % bootstrap interval of the median")
    grid[0][0].set_ylabel("CPU milliseconds a proposal\n(lower is better)")
    method_legend(figure, names, columns=4 if figure.get_figwidth() > 5 else 3, lines=False)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Median milliseconds at every t, and the ratio to corrected EI at the largest t."""
    rows, reference = [], method_label(REFERENCE)
    for problem in data.problems():
        counts = data.common("t", problem=problem)
        ours = data.array(f"seconds_{REFERENCE}", problem=problem)
        for name in method_order(NAMES):
            theirs = data.array(f"seconds_{name}", problem=problem)
            medians = bootstrap_interval(1e3 * theirs, "median").estimate
            rows.append((
                problem.removeprefix("d"), method_label(name),
                ", ".join(f"{number(value)} (t = {count:g})" for value, count in zip(medians, counts, strict=True)),
                *ratio_cells(theirs[:, -1], ours[:, -1]),
            ))  # fmt: skip
    return (
        Table(
            f"Cost of a proposal beside {reference}",
            ("d", "Method", "Median ms", f"Ratio to {reference} at the largest t", "95 % CI"),
            tuple(rows),
            "CPU time of compiled code on one thread. Ratios are medians over repetitions; within a repetition all "
            "methods are timed one after the other on the same data. The models and samples of NEI and qNEI share "
            "one Cholesky factor. The two rows below them share no factor and have the same values. The refit of the "
            "hyperparameters is the same for all methods.",
        ),
    )


FIGURES = (
    FigureSpec(
        id="cei.cost",
        study="cei.cost",
        number="Table B-1",
        caption=(
            "CPU time of one proposal at several numbers of observations, on a logarithmic axis, beside the time of "
            "a refit of the hyperparameters. A proposal conditions the model, prepares the acquisition and maximises "
            "it, with the same search effort for every method. NEI and qNEI stand there twice: as in this project, "
            "where all models and samples share one Cholesky factor, and as their formulas say, with 20 separate "
            "models and a joint posterior factorised at every candidate. Points are medians over repetitions with "
            "95 % bootstrap intervals. The paper says that analytic acquisitions are much cheaper than Monte-Carlo "
            "acquisitions and gives no numbers."
        ),
        draw=draw,
        tables=tables,
    ),
)
