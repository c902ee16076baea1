"""Figure 6: simple regret on the benchmark functions, two of them in two versions, observed without noise."""

from experiments.boke.regret import KEPT, cells, run
from experiments.engine.study import Study

STUDY = Study(
    __name__,
    title="Simple regret, noise-free",
    caption="Simple regret against the number of evaluations on benchmark functions observed without noise.",
    cells=lambda scale: cells(scale, noise_fraction=0.0),
    run=run,
    keep=KEPT,
)
