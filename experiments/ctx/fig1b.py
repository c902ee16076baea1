"""Figure 1 (b): newsvendor, and portfolio where its data are (`KERNELBO_DATA`). Smoke: SBO-KDE on newsvendor."""

from experiments.ctx.benchmarks import METHODS, run
from experiments.ctx.shorter import cells
from experiments.engine.study import Cell, Study
from experiments.problems.contexts.portfolio import FILE

PROBLEMS = ("newsvendor", "portfolio_uniform", "portfolio_normal")
"""In the order of the panels; smoke scale has the first."""

SMOKE_METHODS = ("sbo_kde",)


def study_cells(scale: str) -> list[Cell]:
    """The cells at a scale."""
    if scale == "smoke":
        return cells(scale, PROBLEMS[:1], SMOKE_METHODS)
    return cells(scale, PROBLEMS, METHODS)


STUDY = Study(
    __name__,
    title="Cumulative regret, newsvendor and portfolio",
    caption=(
        "Cumulative regret of the expectation on the newsvendor problem and on portfolio optimisation with two "
        "context distributions."
    ),
    cells=study_cells,
    run=run,
    data=(FILE,),
)
