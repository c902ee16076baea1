"""Figure 2 (top): simple regret on the synthetic problems. Figure 4: error of the predictions in the same runs."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from experiments.engine.statistics import Statistic
from paper_figures.comparisons import (
    GEOMETRIC_MEAN,
    Pair,
    favours,
    paired_table,
    pairs_with_peers,
    regret_table,
)
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.panels import curves, initial_design_handle, initial_design_line, tidy_log_axis
from paper_figures.samples import ends
from paper_figures.style import (
    BLACK,
    LETTERS,
    WIDTH,
    legend_height,
    method_label,
    method_legend,
    method_order,
    new_figure,
    panel_title,
    problem_label,
)
from paper_figures.table import Table
from paper_figures.uhe.benchmarks import BANDS, METHOD, panels, samples

STATISTICS: tuple[Statistic, ...] = ("mean", "median")
"""The rows of Figure 4."""
CONSTANT: dict[str, Any] = {"color": BLACK, "linestyle": (0, (7, 3)), "linewidth": 0.8}


def regret_panel(axes: Axes, data: StudyResults, problem: str) -> None:
    """The simple regret of every method; the initial data are drawn once."""
    regret = samples(data, problem, "simple_regret")
    evaluations = np.arange(1, next(iter(regret.values())).shape[1] + 1)
    initial = int(data.common("initial_size", problem=problem))
    curves(axes, evaluations, regret, common=initial)
    initial_design_line(axes, initial)


def draw_regret(data: StudyResults) -> Figure:
    """Figure 2 (top)."""
    return panels(data, regret_panel, "Mean simple regret\n(lower is better)", [initial_design_handle()])


def error_panel(axes: Axes, data: StudyResults, problem: str, statistic: Statistic) -> None:
    """The mean squared error of every method's predictions, and the error of a constant."""
    curves(axes, data.common("t", problem=problem), samples(data, problem, "mse"), statistic, markers=4)
    axes.axhline(float(data.common("truth_variance", problem=problem)), zorder=2, **CONSTANT)


def draw_errors(data: StudyResults) -> Figure:
    """Figure 4: means above, medians below, one column a problem."""
    problems, methods = data.problems(), data.policies()
    legend = legend_height(len(methods) + 1, 4)
    figure, grid = new_figure(
        2, len(problems), height=3.9 + legend, width=max(4.5, min(WIDTH, 1.75 * len(problems))), legend=legend,
        sharex="col", sharey="col",
    )  # fmt: skip
    for column, problem in enumerate(problems):
        bounds = []
        for row, statistic in enumerate(STATISTICS):
            axes = grid[row][column]
            error_panel(axes, data, problem, statistic)
            bounds.append(axes.get_ylim())
            panel_title(axes, LETTERS[row * len(problems) + column], problem_label(problem))
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
            if column == 0:
                axes.set_ylabel(f"{statistic.capitalize()} of squared error\n(lower is better)")
        variance = float(data.common("truth_variance", problem=problem))
        top = max(high for _, high in bounds)
        grid[0][column].set_ylim(min(low for low, _ in bounds), max(top, 1.5 * variance))
        tidy_log_axis(grid[0][column])
        grid[1][column].set_xlabel("Evaluations $t$")
    most, where = max((share, problem) for problem in problems for _, share in largest_shares(data, problem).values())
    remark(figure, f"One seed makes up to {100 * most:.0f} % of a mean on {problem_label(where)}")
    method_legend(figure, methods, extra=[Line2D([], [], label="Best constant", **CONSTANT)], columns=4)
    return figure


def error_table(data: StudyResults) -> Table:
    """UHE-BO against each peer: log₁₀ of the error of the last prediction recorded, paired by seed."""
    rows: list[Pair] = []
    for problem in data.problems():
        errors = {name: np.log10(values) for name, values in ends(samples(data, problem, "mse")).items()}
        rows += pairs_with_peers(problem_label(problem), errors, METHOD, shown=lambda mean: 10**mean)
    name = method_label(METHOD)
    return paired_table(
        f"{name} against its peers: error of the last predictions recorded",
        ("Problem", "Peer"),
        rows,
        f"log₁₀ of the mean squared error, paired by seed. {favours(name)}",
        centres=GEOMETRIC_MEAN,
    )


def largest_shares(data: StudyResults, problem: str) -> dict[str, tuple[float, float]]:
    """The largest share of one seed in the mean of the errors, and the t of this share, by method."""
    times, found = data.common("t", problem=problem), {}
    for method, errors in samples(data, problem, "mse").items():
        shares = errors.max(axis=0) / errors.sum(axis=0)
        found[method] = float(times[int(shares.argmax())]), float(shares.max())
    return found


def share_table(data: StudyResults) -> Table:
    """The share of a mean over seeds that its largest seed makes, at the t of the largest share."""
    rows = []
    for problem in data.problems():
        found = largest_shares(data, problem)
        for method in method_order(found):
            time, share = found[method]
            rows.append((problem_label(problem), method_label(method), f"{time:g}", f"{share:.0%}"))
    return Table(
        "How much of the mean of the errors one seed makes",
        ("Problem", "Method", "t", "Largest share of one seed"),
        tuple(rows),
        f"Shares are those at the t where they are largest; with equal errors each of the {data.seed_count()} seeds "
        f"would have {1 / data.seed_count():.0%}. A mean with a large share shows one run, a median does not.",
    )


FIGURES = (
    FigureSpec(
        id="uhe.fig2",
        study="uhe.fig2",
        number="Figure 2 (top)",
        caption=(
            "Simple regret against the number of evaluations. "
            + BANDS
            + "The paper's text gives neither the number of evaluations nor the initial data, which end at the grey "
            "dashed line. The paper seems to show the best value found; simple regret is its distance to the optimum."
        ),
        draw=draw_regret,
        tables=lambda data: (regret_table(data, METHOD),),
    ),
    FigureSpec(
        id="uhe.fig4",
        study="uhe.fig2",
        number="Figure 4",
        caption=(
            "Mean squared error of the prediction of each method's Gaussian process, over the search domain, against "
            "the number of observations behind the prediction, in the runs of Figure 2. The top row shows the mean "
            "over seeds as in the paper, which one run may lift; the bottom row shows the median. Both have 95 % "
            "bootstrap bands and logarithmic scales. The long dashes are the error of the best constant, which is "
            "the variance of the objective. Random search borrows the MAP estimate. The last table says which share "
            "of a mean a single seed makes."
        ),
        draw=draw_errors,
        tables=lambda data: (error_table(data), share_table(data)),
    ),
)
