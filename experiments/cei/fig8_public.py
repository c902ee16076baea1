"""Figure 8 by the protocol of the authors' public code: as `experiments.cei.fig3_public`, at the high levels of noise.

EI and corrected EI on Griewank, whose range on the box's diagonal is the exact one. It runs by its own name only.
"""

from collections.abc import Mapping

from experiments.cei.benchmarks import COMPARED, KEPT
from experiments.cei.fig3_public import cell, run
from experiments.cei.fig8 import LEVELS, PROBLEM
from experiments.cei.fig8_seeds import HIGH
from experiments.engine.study import Cell, Study

__all__ = ["SEEDS", "STUDY"]

SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 6, "paper": 60}
"""The number of seeds, twice that of Figure 8."""


def cells(scale: str) -> list[Cell]:
    """One cell a level of noise and method, all seeds in it."""
    return [
        cell(scale, PROBLEM[scale], method, range(SEEDS[scale]), level)
        for level in LEVELS[scale]
        if level >= HIGH
        for method in COMPARED
    ]


STUDY = Study(
    __name__,
    title="Griewank under high noise by the protocol of the public code",
    caption="Distance from x+ to the optimiser of Griewank (6D) by EI and corrected EI with the model and the search "
    "of the public code, noise of 10 to 20 %.",
    cells=cells,
    run=run,
    keep=KEPT,
    program=lambda cell: cell.problem,
    default=False,
)
