"""More seeds of Figure 8: the paper's four methods on the sprinkler, for the readings of what is stored here.

Regrets on the sprinkler spread over a decade from seed to seed, so that the paper's 30 seeds leave open which of two
methods ends lower. Policies, starts, budget and clock are those of `experiments.boke.fig8`, whose figure keeps the
paper's 30; these are the seeds after them. It runs by its own name only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from experiments.boke.fig8 import BUDGETS, PROBLEM, TIMED_SEEDS, run
from experiments.boke.regret import KEPT
from experiments.engine.study import Cell, Study, blocks

__all__ = ["METHODS", "SEEDS", "STUDY"]

METHODS = ("boke", "boke_plus", "kr_ucb", "gp_ucb")
"""The paper's methods."""

SEEDS: Mapping[str, Sequence[int]] = {"smoke": range(30, 32), "quick": range(30, 60), "paper": range(30, 330)}
"""The seeds at each scale; no seed of the figure is among them."""

BLOCK = 30
"""The largest number of seeds of a cell; scale paper times as many."""


def cells(scale: str) -> list[Cell]:
    """One cell a method and block of seeds."""
    options = {"budget": BUDGETS[scale], "timed_seeds": TIMED_SEEDS[scale]}
    return [Cell(PROBLEM, method, block, options) for block in blocks(SEEDS[scale], BLOCK) for method in METHODS]


STUDY = Study(
    __name__,
    title="Garden sprinkler: more seeds of the paper's four methods",
    caption="Simple regret of the sprinkler's range (8 inputs), four methods, seeds after those of Figure 8.",
    cells=cells,
    run=run,
    keep=replace(KEPT, single=("seconds",)),
    default=False,
)
