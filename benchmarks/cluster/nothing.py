"""A study whose cells compute next to nothing."""

import numpy as np

from experiments.engine.study import Cell, Study

__all__ = ["CELLS", "STUDY"]

CELLS = 220


def cells(scale: str) -> list[Cell]:
    """The cells, the same at every scale."""
    del scale
    return [Cell("nothing", "none", (number,)) for number in range(CELLS)]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Eight kilobytes."""
    return {"zeros": np.zeros(1024) + cell.seeds[0]}


STUDY = Study(__name__, title="Nothing", caption="", cells=cells, run=run)
