"""Made-up results of `boke.fig9` and `uhe.fig2_tuning`, with the arrays that the studies promise."""

from functools import partial
from typing import Any

import numpy as np

from experiments.boke import fig9
from experiments.engine.store import Result
from experiments.uhe import fig2_tuning
from experiments.workloads.tuning.tasks import get
from paper_figures.load import StudyResults
from tests.paper_figures.made_up import Studies, made_up, results_of

SEEDS = tuple(range(8))
BUDGET = 30


def results(study: str, module: Any) -> StudyResults:
    """Scores that rise, the faster the earlier a method is named; one evaluation in all has failed."""
    rng, found = np.random.default_rng(13), list[Result]()
    for task in module.TASKS:
        initial = 2 * get(task).dim + 1
        design = rng.uniform(0.2, 0.5, (len(SEEDS), initial))
        for rank, method in enumerate(module.METHODS):
            rise = rng.exponential(0.02 / (rank + 1), (len(SEEDS), BUDGET - initial)).cumsum(axis=1)
            best = np.maximum.accumulate(np.hstack([design, design.max(axis=1, keepdims=True) + rise]), axis=1)
            failures = ["ValueError: overflow, with {}"] if task == module.TASKS[0] and rank == 0 else []
            found.append(
                made_up(
                    study, task, method, SEEDS, {"budget": BUDGET, "rows": 300, "size": 30},
                    best=best, value=best, initial_size=initial, rows=300, size=30,
                    proposal_seconds=rng.uniform(1e-3, 2e-3, best.shape) * (rank + 1),
                    evaluation_seconds=rng.uniform(0.01, 0.1, best.shape),
                    failures=np.asarray(failures, dtype=str),
                )
            )  # fmt: skip
    return results_of(study, found)


STUDIES: Studies = {
    "boke.fig9": partial(results, "boke.fig9", fig9),
    "uhe.fig2_tuning": partial(results, "uhe.fig2_tuning", fig2_tuning),
}
