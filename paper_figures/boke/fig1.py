"""Figure 1: kernel regression of function (9) at three bandwidths."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.statistics import bootstrap_interval
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import BLACK, BLUE, GREY, new_figure, panel_title, top_legend
from paper_figures.table import Table, interval, number

PANELS = ("Too small", "Cross-validated", "Too large")


def draw(data: StudyResults) -> Figure:
    """Three panels: function, kernel regression, samples (the first seed)."""
    figure, grid = new_figure(1, 3, height=2.2, legend=0.26, sharex=True, sharey=True)
    positions, truth = data.common("grid"), data.common("truth")
    bandwidths, mean, x, y = (data.array(name)[0] for name in ("bandwidth", "mean", "x", "y"))
    for index, axes in enumerate(grid[0]):
        axes.plot(positions, truth, color=GREY, linestyle=(0, (4, 2)), linewidth=1.0)
        axes.plot(positions, mean[index], color=BLUE)
        axes.plot(x, y, "o", color=BLACK, markersize=3.2, zorder=5, clip_on=False)
        axes.set_xlim(0, 1)
        axes.set_xlabel("$x$")
        panel_title(axes, "ABC"[index], f"{PANELS[index]}, $h = {number(bandwidths[index], 2)}$")
    grid[0][0].set_ylabel("$f(x)$, $m_t(x)$")
    top_legend(
        figure,
        [
            Line2D([], [], color=GREY, linestyle=(0, (4, 2)), linewidth=1.0, label="$f(x)$, Eq. (9)"),
            Line2D([], [], color=BLUE, label="Kernel regression $m_t(x)$"),
            Line2D([], [], color=BLACK, linestyle="", marker="o", markersize=3.2, label="10 noisy samples"),
        ],
    )
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Root mean squared error of each bandwidth over all seeds."""
    error = np.sqrt(np.mean((data.array("mean") - data.common("truth")) ** 2, axis=-1))
    bandwidths = data.array("bandwidth")
    _, low, high = bootstrap_interval(error)
    rows = tuple(
        (PANELS[i], number(float(np.median(bandwidths[:, i])), 2), number(float(error[:, i].mean())),
         interval(float(low[i]), float(high[i])))
        for i in range(len(PANELS))
    )  # fmt: skip
    return (
        Table(
            "Error of the regression over all seeds",
            ("Bandwidth", "Median h", "Mean RMSE on [0, 1]", "95 % CI"),
            rows,
            f"{len(error)} independent designs and noises; the figure shows the first.",
        ),
    )


FIGURES = (
    FigureSpec(
        id="boke.fig1",
        study="boke.fig1",
        number="Figure 1",
        caption=(
            "Kernel regression with a Gaussian kernel at three bandwidths h, from ten samples (dots) of function (9) "
            "(dashed) with noise of variance 0.01. (B) is chosen by leave-one-out cross-validation. Too small a "
            "bandwidth gives the nearest-neighbour step function of Proposition 1."
        ),
        draw=draw,
        tables=tables,
    ),
)
