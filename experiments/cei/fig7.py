"""Figure 7: as Figure 3, under noise of 15 % of the range. The leaked arm runs at paper scale only.

Its text compares corrected EI with every other method, so all of them have the seeds that a comparison takes.
"""

from experiments.cei.benchmarks import ARMS, COMPARED_SEEDS, cells, run
from experiments.engine.study import Study

NOISE_FRACTION = 0.15

STUDY = Study(
    __name__,
    title="Seven acquisitions under 15 % noise",
    caption="As Figure 3, with a noise of standard deviation 15 % of the range.",
    cells=lambda scale: cells(
        scale, (NOISE_FRACTION,), tuple(ARMS) if scale == "paper" else ("known",), seeds=COMPARED_SEEDS
    ),
    run=run,
)
