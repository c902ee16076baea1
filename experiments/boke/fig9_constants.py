"""Other constants of GP-UCB on the tasks of Figure 9: does any turn its order?

The paper prints neither the lengthscale that its GP-UCB keeps fixed nor its beta. No value is chosen from this sweep;
it shows what depends on our values. Runs are Figure 9's, with the same designs, folds, budget and workload, and pair by
seed with the first of its seeds. It runs by its own name only.

These settings are the two ends of the settings of GP-UCB fixed before the sweep on Figures 6 and 7
(`regret_constants.SETTINGS`): the shortest lengthscale with the larger beta, which explores the most, and the longest
with the smaller, which exploits the most. Ours (`core.policies.constants`) lie between.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from core import policies
from experiments.boke.fig9 import BUDGETS, TASKS, WORKLOADS
from experiments.boke.regret_constants import Setting, in_words
from experiments.engine.study import Cell, Study, blocks
from experiments.workloads.tuning import runs
from experiments.workloads.tuning.datasets import DATASETS
from experiments.workloads.tuning.tasks import get, with_data

__all__ = ["METHOD", "SEEDS", "SETTINGS", "STUDY", "run"]

METHOD = "gp_ucb"

SETTINGS: Sequence[Setting] = ({"lengthscale": 0.1, "beta": 4.0}, {"lengthscale": 0.8, "beta": 1.0})
"""The settings in the order of the runs: all tasks with the first setting, then all with the second."""

SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 6, "paper": 20}
"""The number of seeds, the first of Figure 9's."""

BLOCK = 20
"""The largest number of seeds of a cell."""

ORDER = tuple(sorted(TASKS, key=lambda task: task.startswith("rf_")))
"""The tasks: XGBoost, whose runs are quicker, before the forests."""

READ = ("best", "failures", "initial_size")
"""The arrays of `runs.run` that are kept."""


def cells(scale: str) -> list[Cell]:
    """One cell a setting, task and block of seeds; at smoke scale one setting on the data that scikit-learn ships."""
    smoke, workload = scale == "smoke", WORKLOADS[scale]
    options = {"budget": BUDGETS[scale], "rows": workload.rows, "size": workload.size}
    return [
        Cell(task, METHOD, block, {**options, "constants": dict(setting)})
        for setting in SETTINGS[: 1 if smoke else None]
        for task in (("rf_diabetes",) if smoke else with_data(ORDER))
        for block in blocks(range(SEEDS[scale]), BLOCK)
    ]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Tune with the cell's constants; arrays `READ` of `experiments.workloads.tuning.runs.run`, and `setting` (), its
    name."""
    constants = cell.options["constants"]
    arrays = runs.run(cell, policies.make(cell.policy, get(cell.problem).dim, **constants))
    return {name: arrays[name] for name in READ} | {"setting": np.asarray(in_words(constants))}


STUDY = Study(
    __name__,
    title="Other constants of GP-UCB in the tuning of random forests and XGBoost",
    caption="Best R² of 5-fold cross-validation by GP-UCB with other constants, on the tasks of Figure 9.",
    cells=cells,
    run=run,
    data=tuple(dict.fromkeys(name for task in TASKS for name in DATASETS[get(task).dataset].files)),
    default=False,
)
