"""Figure 1 (b): newsvendor, and portfolio where its data are (`KERNELBO_DATA`). Smoke: SBO-KDE on newsvendor. At scale
quick without the two DRBO-MMD on the portfolios, which take half of the time; on newsvendor three controls read them.

At scale paper 150 rounds (`experiments.ctx.shorter`), but of SBO-KDE, DRBO-KDE and GP-UCB on newsvendor all: after 150
of them, twenty seeds, the lead of the first two over GP-UCB was in the first half alone.
"""

from experiments.ctx.benchmarks import KEPT, METHODS, run
from experiments.ctx.shorter import cells
from experiments.engine.study import Cell, Study
from experiments.problems.contexts.portfolio import FILE

PROBLEMS = ("newsvendor", "portfolio_uniform", "portfolio_normal")
"""The problems in the order of the panels; smoke scale has the first one."""

WHOLE = frozenset({("newsvendor", method) for method in ("sbo_kde", "drbo_kde", "context_free_ucb")})
"""The pairs of problem and method with all rounds."""

SMOKE_METHODS = ("sbo_kde",)
QUICKER = tuple(method for method in METHODS if not method.startswith("drbo_mmd"))
"""The methods on the portfolios at scale quick."""


def study_cells(scale: str) -> list[Cell]:
    """The cells at a scale."""
    if scale == "smoke":
        return cells(scale, PROBLEMS[:1], SMOKE_METHODS, WHOLE)
    if scale == "quick":
        return cells(scale, PROBLEMS[:1], METHODS, WHOLE) + cells(scale, PROBLEMS[1:], QUICKER, WHOLE)
    return cells(scale, PROBLEMS, METHODS, WHOLE)


STUDY = Study(
    __name__,
    title="Cumulative regret, newsvendor and portfolio",
    caption=(
        "Cumulative regret of the expectation on the newsvendor problem and on portfolio optimisation with two "
        "context distributions."
    ),
    cells=study_cells,
    run=run,
    keep=KEPT,
    data=(FILE,),
)
