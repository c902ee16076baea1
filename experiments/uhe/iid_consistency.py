"""The estimates of `experiments.uhe.consistency` from the data alone, with as many seeds as their trend needs.

Whether the error of an estimate falls is a slope a seed, and 16 seeds leave most of them open; 80 do not: scale paper
has them, scale quick shows that it works. The estimates from 2 n pseudo-data, which `uhe.consistency` makes of the same
data (same seeds), take several times as long.
"""

from dataclasses import replace

import jax
import numpy as np

from core.designs import seed_keys
from experiments.engine.study import Cell, Study, blocks
from experiments.uhe import consistency
from experiments.uhe.consistency import BLOCK, FIRST_SEED, draw, estimate, truth

SEEDS = {"smoke": 3, "quick": 8, "paper": 80}


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays, for s seeds: `iid` (s, d + 2), the estimates of the d lengthscales, the variance and the noise variance;
    `truth` (d + 2,).
    """
    kernel, count, dim = str(cell.options["kernel"]), int(cell.options["n"]), int(cell.options["dim"])
    found = []
    for key in seed_keys(cell.seeds):
        data_key, _ = jax.random.split(key)  # the other half made the pseudo-data
        found.append(estimate(kernel, *draw(data_key, kernel, count, dim)))
    return {"iid": np.stack(found), "truth": truth(dim)}


def cells(scale: str) -> list[Cell]:
    """The cells of `uhe.consistency` with the seeds of this study."""
    seeds = range(FIRST_SEED, FIRST_SEED + SEEDS[scale])
    series = [cell for cell in consistency.cells(scale) if cell.seeds[0] == FIRST_SEED]
    return [replace(cell, seeds=block) for cell in series for block in blocks(seeds, BLOCK)]


STUDY = Study(
    __name__,
    title="Estimates against the number of i.i.d. data, with more seeds",
    caption="Maximum-likelihood estimates of the hyperparameters of a sample path from i.i.d. data, against their "
    "number.",
    cells=cells,
    run=run,
)
