"""Figure 5 (appendix D), first part: UHE-BO without one of its two components, on the synthetic problems.

RA-BO queries at random every second time, EXP3 left out; Random + EXP3 estimates hyperparameters from the data
themselves, pseudo-data left out. At smoke scale the first two methods.
"""

from experiments.engine.study import Study
from experiments.uhe.benchmarks import ABLATIONS, KEPT, cells, run

STUDY = Study(
    __name__,
    title="UHE-BO without EXP3, and without pseudo-data",
    caption="Simple regret of UHE-BO, RA-BO and Random + EXP3 on Branin, Deceptive, Hartmann3 and h1.",
    cells=lambda scale: cells(scale, ABLATIONS[:2] if scale == "smoke" else ABLATIONS),
    run=run,
    keep=KEPT,
)
