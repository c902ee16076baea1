"""Figures 1 and 2: kernel regression, and kernel density, at three bandwidths."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.statistics import bootstrap_interval
from paper_figures.comparisons import estimate_cells
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import BLACK, BLUE, GREY, LETTERS, new_figure, panel_title, top_legend
from paper_figures.table import Table, number

TRUTH: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 1.0}
SAMPLES: dict[str, Any] = {"color": BLACK, "linestyle": "", "marker": "o", "markersize": 3.2}
DRAWS: dict[str, Any] = {"color": BLACK, "linestyle": "", "marker": "|", "markersize": 6}

REGRESSION_PANELS = ("Too small", "Cross-validated", "Too large")
DENSITY_PANELS = ("Too small", "Likelihood cross-validation", "Too large")


def _bandwidth_panels(
    data: StudyResults, array: str, titles: tuple[str, ...], sharey: bool
) -> tuple[Figure, list[Axes]]:
    """A panel per bandwidth with the truth and the first seed's estimate."""
    figure, grid = new_figure(1, 3, height=2.2, legend=0.26, sharex=True, sharey=sharey)
    positions, truth = data.common("grid"), data.common("truth")
    bandwidths, estimate = data.array("bandwidth")[0], data.array(array)[0]
    for index, axes in enumerate(grid[0]):
        axes.plot(positions, truth, **TRUTH)
        axes.plot(positions, estimate[index], color=BLUE)
        axes.set_xlim(0, 1)
        axes.set_xlabel("$x$")
        panel_title(axes, LETTERS[index], f"{titles[index]}, $h = {number(bandwidths[index], 2)}$")
    return figure, grid[0]


def draw_regression(data: StudyResults) -> Figure:
    """Three panels: function, kernel regression, samples (the first seed)."""
    figure, panels = _bandwidth_panels(data, "mean", REGRESSION_PANELS, sharey=True)
    x, y = data.array("x")[0], data.array("y")[0]
    for axes in panels:
        axes.plot(x, y, zorder=5, clip_on=False, **SAMPLES)
    panels[0].set_ylabel("$f(x)$, $m_t(x)$")
    top_legend(
        figure,
        [
            Line2D([], [], label="$f(x)$, A (9)", **TRUTH),
            Line2D([], [], color=BLUE, label="Kernel regression $m_t(x)$"),
            Line2D([], [], label=f"{len(x)} noisy samples", **SAMPLES),
        ],
    )
    return figure


def draw_density(data: StudyResults) -> Figure:
    """Three panels: density estimate, true density, and the draws as ticks (the first seed)."""
    figure, panels = _bandwidth_panels(data, "density", DENSITY_PANELS, sharey=False)
    positions, density, draws = data.common("grid"), data.array("density")[0], data.array("x")[0]
    for index, axes in enumerate(panels):
        axes.fill_between(positions, 0, density[index], color=BLUE, alpha=0.12, linewidth=0)
        axes.plot(draws, np.zeros_like(draws), clip_on=False, markeredgewidth=0.7, **DRAWS)
        axes.set_ylim(bottom=0)
    panels[0].set_ylabel("Density")
    top_legend(
        figure,
        [
            Line2D([], [], label="Beta mixture $p(x)$", **TRUTH),
            Line2D([], [], color=BLUE, label=r"Kernel density $\hat{p}(x)$"),
            Line2D([], [], label=f"{len(draws)} draws", **DRAWS),
        ],
    )
    return figure


def _error_table(
    data: StudyResults, error: np.ndarray, titles: tuple[str, ...], title: str, name: str, note: str
) -> Table:
    """Mean error (seeds, bandwidths) of each bandwidth over all seeds."""
    bandwidths = np.median(data.array("bandwidth"), axis=0)
    rows = tuple(
        (titles[i], number(float(bandwidths[i]), 2), *estimate_cells(bootstrap_interval(error[:, i])))
        for i in range(len(titles))
    )
    return Table(title, ("Bandwidth", "Median h", name, "95 % CI"), rows, f"{note}; the figure shows the first.")


def regression_tables(data: StudyResults) -> tuple[Table, ...]:
    """Root mean squared error of each bandwidth over all seeds."""
    error = np.sqrt(np.mean((data.array("mean") - data.common("truth")) ** 2, axis=-1))
    note = f"{len(error)} independent designs and noises"
    title, name = "Error of the regression over all seeds", "Mean RMSE on [0, 1]"
    return (_error_table(data, error, REGRESSION_PANELS, title, name, note),)


def density_tables(data: StudyResults) -> tuple[Table, ...]:
    """Integrated absolute error of each bandwidth, over all seeds."""
    error = np.trapezoid(np.abs(data.array("density") - data.common("truth")), data.common("grid"), axis=-1)
    note = f"{len(error)} independent samples of {data.array('x').shape[1]} draws"
    title, name = "Error of the density estimate over all seeds", "Mean ∫|p̂ − p| dx"
    return (_error_table(data, error, DENSITY_PANELS, title, name, note),)


FIGURES = (
    FigureSpec(
        id="boke.fig1",
        study="boke.fig1",
        number="Figure 1",
        caption=(
            "Kernel regression with a Gaussian kernel at three bandwidths h. Dots are noisy samples of A (9), which "
            "is dashed; the variance of the noise is 0.01. Leave-one-out cross-validation chooses the bandwidth of "
            "(B). As h falls to 0, the regression tends to the step function of the nearest neighbour (Proposition "
            "1)."
        ),
        draw=draw_regression,
        tables=regression_tables,
        first=True,
    ),
    FigureSpec(
        id="boke.fig2",
        study="boke.fig2",
        number="Figure 2",
        caption=(
            "Normalised Gaussian kernel density at three bandwidths h. Ticks are draws from 0.7 Beta(3, 8) + 0.3 "
            "Beta(10, 2), which is dashed. The leave-one-out likelihood chooses the bandwidth of (B). Vertical "
            "scales differ."
        ),
        draw=draw_density,
        tables=density_tables,
        first=True,
    ),
)
