"""Figure 1 (a) of Paper C to its whole length: the slower peers over 340 rounds, and Ackley with a fitted mean.

Figure 1 (a) stops StableOpt and both DRBO-MMD after 150 rounds, on five seeds. Here these have all rounds on its first
ten seeds, beside its own runs of SBO-KDE, DRBO-KDE and GP-UCB: arm `text`. In the arm `fitted_mean` these three have
the constant prior mean of the public code's model, fitted along with the rest, on Ackley, whose order that mean turned
in short runs (`experiments.ctx.model_arms`).

The study runs by its own name only, and takes six core-hours or so: at 350 observations a proposal of a DRBO-MMD takes
1.5 CPU seconds and one of StableOpt 1.1, and a run costs 173 times as much, since the arrays grow in powers of two. All
six methods on all eight problems would take 20, under each of the two prior means, and 15 with the public code's sets
of contexts.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.ctx import benchmarks, fig1a
from experiments.ctx.benchmarks import BLOCK, KEPT, METHODS, ROUNDS
from experiments.ctx.shorter import SLOWER
from experiments.engine.study import Cell, Study, blocks

__all__ = ["ARMS", "FITTED", "SEEDS", "STUDY", "TEXT", "run"]

TEXT, FITTED = "text", "fitted_mean"

ARMS: Mapping[str, Mapping[tuple[str, str], Mapping[str, Any]]] = {
    FITTED: {("context_ackley", name): {"prior_mean": "fitted"} for name in METHODS if name not in SLOWER},
    TEXT: {
        **{(problem, name): {} for problem in fig1a.PROBLEMS for name in SLOWER},
        ("context_hartmann_complicated", "context_free_ucb"): {},
    },
}
"""The options of the policies by arm, problem and method. GP-UCB has five seeds on complicated Hartmann in Figure 1
(a)."""

SEEDS: Mapping[str, tuple[int, ...]] = {
    "smoke": benchmarks.SEEDS["smoke"],
    "quick": benchmarks.SEEDS["quick"],
    "paper": benchmarks.SEEDS["paper"][:10],
}
"""The seeds at each scale, which are seeds of Figure 1 (a)."""


def cells(scale: str) -> list[Cell]:
    """One cell a problem, method, arm and block of seeds, the first blocks first; smoke: the first method."""
    found = [
        Cell(problem, method, block, {"rounds": ROUNDS[scale], "arm": arm})
        for block in blocks(SEEDS[scale], BLOCK)
        for arm, runs in ARMS.items()
        for problem, method in runs
    ]
    return found[:1] if scale == "smoke" else found


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays as `experiments.ctx.benchmarks.run`."""
    return benchmarks.run(cell, **ARMS[str(cell.options["arm"])][cell.problem, cell.policy])


STUDY = Study(
    __name__,
    title="Figure 1 (a) to its full length",
    caption="Cumulative regret of StableOpt and both DRBO-MMD over all rounds, and of the others on Ackley with a "
    "fitted mean.",
    cells=cells,
    run=run,
    keep=KEPT,
    default=False,
)
