"""Figure 8: Griewank in six dimensions under noise of 1 to 20 % of the range, its variance known; the leaked arm is
Figure 3's.

Three levels at quick scale (Figures 3 and 7 have 10 and 15 %), two at smoke scale, by EI and corrected EI alone there.
"""

from experiments.cei.benchmarks import KEPT, METHODS, cells, run
from experiments.engine.study import Study

LEVELS = {
    "smoke": (0.01, 0.2),
    "quick": (0.01, 0.05, 0.2),
    "paper": (0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.15, 0.2),
}
"""The standard deviation of the noise as a fraction of the range."""

PROBLEM = {"smoke": "hartmann3", "quick": "griewank6", "paper": "griewank6"}
"""The problem at each scale; scale smoke borrows the program of Figure 3."""

SHOWN = {"smoke": ("corrected_ei", "ei"), "quick": METHODS, "paper": METHODS}

SEEDS = {"smoke": 2, "quick": 6, "paper": 30}
"""The seeds at each scale: a distance 0.8 times the other takes about 20 at the spread of the runs at scale quick."""

STUDY = Study(
    __name__,
    title="Griewank under growing noise",
    caption="Distance from x+ to the optimiser of Griewank (6D) under noise of 1 to 20 % of the range.",
    cells=lambda scale: cells(
        scale,
        LEVELS[scale],
        names=(PROBLEM[scale],),
        methods=SHOWN[scale],
        seeds=SEEDS,
    ),
    run=run,
    keep=KEPT,
)
