"""Figure 4 on VGG-16 and ResNet50, trained here on MNIST: 13 and 16 parameters.

The ranks, the random start, the noise and the length of the runs are those of `experiments.cei.fig4`. An error rate is
that of 100 held-out images. EI and corrected EI have the paper's ten seeds. The other methods are left out, because a
run of VGG-16 takes three CPU minutes. Training takes half an hour of CPU time, once
(`experiments.workloads.compression.convolutional_training`), so that the study runs by its own name only. Scale smoke
has networks with a sixteenth of the channels, trained on scikit-learn's digits.
"""

import math
from collections.abc import Mapping

import numpy as np

from experiments.cei.benchmarks import COMPARED, OPTIONS
from experiments.cei.fig4 import INITIAL, KEPT, STEPS, arrays
from experiments.engine.study import Cell, Study, blocks
from experiments.workloads.compression.convolutional_training import compression

__all__ = ["NETWORKS", "SEEDS", "STUDY"]

NETWORKS: Mapping[str, tuple[str, ...]] = {
    "smoke": ("vgg16_digits", "resnet50_digits"),
    "quick": ("vgg16_mnist", "resnet50_mnist"),
    "paper": ("vgg16_mnist", "resnet50_mnist"),
}
"""The networks at each scale."""
SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 2, "paper": 10}
"""The seeds of EI and corrected EI; the paper has ten runs."""
BLOCK = 5
"""The largest number of seeds of a cell."""


def cells(scale: str) -> list[Cell]:
    """One cell a network, method and block of seeds."""
    options = {"initial": INITIAL[scale], "steps": STEPS[scale]}
    return [
        Cell(network, method, block, {**options, **OPTIONS.get(method, {})})
        for block in blocks(range(SEEDS[scale]), BLOCK)
        for network in NETWORKS[scale]
        for method in COMPARED
    ]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Run the cell's method on its network; see `experiments.cei.fig4.arrays`. The largest value is not known."""
    return arrays(compression(cell.problem), math.nan, cell)


STUDY = Study(
    __name__,
    title="Compression of VGG-16 and ResNet50",
    caption="Error rate plus relative size of networks whose convolutions are replaced by low-rank factors.",
    cells=cells,
    run=run,
    keep=KEPT,
    data=("mnist_test.npz",),
    default=False,
)
