"""Figure 2 (top): UHE-BO and its six baselines on the synthetic problems. Figure 4 is drawn from the same runs.

At smoke scale one problem and three methods.
"""

from experiments.engine.study import Cell, Study
from experiments.uhe.benchmarks import KEPT, METHODS, cells, run

SMOKE_METHODS = ("uhe_bo", "gp_ucb_map", "random_search")


def study_cells(scale: str) -> list[Cell]:
    """The cells at a scale."""
    return cells(scale, SMOKE_METHODS if scale == "smoke" else METHODS)


STUDY = Study(
    __name__,
    title="Simple regret and prediction error, synthetic problems",
    caption=(
        "Simple regret against the number of evaluations, and mean squared error of the predictions, of UHE-BO and six "
        "baselines on Branin, Deceptive, Hartmann3 and h1."
    ),
    cells=study_cells,
    run=run,
    keep=KEPT,
)
