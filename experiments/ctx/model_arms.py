"""The model of the public code against the paper's text: a constant prior mean, and a floor of the noise.

Section 2.1 of the SBO-KDE paper supposes mean zero; the model that its public code runs (`SingleTaskGP` of BoTorch 0.9)
has a constant mean, fitted along with the rest, and noise variances of at least 1e-4 on standardised outputs. All else
is as in Figure 1, which `text` repeats; each arm is paired with it by seed. It runs by its own name only.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.ctx import benchmarks, fig1a
from experiments.ctx.benchmarks import ROUNDS, SEEDS
from experiments.engine.study import Cell, Study

__all__ = ["ARMS", "METHODS", "PROBLEMS", "STUDY", "run"]

PUBLIC_FLOOR = 1e-4
"""The least noise variance of the public code's model, on standardised outputs."""

ARMS: Mapping[str, Mapping[str, Any]] = {
    "text": {},
    "fitted_mean": {"prior_mean": "fitted"},
    "floor": {"noise_floor": PUBLIC_FLOOR},
    "public_code": {"prior_mean": "fitted", "noise_floor": PUBLIC_FLOOR},
}
"""Options of the policies by arm."""

METHODS = ("sbo_kde", "drbo_kde", "context_free_ucb")
PROBLEMS = (*fig1a.PROBLEMS, "newsvendor")
SMOKE_ARMS = ("text", "public_code")


def cells(scale: str) -> list[Cell]:
    """One cell a problem, method and arm; at smoke scale one problem, one method and two arms."""
    smoke = scale == "smoke"
    return [
        Cell(problem, method, SEEDS[scale], {"rounds": ROUNDS[scale], "arm": arm})
        for problem in PROBLEMS[: 1 if smoke else None]
        for method in METHODS[: 1 if smoke else None]
        for arm in (SMOKE_ARMS if smoke else ARMS)
    ]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays as `experiments.ctx.benchmarks.run`."""
    return benchmarks.run(cell, **ARMS[str(cell.options["arm"])])


STUDY = Study(
    __name__,
    title="The process of Figure 1 by the text and by the public code",
    caption="Cumulative regret with a prior mean of zero or fitted, and with noise variances of at least 1e-6 or 1e-4.",
    cells=cells,
    run=run,
    default=False,
)
