"""Figure 3: queries and posterior mean during a run, UHE-BO above, MAP below, the truth on the left."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from paper_figures.comparisons import GEOMETRIC_MEAN, Pair, favours, paired_table
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import (
    BLACK,
    LETTERS,
    VERMILLION,
    method_label,
    new_figure,
    panel_title,
    problem_label,
    top_legend,
)
from paper_figures.table import Table

METHODS = ("uhe_bo", "gp_ucb_map")
INITIAL: dict[str, Any] = {"marker": "s", "color": BLACK, "markerfacecolor": "white", "linestyle": "", "markersize": 4}
ACQUIRED: dict[str, Any] = {"marker": "x", "color": BLACK, "linestyle": "", "markersize": 4.5, "markeredgewidth": 1.1}
RANDOM: dict[str, Any] = {"marker": "o", "color": BLACK, "markerfacecolor": "white", "linestyle": "", "markersize": 4}
BEST: dict[str, Any] = {
    "marker": "*",
    "color": VERMILLION,
    "linestyle": "",
    "markersize": 9,
    "markeredgecolor": "white",
}
COLOURS = "viridis"
LEVELS = 24


def _map(axes: Axes, line: np.ndarray, values: np.ndarray, limits: tuple[float, float]) -> None:
    axes.contourf(line, line, values, np.linspace(*limits, LEVELS), cmap=COLOURS, extend="both")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))


def _queries(axes: Axes, x: np.ndarray, initial: int, at_random: np.ndarray) -> None:
    drawn = at_random[: len(x) - initial]
    for points, look in (
        (x[:initial], INITIAL), (x[initial:][drawn], RANDOM), (x[initial:][~drawn], ACQUIRED)
    ):  # fmt: skip
        for line in axes.plot(points[:, 0], points[:, 1], zorder=4, clip_on=False, **look):
            line.set_in_layout(False)  # markers on the edge are drawn whole and do not change the limits


def random_queries(data: StudyResults, method: str) -> np.ndarray:
    """True for the proposals of the first seed that were uniform, (K,)."""
    arrays = data.select(policy=method)[0].arrays
    if "info_random" in arrays:
        return np.asarray(arrays["info_random"])[0] > 0.5
    return np.zeros(arrays["x"].shape[1] - int(arrays["initial_size"]), bool)


def draw(data: StudyResults) -> Figure:
    """The first seed; all panels have the colour scale of the function."""
    times = [int(t) for t in data.common("t")]
    columns = 1 + len(times)
    figure, grid = new_figure(2, columns, height=3.75, legend=0.28)
    line, truth = data.common("line"), data.common("truth").astype(float)
    limits = float(truth.min()), float(truth.max())
    best = np.unravel_index(truth.argmax(), truth.shape)
    _map(grid[0][0], line, truth, limits)
    grid[0][0].plot(line[best[1]], line[best[0]], **BEST)
    panel_title(grid[0][0], "A", problem_label(data.problems()[0]))
    grid[1][0].set_axis_off()
    bar = grid[1][0].inset_axes((0.0, 0.82, 1.0, 0.09))
    colorbar = figure.colorbar(ScalarMappable(Normalize(*limits), COLOURS), cax=bar, orientation="horizontal")
    colorbar.set_label("$f(x)$ and posterior mean")
    for row, method in enumerate(METHODS):
        results = data.select(policy=method)[0].arrays
        x, initial = np.asarray(results["x"][0], float), int(results["initial_size"])
        for column, count in enumerate(times):
            axes = grid[row][1 + column]
            _map(axes, line, np.asarray(results["mean"][column], float), limits)
            _queries(axes, x[:count], initial, random_queries(data, method))
            axes.plot(line[best[1]], line[best[0]], zorder=6, **BEST)
            letter = LETTERS[1 + row * len(times) + column]
            panel_title(axes, letter, f"{method_label(method)}, $t = {count}$")
            if row:
                axes.set_xlabel("$x_1$")
    for axes in (*grid[0], *grid[1][1:]):
        axes.set_title(axes.get_title(loc="left"), loc="left", pad=7)  # outside the markers on the edge
    grid[0][0].set_xlabel("$x_1$")
    for axes in (grid[0][0], grid[0][1], grid[1][1]):
        axes.set_ylabel("$x_2$")
    handles = [
        Line2D([], [], label="Initial data", **INITIAL),
        Line2D([], [], label="Random queries", **RANDOM),
        Line2D([], [], label=f"Queries of {method_label('gp_ucb')}", **ACQUIRED),
        Line2D([], [], label="Maximum of $f$", **BEST),
    ]
    top_legend(figure, handles)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """The error of the posterior mean at the moments shown, over all seeds."""
    ours, theirs = (np.log10(data.array("mse", policy=name).astype(float)) for name in METHODS)
    times = enumerate(data.common("t"))
    name, peer = (method_label(method) for method in METHODS)
    return (
        paired_table(
            f"Mean squared error of the posterior mean on Deceptive, {name} against {peer}, over all seeds",
            ("t",),
            [Pair((f"{t:g}",), ours[:, k], theirs[:, k], shown=lambda mean: 10**mean) for k, t in times],
            f"log₁₀ of the error, paired by seed. {favours(name, peer)}",
            sides=f"{name} / {peer}",
            outcomes="Smaller–larger–equal",
            centres=GEOMETRIC_MEAN,
        ),
    )


FIGURES = (
    FigureSpec(
        id="uhe.fig3",
        study="uhe.fig3",
        number="Figure 3",
        caption=(
            "Deceptive (A), and the posterior mean from the first t observations of UHE-BO (above) and of MAP "
            "(below), on the colour scale of the function. The paper's text names neither the function nor the "
            "moments. The figure shows the first seed, not a chosen one; the table has the errors of all seeds."
        ),
        draw=draw,
        tables=tables,
        first=True,
    ),
)
