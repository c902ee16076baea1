"""Figure 2 (appendix D): Ackley with four contexts. At smoke scale SBO-KDE alone, at scale quick without the two
DRBO-MMD, which take two thirds of the time."""

from collections.abc import Mapping

from experiments.ctx.benchmarks import KEPT, METHODS, run
from experiments.ctx.shorter import cells
from experiments.engine.study import Cell, Study

PROBLEMS = ("context_ackley4",)
"""The problems in the order of the panels; smoke scale has the first one."""

SHOWN: Mapping[str, tuple[str, ...]] = {
    "smoke": ("sbo_kde",),
    "quick": tuple(method for method in METHODS if not method.startswith("drbo_mmd")),
    "paper": METHODS,
}


def study_cells(scale: str) -> list[Cell]:
    """The cells at a scale."""
    return cells(scale, PROBLEMS, SHOWN[scale])


STUDY = Study(
    __name__,
    title="Cumulative regret, four contexts",
    caption=("Cumulative regret of the expectation on Ackley with two decisions and four contexts."),
    cells=study_cells,
    run=run,
    keep=KEPT,
)
