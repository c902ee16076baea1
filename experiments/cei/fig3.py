"""Figure 3: distance to the optimum and to the optimiser on four benchmarks, noise of 10 % of the range, two arms."""

from experiments.cei.benchmarks import ARMS, cells, run
from experiments.engine.study import Study

NOISE_FRACTION = 0.1

STUDY = Study(
    __name__,
    title="Seven acquisitions under 10 % noise, variance known or noise leaked",
    caption=(
        "f(x*) - f(x+) and the distance from x+ to the nearest optimiser against iterations, noise with a standard "
        "deviation of 10 % of the range; the Gaussian process is told the variance, or, as in the public code, the "
        "noise that occurred."
    ),
    cells=lambda scale: cells(scale, (NOISE_FRACTION,), tuple(ARMS)),
    run=run,
)
