"""Figure 9: goodness of fit while random forests and XGBoost are tuned, against evaluations and against time."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from experiments.measures.tuning import scores
from experiments.workloads.tuning.tasks import get
from paper_figures.boke.orders import Advantages, mark_order
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import initial_design_handle
from paper_figures.samples import by_method
from paper_figures.style import LETTERS, legend_height, method_label, method_legend, new_figure
from paper_figures.tuning import (
    against_evaluations,
    against_time,
    failure_table,
    task_title,
    tuning_table,
    workload_note,
)

ORDERS = {
    "forest": ("ahead of the others", ("boke", "boke_plus"), ("kr_ucb", "gp_ucb", "random_search")),
    "xgboost": ("converge faster", ("kr_ucb", "boke_plus"), ("boke", "gp_ucb", "random_search")),
}
"""Kind of model → what the paper's text says, of which methods, before which."""
LETTERS_BELOW = 24
"""On a line under a panel: more would be wider than the panel, and narrow it."""


def advantages(data: StudyResults, task: str, ahead: Sequence[str], behind: Sequence[str]) -> Advantages:
    """By how much the best R², averaged over the evaluations after the design, is above that of every peer."""
    initial = int(data.common("initial_size", problem=task))
    found = {name: scores(best, initial, "mean") for name, best in by_method(data, "best", problem=task).items()}
    return {
        (name, peer): found[name] - found[peer] for name in ahead for peer in behind if name in found and peer in found
    }


def draw(data: StudyResults) -> Figure:
    """One column a task: evaluations above, time below."""
    tasks = data.problems()
    legend = legend_height(6, 6)
    figure, grid = new_figure(2, len(tasks), height=5.5 + legend, legend=legend)
    for index, task in enumerate(tasks):
        task_title(grid[0][index], LETTERS[index], task)
        against_evaluations(grid[0][index], data, task)
        against_time(grid[1][index], data, task)
        grid[1][index].sharey(grid[0][index])
        words, ahead, behind = ORDERS["forest" if "forest" in get(task).model else "xgboost"]
        says = f"{', '.join(method_label(name) for name in ahead)} {words}"
        mark_order(grid[1][index], says, advantages(data, task, ahead, behind), LETTERS_BELOW)
    for row in grid:
        row[0].set_ylabel("Best cross-validated $R^2$")
    method_legend(figure, data.policies(), extra=[initial_design_handle()])
    workload_note(figure, data)
    return figure


FIGURES = (
    FigureSpec(
        id="boke.fig9",
        study="boke.fig9",
        number="Figure 9",
        caption=(
            "Best R² of 5-fold cross-validation so far, while random forests (5 hyperparameters) and XGBoost (7) are "
            "tuned: against the number of evaluations (top) and against CPU time, evaluations and the method together "
            "(bottom). Mean over seeds with its 95 % bootstrap band, from the end of the common Latin hypercube on. "
            "The paper prints neither the boxes of the hyperparameters nor budgets; ours are in the constants. Below "
            "scale paper only part of the rows and small forests are used, as the last lines say. Titles name the "
            "data: where the public files are missing, diabetes data of scikit-learn stand in. Under each "
            "column: what the paper says, and which pairs are reversed here or not told apart (best R² averaged over "
            "the evaluations after the design, 95 % bootstrap interval of the mean difference, paired by seed, one "
            "pair at a time; the claims ask for more, for many are compared)."
        ),
        draw=draw,
        tables=lambda data: (
            tuning_table(data, "boke", "mean"),
            *((tuning_table(data, "boke_plus", "mean"),) if "boke_plus" in data.policies() else ()),
            *failure_table(data),
        ),
    ),
)
