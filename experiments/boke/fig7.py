"""Figure 7: simple regret on the benchmark functions of Figure 6, with Gaussian noise of 5 % of the range."""

from experiments.boke.regret import KEPT, NOISE_FRACTION, cells, run
from experiments.engine.study import Study

STUDY = Study(
    __name__,
    title="Simple regret, Gaussian noise",
    caption=(
        "Simple regret (of the noise-free function) against the number of evaluations on benchmark functions "
        "observed with Gaussian noise whose standard deviation is 5 % of the function's range."
    ),
    cells=lambda scale: cells(scale, noise_fraction=NOISE_FRACTION),
    run=run,
    keep=KEPT,
)
