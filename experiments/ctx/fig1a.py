"""Figure 1 (a): the synthetic functions. At smoke scale Ackley and two methods."""

from experiments.ctx.benchmarks import METHODS, cells, run
from experiments.engine.study import Cell, Study

PROBLEMS = ("context_ackley", "context_branin", "context_hartmann", "context_hartmann_complicated")
"""In the order of the panels; smoke scale has the first."""

SMOKE_METHODS = ("sbo_kde", "context_free_ucb")


def study_cells(scale: str) -> list[Cell]:
    """The cells at a scale."""
    if scale == "smoke":
        return cells(scale, PROBLEMS[:1], SMOKE_METHODS)
    return cells(scale, PROBLEMS, METHODS)


STUDY = Study(
    __name__,
    title="Cumulative regret, synthetic functions",
    caption=(
        "Cumulative regret of the expectation on Ackley, modified Branin and Hartmann, cumulative reward on Hartmann "
        "with the complicated context distribution."
    ),
    cells=study_cells,
    run=run,
)
