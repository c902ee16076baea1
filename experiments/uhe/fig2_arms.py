"""Figure 2 (top) under other readings of the paper's open points: at scale paper on all four problems, at scale quick
on Deceptive alone, where runs are shorter.

The second parameter of the Gamma priors as a scale; rewards of the bandits not cut off at the best of D_0; HMC with
GPy's defaults; h1 on the box where it is usually plotted. All else, seeds and initial data included, is as in
`experiments.uhe.fig2`; what a reading does not change is not run again. At scale quick UHE-BO and MAP alone are run:
verdicts are of scale paper.
"""

from collections.abc import Mapping

from experiments.engine.study import Cell, Study
from experiments.uhe.benchmarks import KEPT, METHODS, cell, run

__all__ = ["AFFECTED", "COMPARED", "NEAR", "STUDY"]

NEAR = "h1_near"
COMPARED: Mapping[str, tuple[str, ...]] = {
    "smoke": ("uhe_bo", "gp_ucb_map"),
    "quick": ("uhe_bo", "gp_ucb_map"),
    "paper": METHODS,
}
"""UHE-BO and peers, at each scale."""

AFFECTED: Mapping[str, tuple[str, ...]] = {
    "scale": tuple(name for name in METHODS if name != "random_search"),
    "uncapped": ("uhe_bo", "portfolio_exp3"),
    "gpy_hmc": ("gp_ucb_mcmc",),
}
"""The methods that a reading changes, by reading."""

PROBLEMS: Mapping[str, tuple[str, ...]] = {
    "smoke": ("deceptive2",),
    "quick": ("deceptive2",),
    "paper": ("deceptive2", "h1", "branin", "hartmann3"),
}
"""The problems at each scale."""


def study_cells(scale: str) -> list[Cell]:
    """One cell a problem, method and reading."""
    names = COMPARED[scale]
    found = [
        cell(scale, problem, name, arm=arm)
        for problem in PROBLEMS[scale]
        for arm, affected in AFFECTED.items()
        for name in names
        if name in affected
    ]
    return found + [cell(scale, NEAR, name) for name in names if scale == "paper"]


STUDY = Study(
    __name__,
    title="UHE-BO and its peers under other readings of the text",
    caption=(
        "Simple regret on Deceptive, at scale paper on h1, Branin and Hartmann3 too, with the priors' 10 as a "
        "scale, with uncapped rewards, with GPy's HMC, and on h1's smaller box."
    ),
    cells=study_cells,
    run=run,
    keep=KEPT,
)
