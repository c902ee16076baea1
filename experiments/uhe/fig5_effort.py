"""Figure 5 (appendix D), running time, under other efforts, which the paper leaves open and which decide the shares.

A run of UHE-BO or MAP is fits and searches. UHE-BO fits twice as many pseudo-data; the search is the same for both. So
the ratio of their times depends on the effort of the acquisition's search and on the number of starts of a fit, which
the text does not give. Here, at 80 observations, a search takes 5 ms, a fit of MAP 20, of UHE-BO's pseudo-data 50 and
more: all is compiled, and the cost of a fit grows with the data. An interpreted code, as the paper's in GPy, pays by
the call too, for searches most of all. Two efforts beside the ordinary one, both methods alike:

* `search`: ten times the candidates and starts, so that a search is dearer than a fit;
* `restarts`: every fit refined from ten starts, the default of GPy's `optimize_restarts`, so that fits are nearly all.

MCMC runs again only on the forest at scale paper, under the harder search. MCMC fits no hyperparameters, so that
restarts change nothing, and a harder search makes it slower: its stored times under the ordinary effort are lower
bounds, which is enough on the two benchmarks. The study runs by its own name only.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from core import policies
from core.designs import default_initial_size
from core.policies import Policy
from core.policies.base import SearchEffort
from experiments import problems
from experiments.engine.study import Cell, Study
from experiments.uhe import fig2_tuning
from experiments.uhe.benchmarks import STEPS
from experiments.uhe.fig5_runtime import PROBLEMS, timed
from experiments.workloads.tuning import runs
from experiments.workloads.tuning.datasets import DATASETS
from experiments.workloads.tuning.tasks import get, with_data

__all__ = ["ARMS", "METHODS", "STUDY", "TASK", "options", "run"]

METHODS = ("uhe_bo", "gp_ucb_map")
CHAINS = "gp_ucb_mcmc"
TASK = "rf_wilt"

CANDIDATES, STARTS = 10_240, 80
"""The candidates and starts of the harder search, ten times those of every study."""

RESTARTS = 10
"""The number of starts of a fit, all of which are refined."""

ARMS = ("search", "restarts")

REPETITIONS: Mapping[str, int] = {"smoke": 2, "quick": 6, "paper": 8}


def options(arm: str, dim: int) -> dict[str, Any]:
    """The arguments of a method's constructor under one of `ARMS`; MCMC takes the search's alone."""
    if arm == "search":
        return {"effort": SearchEffort.of(dim, raw_candidates=CANDIDATES, starts=STARTS)}
    return {"fit_starts": RESTARTS, "fit_candidates": RESTARTS}


def make(name: str, dim: int, horizon: int, arm: str) -> Policy:
    """The method under the effort, told how many evaluations are planned where it asks."""
    planned = {"horizon": horizon} if policies.with_horizon(name) else {}
    return policies.make(name, dim, **planned, **options(arm, dim))


def study_cells(scale: str) -> list[Cell]:
    """A cell a benchmark and effort, both methods in turn; of the forest one a method and effort at scale paper, and
    MCMC under the harder search."""
    seeds = tuple(range(REPETITIONS[scale]))
    found = [
        Cell(problem, "all", seeds, {"arm": arm, "steps": STEPS[scale]})
        for problem in PROBLEMS[scale]
        for arm in ARMS[: 1 if scale == "smoke" else None]
    ]
    if scale != "paper" or TASK not in with_data((TASK,)):
        return found
    workload = fig2_tuning.WORKLOADS[scale]["rf"]
    size = {"budget": fig2_tuning.BUDGETS[scale], "rows": workload.rows, "size": workload.size}
    timed = [(arm, name) for arm in ARMS for name in METHODS] + [("search", CHAINS)]
    return found + [Cell(TASK, name, seeds, {"arm": arm, **size}) for arm, name in timed]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays of a benchmark: for both methods `seconds_<name>`, `cpu_seconds_<name>` (repetitions,); `steps` (). Of the
    forest: those of `experiments.workloads.tuning.runs`."""
    arm = str(cell.options["arm"])
    if cell.problem == TASK:
        dim = get(TASK).dim
        horizon = int(cell.options["budget"]) - default_initial_size(dim)
        return runs.run(cell, make(cell.policy, dim, horizon, arm))
    problem, steps = problems.get(cell.problem), int(cell.options["steps"])
    made = {name: make(name, problem.dim, steps, arm) for name in METHODS}
    wall, processor = timed(problem, made, cell.seeds, steps)
    return {
        **{f"seconds_{name}": values for name, values in wall.items()},
        **{f"cpu_seconds_{name}": values for name, values in processor.items()},
        "steps": np.asarray(steps),
    }


STUDY = Study(
    __name__,
    title="Running time of UHE-BO and MAP under other efforts",
    caption=(
        "CPU seconds of whole runs of UHE-BO and MAP with the acquisition searched ten times as hard, and with every "
        "fit refined from ten starts."
    ),
    cells=study_cells,
    run=run,
    data=tuple(DATASETS[get(TASK).dataset].files),
    default=False,
)
