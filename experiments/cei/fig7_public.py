"""Figure 7 by the protocol of the authors' public code: as `experiments.cei.fig3_public`, under noise of 15 %.

EI and corrected PI are the peers: the two others that the text calls analytic, PI and UCB, and the two Monte-Carlo
methods are not built anew on that code's terms. It runs by its own name only.
"""

from collections.abc import Mapping

from experiments.cei.benchmarks import KEPT
from experiments.cei.fig3_public import PROBLEMS, cell, run
from experiments.cei.fig7 import NOISE_FRACTION
from experiments.engine.study import Cell, Study

__all__ = ["METHODS", "SEEDS", "STUDY"]

METHODS = ("corrected_ei", "ei", "corrected_pi")

SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 6, "paper": 40}
"""The number of seeds, which is that of Figure 7; the paper has fifteen."""


def cells(scale: str) -> list[Cell]:
    """One cell a problem and method, all seeds in it."""
    return [
        cell(scale, problem, method, range(SEEDS[scale]), NOISE_FRACTION)
        for problem in PROBLEMS[scale]
        for method in METHODS
    ]


STUDY = Study(
    __name__,
    title="Figure 7 by the protocol of the public code",
    caption="Corrected EI, EI and corrected PI with the model and the search of the public code, noise of 15 %.",
    cells=cells,
    run=run,
    keep=KEPT,
    program=lambda cell: cell.problem,
    default=False,
)
