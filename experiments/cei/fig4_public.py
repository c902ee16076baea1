"""Figure 4 on the FC3 of the public code: 784-1000-1000-10, three parameters, trained here on MNIST.

Protocol and arrays are those of `experiments.cei.fig4`, with the paper's ten runs. EI and corrected EI come first. The
network is trained on 8,000 images and judged on 2,000 others, where the paper has 60,000 and 10,000
(`experiments.workloads.compression.dense`). The study needs MNIST and runs by its own name alone.
"""

from collections.abc import Mapping

import numpy as np

from experiments.cei.benchmarks import METHODS, OPTIONS
from experiments.cei.fig4 import INITIAL, STEPS, arrays
from experiments.cei.fig4 import STUDY as FIGURE
from experiments.data import present
from experiments.engine.study import Cell, Study
from experiments.workloads.compression import dense

__all__ = ["PROBLEM", "SEEDS", "STUDY"]

PROBLEM = "fc3_public"
SEEDS = {"smoke": 2, "quick": 4, "paper": 10}
"""The paper has ten runs."""
SHOWN: Mapping[str, tuple[str, ...]] = {"smoke": METHODS[:2], "quick": METHODS[:2], "paper": METHODS}


def cells(scale: str) -> list[Cell]:
    """One cell a method, all seeds in it; none where MNIST is not on this machine."""
    if present("mnist_test.npz") is None:
        return []
    options = {"initial": INITIAL[scale], "steps": STEPS[scale]}
    seeds = tuple(range(SEEDS[scale]))
    return [Cell(PROBLEM, method, seeds, {**options, **OPTIONS.get(method, {})}) for method in SHOWN[scale]]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Run the cell's method on the network; see `experiments.cei.fig4.arrays`."""
    return arrays(dense.compression(cell.problem), np.nan, cell)


STUDY = Study(
    __name__,
    title="Compression of the public code's FC3",
    caption="Error rate plus relative size of a network of 784-1000-1000-10, trained on MNIST.",
    cells=cells,
    run=run,
    keep=FIGURE.keep,
    data=("mnist_test.npz",),
    program=lambda cell: cell.policy,
    default=False,
)
