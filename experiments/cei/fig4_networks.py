"""Figure 4 on networks of the paper's own architectures, as far as they can be trained here.

| problem | network | what differs from the paper |
|---|---|---|
| `fc3_public` | 784-1000-1000-10, as in the public code | trained on 8,000 images, judged on 2,000 others |
| `vgg16_mnist` | VGG-16, 13 parameters | an eighth of the channels, trained on MNIST |
| `resnet50_mnist` | ResNet50, 16 parameters | an eighth of the channels, trained on MNIST |

Protocol and arrays are those of `experiments.cei.fig4`, with the paper's ten runs. EI and corrected EI come first. The
study needs MNIST and runs by its own name alone.
"""

from collections.abc import Mapping

import numpy as np

from experiments.cei.benchmarks import METHODS, OPTIONS
from experiments.cei.fig4 import INITIAL, STEPS, arrays
from experiments.cei.fig4 import STUDY as FIGURE
from experiments.data import present
from experiments.engine.study import Cell, Study
from experiments.workloads.compression import dense, small

__all__ = ["PROBLEMS", "SEEDS", "STUDY"]

PROBLEMS = ("fc3_public", *small.NETWORKS)
SEEDS = {"smoke": 2, "quick": 4, "paper": 10}
"""The paper has ten runs."""
SHOWN: Mapping[str, tuple[str, ...]] = {"smoke": METHODS[:2], "quick": METHODS[:2], "paper": METHODS}


def cells(scale: str) -> list[Cell]:
    """One cell a method and network, all seeds in it; none where MNIST is not on this machine."""
    if present("mnist_test.npz") is None:
        return []
    options = {"initial": INITIAL[scale], "steps": STEPS[scale]}
    seeds = tuple(range(SEEDS[scale]))
    return [
        Cell(problem, method, seeds, {**options, **OPTIONS.get(method, {})})
        for method in SHOWN[scale]
        for problem in PROBLEMS
    ]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Run the cell's method on its network; see `experiments.cei.fig4.arrays`."""
    objective = dense.compression(cell.problem) if cell.problem in dense.NETWORKS else small.objective(cell.problem)
    return arrays(objective, np.nan, cell)


STUDY = Study(
    __name__,
    title="Compression of networks of the paper's architectures",
    caption="Error rate plus relative size of the public code's FC3, and of VGG-16 and ResNet50 with an eighth of "
    "their channels, all trained on MNIST.",
    cells=cells,
    run=run,
    keep=FIGURE.keep,
    data=("mnist_test.npz",),
    program=lambda cell: cell.problem,
    default=False,
)
