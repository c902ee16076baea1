"""Figure 5 (appendix D): UHE-BO without one of its components, and the running time beside MAP and MCMC."""

import numpy as np
from matplotlib.figure import Figure

from paper_figures.comparisons import ratio_cells, regret_table
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.panels import initial_design_handle, plain_log_ticks, run_marks
from paper_figures.style import (
    LETTERS,
    method_label,
    method_legend,
    method_order,
    new_figure,
    panel_title,
    problem_label,
)
from paper_figures.table import Table, number
from paper_figures.uhe.benchmarks import BANDS, METHOD, panels
from paper_figures.uhe.fig2 import regret_panel

PREFIX = "cpu_seconds_"


def draw_ablation(data: StudyResults) -> Figure:
    """The simple regret, one panel a problem."""
    return panels(data, regret_panel, "Mean simple regret\n(lower is better)", [initial_design_handle()])


def seconds(data: StudyResults, problem: str) -> dict[str, np.ndarray]:
    """The CPU seconds of the runs (repetitions,) of each method."""
    found = data.select(problem=problem)[0].arrays
    names = method_order(name.removeprefix(PREFIX) for name in found if name.startswith(PREFIX))
    return {name: np.asarray(found[PREFIX + name], float) for name in names}


def draw_runtime(data: StudyResults) -> Figure:
    """One panel a problem, one row a method: a mark a run, a bar at the mean."""
    problems = data.problems()
    width = 6.2 if len(problems) > 1 else 3.6
    figure, grid = new_figure(1, len(problems), height=2.1, width=width, legend=0.27, sharex=True, sharey=True)
    for index, (axes, problem) in enumerate(zip(grid[0], problems, strict=True)):
        found = seconds(data, problem)
        for place, (name, values) in enumerate(found.items()):
            run_marks(axes, place, name, values)
        axes.set_xscale("log")
        axes.set_yticks(range(len(found)), [method_label(name) for name in found])
        axes.margins(x=0.08)
        axes.set_xlabel(f"CPU seconds for {int(data.common('steps'))} evaluations\n(lower is better)")
        panel_title(axes, LETTERS[index], problem_label(problem))
    grid[0][0].invert_yaxis()
    grid[0][0].set_ylabel("Method")
    for axes in grid[0]:
        plain_log_ticks(axes.xaxis)
    method_legend(figure, list(seconds(data, problems[0])), lines=False)
    remark(figure, "The paper's third problem, a forest on Wilt, is with Figure 2 (bottom)")
    return figure


def runtime_table(data: StudyResults) -> Table:
    """Mean seconds, and the ratio to UHE-BO's seconds, paired by repetition."""
    rows = []
    for problem in data.problems():
        found = seconds(data, problem)
        for name, values in found.items():
            wall = float(np.mean(data.select(problem=problem)[0].arrays[f"seconds_{name}"]))
            rows.append((
                problem_label(problem), method_label(name), number(float(values.mean())), number(wall),
                *ratio_cells(values, found[METHOD]),
            ))  # fmt: skip
    return Table(
        "Seconds of a run",
        ("Problem", "Method", "CPU seconds", "Wall seconds", f"Ratio to {method_label(METHOD)}", "95 % CI"),
        tuple(rows),
        "Seconds are means over runs of compiled code on one thread, without compilation. Ratios are medians over "
        "repetitions in which the methods ran one after the other. Wall seconds grow with the other load of the "
        "machine.",
    )


FIGURES = (
    FigureSpec(
        id="uhe.fig5",
        study="uhe.fig5",
        number="Figure 5 (left), Figure 5 (middle)",
        caption=(
            "Simple regret of UHE-BO, of RA-BO (every second query is random, no EXP3) and of Random + EXP3 (no "
            "pseudo-data), against the number of evaluations. The paper shows two problems, which its text does not "
            "name. " + BANDS
        ),
        draw=draw_ablation,
        tables=lambda data: (regret_table(data, METHOD),),
    ),
    FigureSpec(
        id="uhe.fig5_runtime",
        study="uhe.fig5_runtime",
        number="Figure 5 (right)",
        caption=(
            "CPU seconds of whole runs of UHE-BO, MAP and MCMC: a mark for each run, a bar at the mean. The third "
            "problem of the paper, a random forest on Wilt, is the last panel of the figure of the tuning tasks."
        ),
        draw=draw_runtime,
        tables=lambda data: (runtime_table(data),),
    ),
)
