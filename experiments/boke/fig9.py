"""Figure 9: tuning a random forest and XGBoost on California Housing and Wine Quality, R^2 by 5-fold cross-validation.

Where the data are missing (and at smoke scale) the same models are tuned on scikit-learn's diabetes data.
"""

from collections.abc import Mapping

import numpy as np

from core import policies
from experiments.engine.study import Cell, Study, blocks
from experiments.workloads.tuning import runs
from experiments.workloads.tuning.datasets import DATASETS
from experiments.workloads.tuning.tasks import Workload, get, with_data

TASKS = ("rf_california", "rf_wine", "xgb_california", "xgb_wine")
"""The tasks in the order of the panels A to D."""

METHODS = ("boke", "boke_plus", "kr_ucb", "gp_ucb", "random_search")
"""The paper's four methods. Its text has "the other three algorithms", one more than it names: we take
random search."""

BUDGETS: Mapping[str, int] = {"smoke": 14, "quick": 24, "paper": 60}
"""The number of evaluations, the initial design of 2d + 1 points included; the paper prints no number."""

SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 3, "paper": 80}
"""The seeds at each scale; scale paper has as many as the readings need (`theory_checks.readings.boke.figure9`)."""

BLOCK = 20
"""The largest number of seeds of a cell."""

WHOLE = Workload(0, 200)
"""Rows (all) and the largest number of trees at full size: the paper's, except that it prints no bound. A hundred
core-hours."""

WORKLOADS: Mapping[str, Workload] = {
    "smoke": Workload(120, 10),
    "quick": Workload(300, 30),
    "paper": Workload(2000, 50),
}
"""Rows and the largest number of trees; `experiments.boke.fig9_rows` measures the loss."""


def study_cells(scale: str) -> list[Cell]:
    """One cell a task and method, all seeds in it."""
    smoke = scale == "smoke"
    workload = WORKLOADS[scale]
    options = {"budget": BUDGETS[scale], "rows": workload.rows, "size": workload.size}
    return [
        Cell(task, method, block, options)
        for task in (("rf_diabetes",) if smoke else with_data(TASKS))
        for method in (("boke", "random_search") if smoke else METHODS)
        for block in blocks(range(SEEDS[scale]), BLOCK)
    ]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Tune; see `experiments.workloads.tuning.runs.run`."""
    return runs.run(cell, policies.make(cell.policy, get(cell.problem).dim))


STUDY = Study(
    __name__,
    title="Tuning of random forests and XGBoost",
    caption="Best R² of 5-fold cross-validation while random forests (5 hyperparameters) and XGBoost (7) are tuned.",
    cells=study_cells,
    run=run,
    keep=runs.KEPT,
    data=tuple(dict.fromkeys(name for task in TASKS for name in DATASETS[get(task).dataset].files)),
)
