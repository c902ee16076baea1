"""Figure 2 (appendix D): Ackley with four contexts. At smoke scale SBO-KDE alone."""

from experiments.ctx.benchmarks import METHODS, run
from experiments.ctx.shorter import cells
from experiments.engine.study import Cell, Study

PROBLEMS = ("context_ackley4",)
"""In the order of the panels; smoke scale has the first."""

SMOKE_METHODS = ("sbo_kde",)


def study_cells(scale: str) -> list[Cell]:
    """The cells at a scale."""
    if scale == "smoke":
        return cells(scale, PROBLEMS[:1], SMOKE_METHODS)
    return cells(scale, PROBLEMS, METHODS)


STUDY = Study(
    __name__,
    title="Cumulative regret, four contexts",
    caption=("Cumulative regret of the expectation on Ackley with two decisions and four contexts."),
    cells=study_cells,
    run=run,
)
