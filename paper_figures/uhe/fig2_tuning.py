"""Figure 2 (bottom) and Figure 5 (right): classifiers tuned with unknown GP hyperparameters, and the methods' time."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.tuning.tasks import get
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import initial_design_handle, tidy_log_axis
from paper_figures.style import (
    legend_height,
    method_label,
    method_legend,
    method_order,
    method_style,
    new_figure,
    panel_title,
)
from paper_figures.tuning import (
    LETTERS,
    against_evaluations,
    failure_table,
    task_title,
    tuning_table,
    workload_note,
)

COLUMNS = 3


def draw(data: StudyResults) -> Figure:
    """A panel a task, then the CPU seconds of the methods on the last one (the random forest)."""
    tasks = data.problems()
    panels = len(tasks) + 1
    columns = min(COLUMNS, panels)
    rows = -(-panels // columns)
    legend = legend_height(len(data.policies()) + 1, 4)
    figure, grid = new_figure(rows, columns, height=0.2 + legend + 2.0 * rows, legend=legend)
    axes = [panel for row in grid for panel in row]
    for index, task in enumerate(tasks):
        task_title(axes[index], LETTERS[index], task)
        against_evaluations(axes[index], data, task)
        if index % columns == 0:
            axes[index].set_ylabel("Best accuracy")
    running_time(axes[len(tasks)], data, tasks[-1])
    panel_title(axes[len(tasks)], LETTERS[len(tasks)], f"Method's own time\n{get(tasks[-1]).label}")
    for panel in axes[panels:]:
        panel.set_axis_off()
    method_legend(figure, data.policies(), extra=[initial_design_handle()], columns=4)
    workload_note(figure, data)
    return figure


def running_time(axes: Axes, data: StudyResults, task: str) -> None:
    """CPU seconds a run of each method, evaluations and compilation left out: a mark a seed, a bar the mean."""
    names = method_order(data.policies(task))
    for place, name in enumerate(names):
        seconds = data.array("proposal_seconds", problem=task, policy=name).sum(axis=1)
        style = method_style(name)
        offsets = np.linspace(-0.22, 0.22, len(seconds)) if len(seconds) > 1 else np.zeros(1)
        axes.plot(seconds, place + offsets, style.marker, color=style.colour, markersize=3, alpha=0.7)
        axes.plot([seconds.mean()] * 2, [place - 0.36, place + 0.36], color=style.colour, linewidth=1.4)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), [method_label(name) for name in names], fontsize=6.5)
    axes.invert_yaxis()
    axes.margins(x=0.08)
    tidy_log_axis(axes, "x")
    axes.set_xlabel("CPU seconds a run")


FIGURES = (
    FigureSpec(
        id="uhe.fig2_tuning",
        study="uhe.fig2_tuning",
        number="Figure 2 (bottom), Figure 5 (right)",
        caption=(
            "Best accuracy on the third of the data that is not trained on, while logistic regression (2 "
            "hyperparameters), XGBoost (4) and a random forest (4) are tuned; mean over seeds with its 95 % bootstrap "
            "band, from the end of the common Latin hypercube on. The paper names the data of XGBoost twice, "
            "differently: both are shown. Last panel: CPU seconds that a method itself takes for a run (a mark a "
            "seed), fits of the models and compilation left out. Below scale paper fewer trees and epochs, and part "
            "of the rows, as the lower left says. Where the public files are missing, data of scikit-learn stand in."
        ),
        draw=draw,
        tables=lambda data: (tuning_table(data, "uhe_bo", "final"), *failure_table(data)),
    ),
)
