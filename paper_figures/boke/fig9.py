"""Figure 9: goodness of fit while random forests and XGBoost are tuned, against evaluations and against time."""

from matplotlib.figure import Figure

from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.panels import initial_design_handle
from paper_figures.style import LETTERS, legend_height, method_legend, new_figure
from paper_figures.tuning import (
    against_evaluations,
    against_time,
    failure_table,
    task_title,
    tuning_table,
    workload_note,
)


def draw(data: StudyResults) -> Figure:
    """One column a task: evaluations above, time below."""
    tasks = data.problems()
    legend = legend_height(6, 6)
    figure, grid = new_figure(2, len(tasks), height=4.2 + legend, legend=legend)
    for index, task in enumerate(tasks):
        task_title(grid[0][index], LETTERS[index], task)
        against_evaluations(grid[0][index], data, task)
        against_time(grid[1][index], data, task)
        grid[1][index].sharey(grid[0][index])
    for row in grid:
        row[0].set_ylabel("Best cross-validated $R^2$\n(higher is better)")
    method_legend(figure, data.policies(), extra=[initial_design_handle()])
    remark(figure, "Below, a curve ends where the first seed has made all evaluations")
    workload_note(figure, data)
    return figure


FIGURES = (
    FigureSpec(
        id="boke.fig9",
        study="boke.fig9",
        number="Figure 9",
        caption=(
            "Best R² of 5-fold cross-validation so far, while random forests (5 hyperparameters) and XGBoost (7) are "
            "tuned. The horizontal axis is the number of evaluations (top) or the CPU time of evaluations and method "
            "together (bottom). Curves are means over seeds with 95 % bootstrap bands, from the end of the common "
            "Latin hypercube on. The paper prints neither the boxes of the hyperparameters nor the budgets; the page "
            "of constants lists ours. Below scale paper the runs use part of the rows and small forests, as the last "
            "lines say. Titles name the data: scikit-learn's diabetes data stand in where the public files are "
            "missing."
        ),
        draw=draw,
        tables=lambda data: (
            tuning_table(data, "boke", "mean"),
            *((tuning_table(data, "boke_plus", "mean"),) if "boke_plus" in data.policies() else ()),
            *failure_table(data),
        ),
    ),
)
