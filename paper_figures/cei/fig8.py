"""Figure 8: Griewank under noise of 1 to 20 % of the range."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from paper_figures.cei.benchmarks import DEVIATIONS, MEASURES, distance, end_table, linear_curves
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import legend_height, method_legend, new_figure, panel_title
from paper_figures.table import Table

COLUMNS = 3
CROWDED = (0.02, 0.03, 0.04)
"""Levels without a tick of their own in the last panel."""

ARM = "known"


def levels(data: StudyResults) -> list[float]:
    """The noise levels present, rising."""
    return sorted({float(result.config["options"]["noise_fraction"]) for result in data.results})


def draw(data: StudyResults) -> Figure:
    """One panel a level, and in the last one the ends of the runs against the level."""
    found, methods = levels(data), data.policies()
    count = len(found) + 1
    across = 2 if count <= 4 else COLUMNS
    rows = -(-count // across)
    legend = legend_height(len(methods), 4)
    figure, grid = new_figure(rows, across, height=0.3 + legend + 1.75 * rows, legend=legend)
    axes = [panel for row in grid for panel in row]
    for index, level in enumerate(found):
        match = {"noise_fraction": level, "arm": ARM}
        samples = {method: distance(data, policy=method, **match) for method in methods}
        linear_curves(axes[index], data.common("t", **match), samples)
        panel_title(axes[index], "ABCDEFGHI"[index], f"Noise {level:.0%} of the range")
        axes[index].set_xlabel("Evaluations $t$")
    last = axes[len(found)]
    ends = {
        method: np.stack([distance(data, policy=method, noise_fraction=level, arm=ARM)[:, -1] for level in found], 1)
        for method in methods
    }
    linear_curves(last, np.asarray(found), ends, markers=len(found))
    last.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    last.margins(x=0.03)
    last.set_xticks([level for level in found if level not in CROWDED])
    last.set_xlabel("Noise")
    panel_title(last, "ABCDEFGHI"[len(found)], "After the last evaluation")
    for index in range(0, count, across):
        axes[index].set_ylabel(MEASURES["distance"][0])
    for panel in axes[count:]:
        panel.set_axis_off()
    method_legend(figure, methods, columns=4)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Corrected EI against every other method at every level."""
    return tuple(
        end_table(
            data, measure, ARM, levels(data), lambda level: {"noise_fraction": level}, lambda level: f"{level:.0%}"
        )
        for measure in MEASURES
    )


FIGURES = (
    FigureSpec(
        id="cei.fig8",
        study="cei.fig8",
        number="Figure 8",
        caption=(
            "Distance from x+ to the optimiser on Griewank (6D), in natural units (the box is 1200 wide), under "
            "growing noise, its variance known to the model; the last panel shows the ends of the runs. Mean over "
            "seeds. " + DEVIATIONS
        ),
        draw=draw,
        tables=tables,
    ),
)
