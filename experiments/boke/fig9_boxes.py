"""Other boxes of XGBoost on the tasks of Figure 9 (C, D): does any turn its order?

The paper prints the names of the tuned hyperparameters, but neither bounds nor scales. No box is chosen from this
sweep; it shows what depends on our box (`experiments.workloads.tuning.tasks`). Data, folds, budget, workload and seeds
are Figure 9's, its first ones, as many as with other constants (`fig9_constants`), and the designs are the same points
of the unit cube; all methods have our constants. It runs by its own name only.

The two boxes were written down before any run in them. One is wide and logarithmic where a library's users search so,
hence mostly bad; the other keeps near the library's defaults, hence mostly good. Forests are left out: two core-hours.
"""

from collections.abc import Mapping

import numpy as np

from core import policies
from experiments.boke.fig9 import BUDGETS, TASKS, WORKLOADS
from experiments.boke.fig9_constants import BLOCK, READ, SEEDS
from experiments.engine.study import Cell, Study, blocks
from experiments.workloads.tuning import runs
from experiments.workloads.tuning.datasets import DATASETS
from experiments.workloads.tuning.parameters import Parameter
from experiments.workloads.tuning.tasks import get, with_data

__all__ = ["BOXES", "METHODS", "SEEDS", "STUDY", "run"]

METHODS = ("boke", "boke_plus", "kr_ucb", "gp_ucb")
"""The methods with an acquisition function, which the text compares."""

BOXES: Mapping[str, tuple[Parameter, ...]] = {
    "wide": (
        Parameter("n_estimators", 5, 200, log=True, integer=True),
        Parameter("max_depth", 1, 15, integer=True),
        Parameter("learning_rate", 1e-3, 1.0, log=True),
        Parameter("subsample", 0.1, 1.0),
        Parameter("colsample_bytree", 0.1, 1.0),
        Parameter("gamma", 1e-3, 10.0, log=True),
        Parameter("min_child_weight", 1.0, 100.0, log=True),
    ),
    "narrow": (
        Parameter("n_estimators", 5, 200, integer=True),
        Parameter("max_depth", 3, 10, integer=True),
        Parameter("learning_rate", 0.05, 0.3),
        Parameter("subsample", 0.7, 1.0),
        Parameter("colsample_bytree", 0.7, 1.0),
        Parameter("gamma", 0.0, 1.0),
        Parameter("min_child_weight", 1.0, 5.0),
    ),
}
"""The boxes in the order of the runs: all tasks in the first box, then all in the second. The largest number of trees
is the workload's in every box."""

BOOSTED = tuple(task for task in TASKS if task.startswith("xgb_"))


def cells(scale: str) -> list[Cell]:
    """One cell a box, task, method and block of seeds; at smoke scale a box and two methods on the data that
    scikit-learn ships."""
    smoke, workload = scale == "smoke", WORKLOADS[scale]
    options = {"budget": BUDGETS[scale], "rows": workload.rows, "size": workload.size}
    return [
        Cell(task, method, block, {**options, "box": box})
        for box in tuple(BOXES)[: 1 if smoke else None]
        for task in (("xgb_diabetes",) if smoke else with_data(BOOSTED))
        for method in METHODS[: 2 if smoke else None]
        for block in blocks(range(SEEDS[scale]), BLOCK)
    ]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Tune in the cell's box; arrays `READ`, as with other constants, of `experiments.workloads.tuning.runs.run`."""
    box = str(cell.options["box"])
    arrays = runs.run(cell, policies.make(cell.policy, get(cell.problem).dim), BOXES[box])
    return {name: arrays[name] for name in READ}


STUDY = Study(
    __name__,
    title="Other boxes of XGBoost",
    caption="Best R² of 5-fold cross-validation by XGBoost in two other boxes, on the tasks of Figure 9 (C, D).",
    cells=cells,
    run=run,
    data=tuple(dict.fromkeys(name for task in BOOSTED for name in DATASETS[get(task).dataset].files)),
    default=False,
)
