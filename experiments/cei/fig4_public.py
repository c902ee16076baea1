"""Figure 4 on the fully connected network of the public code: 784-1000-1000-10, trained here on MNIST.

The ranks, the random start, the noise and the length of the runs are those of `experiments.cei.fig4`. EI and corrected
EI come first; both have more seeds than the paper's ten, and the other methods have the ten. The table of error rates
takes 12 CPU minutes, once, so that the study runs by its own name only.
"""

from collections.abc import Mapping

from experiments.cei.benchmarks import COMPARED, METHODS, OPTIONS
from experiments.cei.fig4 import INITIAL, KEPT, STEPS, run
from experiments.engine.study import Cell, Study, blocks

__all__ = ["NETWORK", "SEEDS", "STUDY"]

NETWORK = {"smoke": "fc3_digits", "quick": "fc3_public", "paper": "fc3_public"}
"""The network at each scale; scale smoke borrows the table of a stand-in."""
SEEDS = {"smoke": 2, "quick": 6, "paper": 10}
"""The seeds of every method; the paper has ten runs."""
COMPARED_SEEDS = {"smoke": 2, "quick": 6, "paper": 40}
"""The seeds of EI and corrected EI."""
BLOCK = 10
"""The largest number of seeds of a cell."""
SHOWN: Mapping[str, tuple[str, ...]] = {"smoke": COMPARED, "quick": COMPARED, "paper": METHODS}


def cells(scale: str) -> list[Cell]:
    """One cell a method and block of seeds: the first block of all methods, then those of the two compared."""
    options = {"initial": INITIAL[scale], "steps": STEPS[scale]}
    return [
        Cell(NETWORK[scale], method, block, {**options, **OPTIONS.get(method, {})})
        for number, block in enumerate(blocks(range(COMPARED_SEEDS[scale]), BLOCK))
        for method in (COMPARED if number * BLOCK >= SEEDS[scale] else SHOWN[scale])
    ]


STUDY = Study(
    __name__,
    title="Compression of the public code's network",
    caption="Error rate plus relative size of the network 784-1000-1000-10, whose layers are replaced by factors.",
    cells=cells,
    run=run,
    keep=KEPT,
    data=("mnist_test.npz",),
    program=lambda cell: cell.policy,
    default=False,
)
