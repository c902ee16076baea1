"""Figure 2 (top): simple regret on the synthetic problems. Figure 4: error of the predictions in the same runs."""

from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.statistics import Statistic
from paper_figures.comparisons import COMPARISON_HEADER, comparison_cells, regret_table, score
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import Band, curves, initial_design_handle, initial_design_line
from paper_figures.style import BLACK, method_label, method_order, problem_label
from paper_figures.table import Table, number
from paper_figures.uhe.benchmarks import BANDS, METHOD, panels, samples

CONSTANT: dict[str, Any] = {"color": BLACK, "linestyle": (0, (7, 3)), "linewidth": 0.8}


def regret_panel(axes: Axes, data: StudyResults, problem: str) -> None:
    """Simple regret of every method, the initial data drawn once."""
    regret = samples(data, problem, "simple_regret")
    evaluations = np.arange(1, next(iter(regret.values())).shape[1] + 1)
    initial = int(data.common("initial_size", problem=problem))
    curves(axes, evaluations, regret, common=initial, band="standard error")
    initial_design_line(axes, initial)


def draw_regret(data: StudyResults) -> Figure:
    """Figure 2 (top)."""
    return panels(data, regret_panel, "Simple regret", [initial_design_handle()])


def error_panel(axes: Axes, data: StudyResults, problem: str, statistic: Statistic = "mean") -> None:
    """Mean squared error of every method's predictions, and that of a constant; medians have bootstrap bands."""
    band: Band = "standard error" if statistic == "mean" else "bootstrap"
    curves(axes, data.common("t", problem=problem), samples(data, problem, "mse"), statistic, band=band)
    axes.axhline(float(data.common("truth_variance", problem=problem)), zorder=2, **CONSTANT)
    low, high = axes.get_ylim()
    axes.set_ylim(low, max(high, 1.5 * float(data.common("truth_variance", problem=problem))))


def draw_errors(data: StudyResults, statistic: Statistic = "mean") -> Figure:
    """Figure 4."""
    draw = partial(error_panel, statistic=statistic)
    return panels(data, draw, "Mean squared error", [Line2D([], [], label="Best constant", **CONSTANT)])


def error_table(data: StudyResults) -> Table:
    """UHE-BO against each peer: log10 of the error of the last prediction recorded, paired by seed."""
    rows = []
    for problem in data.problems():
        errors = {name: np.log10(values[:, -1]) for name, values in samples(data, problem, "mse").items()}
        for peer in method_order(name for name in errors if name != METHOD):
            ours, theirs = errors[METHOD], errors[peer]
            means = f"{number(10 ** ours.mean())} / {number(10 ** theirs.mean())}"
            cells = comparison_cells(ours, theirs)
            rows.append((problem_label(problem), method_label(peer), means, *cells, score(ours, theirs)))
    name = method_label(METHOD)
    return Table(
        f"{name} against its peers: error of the last predictions recorded",
        ("Problem", "Peer", "Geometric mean (ours / peer)", *COMPARISON_HEADER, "Wins–losses–ties"),
        tuple(rows),
        f"log₁₀ of the mean squared error, paired by seed. Difference = {name} − peer: negative favours {name}. 95 % "
        "percentile bootstrap interval of the mean difference; two-sided Wilcoxon signed-rank p, not corrected for the "
        "number of rows.",
    )


FIGURES = (
    FigureSpec(
        id="uhe.fig2",
        study="uhe.fig2",
        number="Figure 2 (top)",
        caption=(
            "Simple regret against the number of evaluations. " + BANDS + "The paper's text gives neither the number "
            "of evaluations nor the initial data, which end at the grey dashed line, and shows what looks like the "
            "best value found, of which simple regret is the distance to the optimum."
        ),
        draw=draw_regret,
        tables=lambda data: (regret_table(data, METHOD),),
    ),
    FigureSpec(
        id="uhe.fig4",
        study="uhe.fig2",
        number="Figure 4",
        caption=(
            "Mean squared error of the prediction of each method's Gaussian process over the search domain, against "
            "the number of observations behind it, in the runs of Figure 2. " + BANDS + "The long dashes are the error "
            "of the best constant, the variance of the objective. Random search is lent the MAP estimate. Where one "
            "seed makes the mean, a band that would reach below zero ends at the edge: see the medians."
        ),
        draw=draw_errors,
        tables=lambda data: (error_table(data),),
    ),
    FigureSpec(
        id="uhe.fig4_median",
        study="uhe.fig2",
        number="Figure 4 (medians)",
        caption=(
            "As Figure 4: the median over seeds with its 95 % bootstrap band. On h1 a single run of UHE-BO makes the "
            "peak of the mean."
        ),
        draw=lambda data: draw_errors(data, "median"),
    ),
)
