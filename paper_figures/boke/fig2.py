"""Figure 2: kernel density of a beta mixture at three bandwidths."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.statistics import bootstrap_interval
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import BLACK, BLUE, GREY, new_figure, panel_title, top_legend
from paper_figures.table import Table, interval, number

PANELS = ("Too small", "Likelihood cross-validation", "Too large")


def draw(data: StudyResults) -> Figure:
    """Three panels: density estimate, true density, and the draws as ticks (the first seed)."""
    figure, grid = new_figure(1, 3, height=2.2, legend=0.26, sharex=True)
    positions, truth = data.common("grid"), data.common("truth")
    bandwidths, density, draws = (data.array(name)[0] for name in ("bandwidth", "density", "x"))
    for index, axes in enumerate(grid[0]):
        axes.plot(positions, truth, color=GREY, linestyle=(0, (4, 2)), linewidth=1.0)
        axes.plot(positions, density[index], color=BLUE)
        axes.fill_between(positions, 0, density[index], color=BLUE, alpha=0.12, linewidth=0)
        axes.plot(draws, np.zeros_like(draws), "|", color=BLACK, markersize=6, clip_on=False, markeredgewidth=0.7)
        axes.set_ylim(bottom=0)
        axes.set_xlim(0, 1)
        axes.set_xlabel("$x$")
        panel_title(axes, "ABC"[index], f"{PANELS[index]}, $h = {number(bandwidths[index], 2)}$")
    grid[0][0].set_ylabel("Density")
    top_legend(
        figure,
        [
            Line2D([], [], color=GREY, linestyle=(0, (4, 2)), linewidth=1.0, label="Beta mixture $p(x)$"),
            Line2D([], [], color=BLUE, label=r"Kernel density $\hat{p}(x)$"),
            Line2D([], [], color=BLACK, linestyle="", marker="|", markersize=6, label="30 draws"),
        ],
    )
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Integrated absolute error of each bandwidth, over all seeds."""
    positions, truth = data.common("grid"), data.common("truth")
    error = np.trapezoid(np.abs(data.array("density") - truth), positions, axis=-1)
    bandwidths = data.array("bandwidth")
    _, low, high = bootstrap_interval(error)
    rows = tuple(
        (PANELS[i], number(float(np.median(bandwidths[:, i])), 2), number(float(error[:, i].mean())),
         interval(float(low[i]), float(high[i])))
        for i in range(len(PANELS))
    )  # fmt: skip
    return (
        Table(
            "Error of the density estimate over all seeds",
            ("Bandwidth", "Median h", "Mean ∫|p̂ − p| dx", "95 % CI"),
            rows,
            f"{len(error)} independent samples of 30 draws; the figure shows the first.",
        ),
    )


FIGURES = (
    FigureSpec(
        id="boke.fig2",
        study="boke.fig2",
        number="Figure 2",
        caption=(
            "Normalised Gaussian kernel density of thirty draws (ticks) from 0.7 Beta(3, 8) + 0.3 Beta(10, 2) "
            "(dashed) at three bandwidths h. (B) is chosen by leave-one-out likelihood. Vertical scales differ."
        ),
        draw=draw,
        tables=tables,
    ),
)
