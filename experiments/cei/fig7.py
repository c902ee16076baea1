"""Figure 7: as Figure 3, under noise of 15 % of the range, its variance known; the leaked arm is Figure 3's.

Its text compares corrected EI with every other method, so all of them have the same seeds.
"""

from collections.abc import Mapping
from dataclasses import replace

from experiments.cei.benchmarks import KEPT, cells, run
from experiments.engine.study import Cell, Study, blocks

NOISE_FRACTION = 0.15

SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 6, "paper": 40}
"""The seeds at each scale. The paper has fifteen. Scale quick has as many as in Figures 3 and 8, so that their compiled
programs serve here. The sentence on the figure needs 240: the study `experiments.cei.fig7_seeds` runs the others."""

BLOCK = 20
"""The largest number of seeds of a cell."""


def study_cells(scale: str) -> list[Cell]:
    """One cell a problem, method and block of seeds, the first blocks first."""
    whole = cells(scale, (NOISE_FRACTION,), seeds=SEEDS)
    return [replace(cell, seeds=block) for block in blocks(range(SEEDS[scale]), BLOCK) for cell in whole]


STUDY = Study(
    __name__,
    title="Seven acquisitions under 15 % noise",
    caption="As Figure 3, with a noise of standard deviation 15 % of the range.",
    cells=study_cells,
    run=run,
    keep=KEPT,
)
