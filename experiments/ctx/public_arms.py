"""StableOpt, DRBO-KDE and DRBO-MMD of Figure 1 (a) with the sets of contexts of the public code.

The public code scales Sobol points by lower - upper. StableOpt's box of contexts then reaches from the mean of the
observed contexts less three deviations to the mean less one, where appendix B.1 has the mean plus and less one; the
infimum of DRBO-KDE is that over [-1, 0] in each coordinate, without the sample, where the contexts live in [0, 1].
DRBO-MMD has as many contexts on the diagonal of the unit cube as the grid has: the two differ on modified Branin alone,
where contexts have two dimensions. All else is as in Figure 1 (a), whose cells of the same seeds are the other side of
every comparison: the paper's five seeds, 150 rounds. It runs by its own name only.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.ctx import benchmarks, fig1a
from experiments.ctx.benchmarks import KEPT
from experiments.ctx.shorter import ROUNDS
from experiments.engine.study import Cell, Study

__all__ = ["OPTIONS", "SEEDS", "STUDY", "run"]

OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "stable_opt": {"region": "below"},
    "drbo_kde": {"infimum": "reflected"},
    "drbo_mmd": {"layout": "diagonal"},
}
"""Options of the policies by method."""

DIAGONAL = ("context_branin",)
"""The problems whose contexts have more than one dimension."""

SEEDS = benchmarks.SEEDS["quick"]
"""The paper's number of seeds."""


def cells(scale: str) -> list[Cell]:
    """One cell a problem and method; at smoke scale the first."""
    seeds = benchmarks.SEEDS["smoke"] if scale == "smoke" else SEEDS
    every = [
        Cell(problem, method, seeds, {"rounds": ROUNDS[scale], "arm": "public_code"})
        for method in OPTIONS
        for problem in (DIAGONAL if "layout" in OPTIONS[method] else fig1a.PROBLEMS)
    ]
    return every[:1] if scale == "smoke" else every


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays as `experiments.ctx.benchmarks.run`."""
    return benchmarks.run(cell, **OPTIONS[cell.policy])


STUDY = Study(
    __name__,
    title="Figure 1 (a) with the sets of contexts of the public code",
    caption="Cumulative regret of StableOpt, its box below the mean, of DRBO-KDE, its infimum over [-1, 0], and of "
    "DRBO-MMD, its contexts on a diagonal.",
    cells=cells,
    run=run,
    keep=KEPT,
    default=False,
)
