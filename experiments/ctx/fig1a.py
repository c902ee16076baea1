"""Figure 1 (a): the synthetic functions. At smoke scale Ackley and two methods, at scale quick without the two
DRBO-MMD, which take most of the time.

At scale paper SBO-KDE, DRBO-KDE and GP-UCB have all rounds, since the order of the first two and GP-UCB turns late on
Ackley; the other peers, which cost up to ten times as much, have 150 (`experiments.ctx.shorter`), but for DRBO-MMD on
Ackley, which had been run when this was decided.
"""

from collections.abc import Mapping

from experiments.ctx.benchmarks import KEPT, METHODS, run
from experiments.ctx.shorter import cells
from experiments.engine.study import Cell, Study

PROBLEMS = ("context_ackley", "context_branin", "context_hartmann", "context_hartmann_complicated")
"""The problems in the order of the panels; smoke scale has the first one."""

WHOLE = frozenset(
    {(problem, method) for problem in PROBLEMS for method in ("sbo_kde", "drbo_kde", "context_free_ucb")}
    | {("context_ackley", "drbo_mmd")}
)
"""The pairs of problem and method with all rounds."""

SHOWN: Mapping[str, tuple[str, ...]] = {
    "smoke": ("sbo_kde", "context_free_ucb"),
    "quick": tuple(method for method in METHODS if not method.startswith("drbo_mmd")),
    "paper": METHODS,
}


def study_cells(scale: str) -> list[Cell]:
    """The cells at a scale."""
    return cells(scale, PROBLEMS[:1] if scale == "smoke" else PROBLEMS, SHOWN[scale], WHOLE)


STUDY = Study(
    __name__,
    title="Cumulative regret, synthetic functions",
    caption=(
        "Cumulative regret of the expectation on Ackley, modified Branin and Hartmann, cumulative reward on Hartmann "
        "with the complicated context distribution."
    ),
    cells=study_cells,
    run=run,
    keep=KEPT,
)
