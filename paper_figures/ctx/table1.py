"""Table 1 (appendix C): seconds for 100 evaluations on Ackley, beside the paper's seconds."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.statistics import bootstrap_interval
from paper_figures.comparisons import estimate_cells
from paper_figures.figure import FigureSpec
from paper_figures.footer import name_bars
from paper_figures.load import StudyResults
from paper_figures.panels import tidy_log_axis
from paper_figures.style import BLACK, method_label, method_order, method_style, new_figure, top_legend
from paper_figures.table import Table, number

PRINTED = {
    "context_free_ucb": (11.35, 0.40),
    "drbo_mmd": (5254.65, 356.32),
    "drbo_mmd_minimax": (119.04, 2.61),
    "stable_opt": (32.75, 1.35),
    "sbo_kde": (30.57, 1.06),
    "drbo_kde": (180.61, 6.90),
}
"""The paper's mean seconds and the number after its sign ±, for ten runs."""


HOLLOW: dict[str, Any] = {"markerfacecolor": "white", "markersize": 4.5}
PAPER: dict[str, Any] = {**HOLLOW, "elinewidth": 0.9, "linestyle": ""}


def draw(data: StudyResults) -> Figure:
    """One line a method: our CPU seconds with their interval, and the paper's seconds."""
    names = method_order(data.policies())[::-1]
    figure, grid = new_figure(1, 1, height=1.2 + 0.3 * len(names), width=5.5, legend=0.3)
    axes = grid[0][0]
    for place, name in enumerate(names):
        ours, style = bootstrap_interval(data.array("cpu_seconds", policy=name)), method_style(name)
        axes.plot([ours.low, ours.high], [place, place], color=style.colour, marker="", linestyle="-", linewidth=1.3)
        axes.plot([float(ours.estimate)], [place], color=style.colour, marker=style.marker, markersize=5)
        printed, error = PRINTED[name]
        axes.errorbar([printed], [place], xerr=[error], color=style.colour, marker="D", capsize=2.5, **PAPER)
        axes.annotate(f"{printed:g}", (printed, place), (0, 5), textcoords="offset points", ha="center", fontsize=7)
        estimate = number(float(ours.estimate))
        axes.annotate(estimate, (float(ours.estimate), place), (0, 5), textcoords="offset points", ha="center",
                      fontsize=7)  # fmt: skip
    axes.set_xscale("log")
    axes.margins(x=0.08)
    axes.set_yticks(np.arange(len(names)), [method_label(name) for name in names])
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel(f"CPU seconds for {int(data.common('evaluations'))} evaluations (lower is better)")
    axes.set_ylabel("Method")
    tidy_log_axis(axes, "x")
    name_bars(axes, "95 % bootstrap interval of the mean, hidden by the mark where it is narrower")
    handles = [
        Line2D([], [], color=BLACK, marker="o", linestyle="", label="Ours, mean"),
        Line2D([], [], color=BLACK, marker="D", linestyle="", label="Paper, on another machine, ± its error", **HOLLOW),
    ]
    top_legend(figure, handles)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Our seconds beside the paper's."""
    rows = []
    for name in method_order(data.policies()):
        ours = bootstrap_interval(data.array("cpu_seconds", policy=name))
        wall = float(np.mean(data.array("seconds", policy=name)))
        first = float(data.common("first_seconds", policy=name))
        rows.append((
            method_label(name), *estimate_cells(ours), number(wall), number(first),
            f"{PRINTED[name][0]:g} ± {PRINTED[name][1]:g}",
        ))  # fmt: skip
    return (
        Table(
            f"Seconds for {int(data.common('evaluations'))} evaluations on Ackley",
            ("Method", "CPU seconds", "95 % CI", "Wall seconds", "With compilation", "Paper"),
            tuple(rows),
            "Seconds are means over runs of compiled code, one at a time. Every method has the search effort of "
            "1,024 raw candidates and 50 starts. The paper's seconds are those of 100 evaluations with BoTorch and "
            'CVXPY on another machine, with "the same setting of the optimizer" (appendix C) or, for '
            f"{method_label('drbo_mmd')} and {method_label('drbo_kde')}, with 32 raw candidates and 5 starts "
            "(appendix B.1). Our methods refine four of the points reached on all contexts, the minimax "
            "approximation two. Wall seconds grow with the other load of the machine. Seconds with compilation are "
            "those of one run.",
        ),
    )


FIGURES = (
    FigureSpec(
        id="ctx.table1",
        study="ctx.table1",
        number="Table 1",
        caption=(
            "CPU seconds of a run of 100 evaluations (30 at scale quick) on Ackley (2+1), without compilation, on a "
            "logarithmic axis. Means over runs with 95 % bootstrap intervals stand beside the paper's seconds, which "
            "are from another machine."
        ),
        draw=draw,
        tables=tables,
    ),
)
