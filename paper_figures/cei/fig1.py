"""Figure 1: EI and corrected EI on one posterior."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from experiments.engine.slim import first_run
from paper_figures.comparisons import Pair, favours, paired_table
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.style import (
    BAND_ALPHA,
    BLACK,
    GREEN,
    GREY,
    method_label,
    method_style,
    new_figure,
    panel_title,
    top_legend,
)
from paper_figures.table import Table

METHODS = ("ei", "corrected_ei")
TRUTH: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 1.0}
OPTIMUM: dict[str, Any] = {"color": BLACK, "linestyle": "", "marker": "*", "markersize": 7}
INCUMBENT: dict[str, Any] = {"color": BLACK, "linestyle": (0, (1, 1.5)), "linewidth": 0.9}


def draw(data: StudyResults) -> Figure:
    """The first seed: function, posterior and observations above, both acquisitions and their maxima in the middle; the
    distances of both suggestions from the optimiser on all seeds below."""
    figure, ((top,), (bottom,), (all_seeds,)) = new_figure(
        3, 1, height=5.2, width=5.2, legend=0.43, gridspec_kw={"height_ratios": [3, 2, 2]}
    )
    grid, truth = data.common("grid"), data.common("truth")
    mean, deviation = data.array("mean")[0], data.array("deviation")[0]
    x, y = data.made(first_run("x"))[0], data.made(first_run("y"))[0]
    top.fill_between(grid, mean - 1.96 * deviation, mean + 1.96 * deviation, color=GREEN, alpha=BAND_ALPHA, linewidth=0)
    top.plot(grid, truth, **TRUTH)
    top.plot(grid, mean, color=GREEN)
    top.plot(x, y, "o", color=BLACK, zorder=5, clip_on=False)
    incumbent = x[int(data.array("incumbent")[0])]
    for name in METHODS:
        style = method_style(name)
        acquisition, chosen = data.array(name)[0], float(data.array(f"next_{name}")[0])
        bottom.plot(grid, acquisition, color=style.colour, linestyle=style.line)
        bottom.plot(chosen, acquisition.max(), style.marker, color=style.colour, markersize=6, zorder=6, clip_on=False)
    for axes in (top, bottom):
        axes.axvline(incumbent, **INCUMBENT)
        axes.set_xlim(grid[0], grid[-1])
    top.tick_params(labelbottom=False)
    top.plot(float(data.common("optimizer")), truth.max(), clip_on=False, zorder=6, **OPTIMUM)
    _distances(all_seeds, data)
    bottom.set_ylim(bottom=0)
    top.set_ylabel("$f(x)$ (to be maximised)")
    bottom.set_ylabel(r"$\alpha(x)$")
    bottom.set_xlabel("$x$")
    panel_title(top, "A", "Four observations and the posterior")
    panel_title(bottom, "B", "Acquisitions and the next points")
    theirs, ours = (data.array(f"distance_{name}") for name in METHODS)
    closer, farther = (f"{100 * float(np.mean(share)):.0f} %" for share in (ours < theirs, ours > theirs))
    title = f"All {len(ours):,} seeds: {method_label(METHODS[1])} is closer to $x^*$ on {closer}, farther on {farther}"
    panel_title(all_seeds, "C", title)
    handles: list[Line2D | Patch] = [
        Line2D([], [], label="$f(x)$", **TRUTH),
        Line2D([], [], color=GREEN, label="Posterior mean"),
        Patch(facecolor=GREEN, alpha=BAND_ALPHA, label="± 1.96 sd"),
        Line2D([], [], color=BLACK, linestyle="", marker="o", label="Observations"),
        Line2D([], [], label="Incumbent $x^+$", **INCUMBENT),
        Line2D([], [], label="Optimiser $x^*$", **OPTIMUM),
        *(Line2D([], [], **method_style(name).plot()) for name in METHODS),
    ]
    remark(figure, "The sentence asks whether such scenarios exist")
    top_legend(figure, handles, columns=4)
    return figure


def _distances(axes: Axes, data: StudyResults) -> None:
    """The share of seeds on which a method's next point is at most so far from the optimiser."""
    for name in METHODS:
        found = np.sort(data.array(f"distance_{name}"))
        style = method_style(name)
        axes.step(found, np.arange(1, len(found) + 1) / len(found), color=style.colour, linestyle=style.line)
    axes.set_xlim(left=0.0)
    axes.set_ylim(0.0, 1.0)
    axes.set_xlabel("Distance of the next point from $x^*$ (lower is better)")
    axes.set_ylabel("Share of seeds")


def tables(data: StudyResults) -> tuple[Table, ...]:
    """The distance of both suggestions from the optimiser, over all seeds."""
    theirs, ours = (data.array(f"distance_{name}") for name in METHODS)
    peer, name = (method_label(method) for method in METHODS)
    return (
        paired_table(
            "Distance of the next point from x* = 10, over all seeds",
            ("Scenarios",),
            [Pair((str(len(ours)),), ours, theirs, (f"{np.mean(ours == theirs):.0%}",))],
            f"Both acquisitions use the same posterior. {favours(name, peer)} The paper shows one scenario; the "
            "figure shows our first seed.",
            sides=f"{name} / {peer}",
            outcomes="Closer–farther–equal",
            extra=("Same point",),
        ),
    )


FIGURES = (
    FigureSpec(
        id="cei.fig1",
        study="cei.fig1",
        number="Figure 1",
        caption=(
            "Expected improvement and corrected expected improvement on the same posterior, from four scrambled "
            "Sobol' points of the three-bump function with noise of 30 % of its range. The paper minimises the sum "
            "of three densities, whose best point is x* = 10; the figure shows the negative of the sum. (A, B) show "
            "the first seed, not a chosen one. (C) is ours and shows all seeds: the share of seeds on which the next "
            "point is at most so far from x*."
        ),
        draw=draw,
        tables=tables,
        first=True,
    ),
)
