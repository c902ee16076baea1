"""Table 2 (appendix E): distance of the estimated from the true context density, beside the paper's numbers."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.ctx.table2 import VARIANTS
from experiments.engine.statistics import bootstrap_interval
from paper_figures.comparisons import estimate_cells
from paper_figures.figure import FigureSpec
from paper_figures.footer import name_bars
from paper_figures.load import StudyResults
from paper_figures.style import (
    BLACK,
    GREY,
    INDIGO,
    LETTERS,
    OLIVE,
    WINE,
    legend_height,
    new_figure,
    panel_title,
    top_legend,
)
from paper_figures.table import Table
from theory_checks.readings.ctx.tables import PRINTED

LOOKS = dict(zip(VARIANTS, ((INDIGO, "o"), (WINE, "s"), (OLIVE, "^"), (GREY, "v")), strict=True))
"""Colour and marker of each reading of the table."""

DOMAINS = {"line": r"$\mathbb{R}$", "box": "[0, 1]"}
TITLES = {"normal": "Normal contexts", "complicated": "Complicated contexts"}


def _label(variant: str) -> str:
    """The words for a reading: "line, clipped"."""
    domain, contexts = variant.split(", ")
    return f"Integral over {DOMAINS[domain]}, contexts {contexts}"


def draw(data: StudyResults) -> Figure:
    """One panel a distribution: the mean of every reading with its interval, and the paper's mean and ± range."""
    legend = legend_height(len(VARIANTS) + 1, 3)
    figure, grid = new_figure(1, 2, height=2.5 + legend, legend=legend)
    for index, (axes, name) in enumerate(zip(grid[0], data.problems(), strict=True)):
        counts = data.common("count", problem=name)
        found = data.array("distance", problem=name)
        for k, variant in enumerate(VARIANTS):
            colour, marker = LOOKS[variant]
            mean = bootstrap_interval(found[:, :, k])
            places = counts * 1.03 ** (k - 1.5)  # side by side
            axes.vlines(places, mean.low, mean.high, color=colour, linewidth=1.0)
            axes.plot(places, mean.estimate, color=colour, marker=marker, linestyle="-", linewidth=0.8)
        values, errors = np.array(PRINTED[name]).T
        axes.errorbar(counts * 1.1, values, yerr=errors, color=BLACK, marker="D", linestyle="", capsize=2.0)
        axes.set_xscale("log")
        axes.margins(x=0.06)
        axes.set_xticks(counts, [f"{count:g}" for count in counts])
        axes.minorticks_off()
        axes.set_ylim(bottom=0.0)
        axes.set_xlabel("Contexts $n$")
        panel_title(axes, LETTERS[index], TITLES[name])
    name_bars(grid[0][0], "95 % bootstrap interval of the mean; the paper's bars: ± its error")
    grid[0][0].set_ylabel("$\\int\\; |\\hat{p}(c) - p(c)|\\, dc$\n(lower is better)")
    handles = [
        Line2D([], [], color=colour, marker=marker, linestyle="-", label=_label(variant))
        for variant, (colour, marker) in LOOKS.items()
    ]
    top_legend(figure, [*handles, Line2D([], [], color=BLACK, marker="D", linestyle="", label="Paper")], columns=3)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Every cell of the paper's table beside the four readings."""
    rows = []
    for name in data.problems():
        found = data.array("distance", problem=name)
        for j, count in enumerate(data.common("count", problem=name)):
            cells = []
            for k in range(len(VARIANTS)):
                cells.append(" ".join(estimate_cells(bootstrap_interval(found[:, j, k]))))
            printed, error = PRINTED[name][j]
            rows.append((TITLES[name], f"{count:g}", f"{printed:g} ± {error:g}", *cells))
    return (
        Table(
            "Distance of the estimated from the true context density",
            ("Distribution", "n", "Paper", *(variant.capitalize() for variant in VARIANTS)),
            tuple(rows),
            "Means over runs with 95 % bootstrap intervals. The paper says neither over which set it integrates nor "
            "whether contexts are clipped to [0, 1]. Its numbers are means of 20 runs, and the number after ± is of "
            "the size of a standard error.",
        ),
    )


FIGURES = (
    FigureSpec(
        id="ctx.table2",
        study="ctx.table2",
        number="Table 2",
        caption=(
            "Integral of |p̂ − p| against the number of contexts. The four readings of the paper's table stand side "
            "by side, as means over runs with 95 % bootstrap intervals, beside the paper's mean ± its error."
        ),
        draw=draw,
        tables=tables,
    ),
)
