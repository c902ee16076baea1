"""Figure 2, bottom, and Figure 5, right: classifiers tuned with unknown GP hyperparameters; accuracy and running time.

The paper names the data of its XGBoost task twice, differently: both are run. Where data are missing (and at smoke
scale) the same models are tuned on data that scikit-learn ships.
"""

from collections.abc import Mapping

import numpy as np

from core import policies
from core.designs import default_initial_size
from experiments.engine.study import Cell, Study, blocks
from experiments.workloads.tuning import runs
from experiments.workloads.tuning.datasets import DATASETS
from experiments.workloads.tuning.tasks import Workload, get, with_data

TASKS = ("lr_vehicle", "xgb_australian", "xgb_kc1", "rf_wilt")

METHODS = (
    "uhe_bo",
    "gp_ucb_map",
    "gp_ucb_mcmc",
    "a_gp_ucb",
    "wang_de_freitas",
    "portfolio_exp3",
    "random_search",
)
"""The paper's seven methods. MCMC, whose proposals take half of the time of all, runs at scale paper only."""


SHOWN: Mapping[str, tuple[str, ...]] = {
    "smoke": ("uhe_bo", "gp_ucb_map"),
    "quick": tuple(method for method in METHODS if method != "gp_ucb_mcmc"),
    "paper": METHODS,
}

BUDGETS: Mapping[str, int] = {"smoke": 9, "quick": 24, "paper": 50}
"""The number of evaluations, the initial design of 2d + 1 points included; the paper prints no number."""

SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 3, "paper": 80}
"""The seeds at each scale; scale paper has as many as the readings need (`theory_checks.readings.uhe.tuning`)."""

BLOCK = 20
"""The largest number of seeds of a cell."""

WORKLOADS: Mapping[str, Mapping[str, Workload]] = {
    "smoke": {"lr": Workload(300, 10)},
    "quick": {
        "lr": Workload(0, 100),
        "lr_digits": Workload(600, 100),
        "xgb": Workload(900, 100),
        "rf": Workload(1500, 32),
    },
    "paper": {"lr": Workload(0, 300), "xgb": Workload(0, 300), "rf": Workload(0, 32)},
}
"""Rows, and epochs or trees, by task or else by model; `experiments.uhe.fig2_tuning_size` measures the loss."""

WHOLE: Mapping[str, int] = {"lr": 1000, "xgb": 2000, "rf": 512}
"""HPOBench's full fidelity: epochs or trees by model, on all rows. Some thirty core-hours with 100 evaluations."""


def study_cells(scale: str) -> list[Cell]:
    """One cell a task and method, all seeds in it."""
    smoke = scale == "smoke"
    cells: list[Cell] = []
    for task in ("lr_digits",) if smoke else with_data(TASKS):
        workload = WORKLOADS[scale].get(task) or WORKLOADS[scale][task.partition("_")[0]]
        options = {"budget": BUDGETS[scale], "rows": workload.rows, "size": workload.size}
        for method in SHOWN[scale]:
            cells.extend(Cell(task, method, block, options) for block in blocks(range(SEEDS[scale]), BLOCK))
    return cells


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Tune; see `experiments.workloads.tuning.runs.run`. The bandits' horizon is the number of evaluations after the
    design."""
    dim = get(cell.problem).dim
    horizon = int(cell.options["budget"]) - default_initial_size(dim)
    options = {"horizon": horizon} if policies.with_horizon(cell.policy) else {}
    return runs.run(cell, policies.make(cell.policy, dim, **options))


STUDY = Study(
    __name__,
    title="Tuning of classifiers with unknown hyperparameters",
    caption="Best accuracy while logistic regression, XGBoost and random forests are tuned, and the methods' own time.",
    cells=study_cells,
    run=run,
    keep=runs.KEPT,
    data=tuple(dict.fromkeys(name for task in TASKS for name in DATASETS[get(task).dataset].files)),
)
