"""Figure 7: as Figure 3, under noise of 15 % of the range, its variance known; the leaked arm is Figure 3's.

Its text compares corrected EI with every other method, so all of them have the seeds that a comparison takes.
"""

from experiments.cei.benchmarks import COMPARED_SEEDS, cells, run
from experiments.engine.study import Study

NOISE_FRACTION = 0.15

STUDY = Study(
    __name__,
    title="Seven acquisitions under 15 % noise",
    caption="As Figure 3, with a noise of standard deviation 15 % of the range.",
    cells=lambda scale: cells(scale, (NOISE_FRACTION,), seeds=COMPARED_SEEDS),
    run=run,
)
