"""All methods of Paper C to the paper's length on ten fresh seeds: by the text, and by the public code.

Arms: `text`; `fitted_mean`, the constant prior mean of the public code's model, fitted along with the rest; and
`public_code`, its sets of contexts. These are, for StableOpt, the box below the mean of the observed contexts; for
DRBO-KDE, the infimum over [-1, 0] in each coordinate; for both DRBO-MMD, as many contexts on the diagonal of the unit
cube as the grid has, which is the grid where contexts have one dimension. Methods and problems that an arm leaves as
they are in `text` are not run again.

The study answers what Figures 1 and 2 leave open where the slower peers end after 150 rounds. It runs by its own name
only: by the processor seconds of the cells that are stored, a run of 150 rounds counted five times (rounds and rows of
the data both grow), scale paper takes some 55 core-hours.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.ctx import benchmarks, fig1a, fig1b, fig2
from experiments.ctx.benchmarks import BLOCK, KEPT, METHODS, ROUNDS
from experiments.data import present
from experiments.engine.study import Cell, Study, blocks
from experiments.problems.contexts.portfolio import FILE
from experiments.problems.contexts.registry import NEEDS_DATA

__all__ = ["ARMS", "FITTED", "PROBLEMS", "PUBLIC", "SEEDS", "STUDY", "TEXT", "changes", "run"]

TEXT, FITTED, PUBLIC = "text", "fitted_mean", "public_code"
DIAGONAL = ("context_branin", "portfolio_uniform", "portfolio_normal", "context_ackley4")
"""Problems with several context dimensions, where a diagonal is not the grid."""

ARMS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    TEXT: {method: {} for method in METHODS},
    FITTED: {method: {"prior_mean": "fitted"} for method in METHODS},
    PUBLIC: {
        "stable_opt": {"region": "below"},
        "drbo_kde": {"infimum": "reflected"},
        "drbo_mmd": {"layout": "diagonal"},
        "drbo_mmd_minimax": {"layout": "diagonal"},
    },
}
"""Arm -> method -> options of the policy."""

PROBLEMS = (*fig1a.PROBLEMS, *fig1b.PROBLEMS, *fig2.PROBLEMS)

SEEDS: Mapping[str, tuple[int, ...]] = {
    "smoke": (400, 401),
    "quick": tuple(range(400, 405)),
    "paper": tuple(range(400, 410)),
}
"""None of them had been run."""


def changes(arm: str, problem: str, method: str) -> bool:
    """Whether an arm has runs of its own of a method on a problem."""
    options = ARMS[arm].get(method)
    return options is not None and ("layout" not in options or problem in DIAGONAL)


def cells(scale: str) -> list[Cell]:
    """One cell a problem, method, arm and block of seeds; smoke: the first method on the first problem."""
    smoke = scale == "smoke"
    return [
        Cell(problem, method, block, {"rounds": ROUNDS[scale], "arm": arm})
        for problem in PROBLEMS[: 1 if smoke else None]
        if problem not in NEEDS_DATA or present(FILE) is not None
        for arm in ARMS
        for method in (METHODS[:1] if smoke else METHODS)
        if changes(arm, problem, method)
        for block in blocks(SEEDS[scale], BLOCK)
    ]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays as `experiments.ctx.benchmarks.run`."""
    return benchmarks.run(cell, **ARMS[str(cell.options["arm"])][cell.policy])


STUDY = Study(
    __name__,
    title="All methods of Figures 1 and 2 to their full length",
    caption="Cumulative regret of every method over all rounds: by the text, with a fitted mean, and with the public "
    "code's sets of contexts.",
    cells=cells,
    run=run,
    keep=KEPT,
    data=(FILE,),
    default=False,
)
