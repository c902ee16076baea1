"""Simple regret on the synthetic benchmarks: the six panels of Figures 6 and 7."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.engine.statistics import Statistic
from paper_figures.load import StudyResults
from paper_figures.panels import curves, initial_design_handle, initial_design_line, tidy_log_axis
from paper_figures.style import legend_height, method_legend, new_figure, panel_title, problem_label

COLUMNS = 3


def regret_panels(data: StudyResults, statistic: Statistic) -> Figure:
    """One panel a problem, lettered A–F: mean or median simple regret of every method with its 95 % band."""
    problems = data.problems()
    across = min(COLUMNS, len(problems))
    rows = -(-len(problems) // across)
    entries = len(data.policies()) + 1
    columns = 6 if entries <= 6 else 4
    legend = legend_height(entries, columns)
    figure, grid = new_figure(rows, across, height=0.34 + legend + 1.75 * rows, legend=legend)
    panels = [axes for row in grid for axes in row]
    for index, (axes, problem) in enumerate(zip(panels, problems, strict=False)):
        policies = data.policies(problem)
        samples = {policy: data.array("simple_regret", problem=problem, policy=policy) for policy in policies}
        evaluations = np.arange(1, next(iter(samples.values())).shape[1] + 1)
        initial = int(data.common("initial_size", problem=problem))
        curves(axes, evaluations, samples, statistic, common=initial)
        initial_design_line(axes, initial)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        tidy_log_axis(axes)
        panel_title(axes, "ABCDEFGHIJ"[index], problem_label(problem))
        if index + across >= len(problems):
            axes.set_xlabel("Evaluations $t$")
        if index % across == 0:
            axes.set_ylabel(f"{statistic.capitalize()} simple regret")
    for axes in panels[len(problems) :]:
        axes.set_axis_off()
    method_legend(figure, data.policies(), extra=[initial_design_handle()], columns=columns)
    return figure
