"""The seeds after those of Figure 7, of all its methods: as many as its reading asks for, together with the figure's.

A factor of two between mean gaps, at the spread of the ten seeds that scale quick once had, takes 218 to 239, by the
machine. All of them take eight core-hours, qNEI's a third of it, which decides one sentence: they run by their own name
only, the first blocks first. All else is as there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from experiments.cei import fig7
from experiments.cei.benchmarks import KEPT, cells, run
from experiments.engine.study import Cell, Study, blocks

__all__ = ["SEEDS", "STUDY"]

SEEDS: Mapping[str, Sequence[int]] = {"smoke": range(40, 42), "quick": range(40, 46), "paper": range(40, 240)}
"""The seeds at each scale; no seed of Figure 7 is among them."""


def study_cells(scale: str) -> list[Cell]:
    """One cell a problem, method and block of seeds, the first blocks first."""
    whole = cells(scale, (fig7.NOISE_FRACTION,), seeds=fig7.SEEDS)
    return [replace(cell, seeds=block) for block in blocks(SEEDS[scale], fig7.BLOCK) for cell in whole]


STUDY = Study(
    __name__,
    title="Seven acquisitions under 15 % noise, more seeds",
    caption="As Figure 7, the seeds after those.",
    cells=study_cells,
    run=run,
    keep=KEPT,
    default=False,
)
