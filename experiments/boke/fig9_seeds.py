"""Other seeds of KR-UCB and GP-UCB under the two circumstances of Figure 9 (C, D) that twenty seeds left open.

Of the six circumstances under which it is judged whether acquisition functions that favour exploitation converge faster
on XGBoost, four reverse the sentence, each of them by KR-UCB against GP-UCB. In the narrow box (`fig9_boxes`) and with
GP-UCB's longest lengthscale and smaller beta (`fig9_constants`) KR-UCB was behind GP-UCB too, by 0.003 either way, but
not at the ledger's level: the seeds here, none of them run before, judge that comparison there, alone
(`theory_checks.readings.boke.tuning_runs`). At the spread of the first they find a difference of 0.003 with
power 0.95 and more, both tasks together. All else is as there. It runs by its own name only.
"""

from collections.abc import Mapping

import numpy as np

from core import policies
from experiments.boke.fig9 import BUDGETS, WORKLOADS
from experiments.boke.fig9_boxes import BOOSTED, BOXES
from experiments.boke.fig9_constants import BLOCK, READ, SETTINGS
from experiments.boke.fig9_constants import METHOD as PEER
from experiments.boke.regret_constants import in_words
from experiments.engine.study import Cell, Study, blocks
from experiments.workloads.tuning import runs
from experiments.workloads.tuning.datasets import DATASETS
from experiments.workloads.tuning.tasks import get, with_data

__all__ = ["BOX", "METHODS", "OTHER", "SEEDS", "SETTING", "STUDY", "run"]

OTHER = "kr_ucb"
"""The method that converges faster according to the paper."""

METHODS = (OTHER, PEER)

SETTING = in_words(SETTINGS[1])
"""GP-UCB's constants; KR-UCB has ours."""

BOX = "narrow"
"""The box in which both methods have our constants."""

SEEDS: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "smoke": {SETTING: (1000, 1001), BOX: (1000, 1001)},
    "quick": {SETTING: tuple(range(1000, 1006)), BOX: tuple(range(1000, 1006))},
    "paper": {SETTING: tuple(range(1000, 1160)), BOX: tuple(range(1000, 1060))},
}
"""The seeds by circumstance; no seed of Figure 9 is among them."""


def cells(scale: str) -> list[Cell]:
    """One cell a circumstance, task, method and block of seeds; at smoke scale on the data that scikit-learn ships."""
    workload = WORKLOADS[scale]
    options = {"budget": BUDGETS[scale], "rows": workload.rows, "size": workload.size}
    return [
        Cell(task, method, block, {**options, "circumstance": circumstance})
        for circumstance, seeds in SEEDS[scale].items()
        for task in (("xgb_diabetes",) if scale == "smoke" else with_data(BOOSTED))
        for block in blocks(seeds, BLOCK)
        for method in METHODS
    ]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Tune under the cell's circumstance; arrays `READ` of `experiments.workloads.tuning.runs.run`."""
    circumstance = str(cell.options["circumstance"])
    constants = dict(SETTINGS[1]) if circumstance == SETTING and cell.policy == PEER else {}
    policy = policies.make(cell.policy, get(cell.problem).dim, **constants)
    arrays = runs.run(cell, policy, BOXES[BOX] if circumstance == BOX else None)
    return {name: arrays[name] for name in READ}


STUDY = Study(
    __name__,
    title="Other seeds of XGBoost",
    caption="Best R² of 5-fold cross-validation by KR-UCB and GP-UCB under two circumstances of Figure 9 (C, D).",
    cells=cells,
    run=run,
    data=tuple(dict.fromkeys(name for task in BOOSTED for name in DATASETS[get(task).dataset].files)),
    default=False,
)
