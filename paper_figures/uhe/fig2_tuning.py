"""Figure 2 (bottom) and Figure 5 (right): classifiers tuned with unknown GP hyperparameters, and the methods' time."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.workloads.tuning.tasks import get
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import initial_design_handle, run_marks, tidy_log_axis
from paper_figures.style import (
    LETTERS,
    legend_height,
    method_label,
    method_legend,
    method_order,
    new_figure,
    panel_title,
)
from paper_figures.tuning import (
    against_evaluations,
    failure_table,
    task_title,
    tuning_table,
    workload_note,
)

COLUMNS = 3
TIMED = "forest_classifier"
"""The model of the task whose running times the paper shows."""


def draw(data: StudyResults) -> Figure:
    """One panel a task; the rest of the last row has the CPU seconds of the methods on the forest, as in the paper."""
    tasks = data.problems()
    columns = min(COLUMNS, len(tasks) + 1)
    full, used = divmod(len(tasks), columns)
    legend = legend_height(len(data.policies()) + 1, 4)
    figure, grid = new_figure(full + 1, columns, height=0.2 + legend + 2.0 * (full + 1), legend=legend)
    panels = [panel for row in grid for panel in row]
    for index, task in enumerate(tasks):
        task_title(panels[index], LETTERS[index], task)
        against_evaluations(panels[index], data, task)
        if index % columns == 0:
            panels[index].set_ylabel("Best accuracy\n(higher is better)")
    rest = panels[len(tasks)].get_subplotspec().get_gridspec()[full, used:]  # type: ignore[union-attr]
    for panel in panels[len(tasks) :]:
        panel.remove()
    time = figure.add_subplot(rest)
    timed = next((task for task in tasks if get(task).model == TIMED), tasks[-1])
    running_time(time, data, timed)
    panel_title(time, LETTERS[len(tasks)], f"Time of the method itself\n{get(timed).label}")
    method_legend(figure, data.policies(), extra=[initial_design_handle()], columns=4)
    workload_note(figure, data)
    return figure


def running_time(axes: Axes, data: StudyResults, task: str) -> None:
    """The CPU seconds of each method's runs, without evaluations and compilation: a mark a seed, a bar at the mean."""
    names = method_order(data.policies(task))
    longest = 0.0
    for place, name in enumerate(names):
        seconds = data.array("proposal_seconds", problem=task, policy=name).astype(float).sum(axis=1)
        run_marks(axes, place, name, seconds)
        axes.annotate(
            method_label(name), (seconds.max(), place), (6, 0), textcoords="offset points", va="center", fontsize=7
        )
        longest = max(longest, float(seconds.max()))
    axes.set_xscale("log")
    axes.margins(x=0.08)
    axes.set_xlim(right=longest * 2.0)
    axes.set_yticks([])
    axes.invert_yaxis()
    axes.set_xlabel("CPU seconds a run (lower is better)")
    tidy_log_axis(axes, "x")
    axes.xaxis.set_major_formatter("{x:g}")


FIGURES = (
    FigureSpec(
        id="uhe.fig2_tuning",
        study="uhe.fig2_tuning",
        number="Figure 2 (bottom), Figure 5 (right)",
        caption=(
            "Best accuracy on the third of the data that is held out, while logistic regression (2 hyperparameters), "
            "XGBoost (4) and a random forest (4) are tuned. Curves are means over seeds with 95 % bootstrap bands "
            "(the paper draws standard errors), from the end of the common Latin hypercube on. The paper gives two "
            "different names for the data of XGBoost: both data sets are shown. The last panel shows the CPU seconds "
            "that a method itself takes for a run (a mark a seed), without fits of the models and compilation. Below "
            "scale paper the runs use fewer trees and epochs, and part of the rows, as the last lines say. Data of "
            "scikit-learn stand in where the public files are missing."
        ),
        draw=draw,
        tables=lambda data: (tuning_table(data, "uhe_bo", "final"), *failure_table(data)),
    ),
)
