"""The campaign's study that reads a data file, checked as those of the real studies are: by the catalogue's digest."""

import numpy as np

from experiments.data import CATALOGUE, DataFile, Table
from experiments.data import table as read
from experiments.data.formats import write_table
from experiments.engine.study import Cell, Study

__all__ = ["FILE", "STUDY", "content"]

_TABLE = Table(np.random.default_rng(7).random((50, 3)).round(6), tuple(f"{row}.0" for row in range(50)))
FILE = DataFile("faults.csv", "50 rows of noise", "made by benchmarks.faults", _TABLE.digest, 4)


def content() -> bytes:
    """The bytes of the data file."""
    return write_table(_TABLE)


def cells(scale: str) -> list[Cell]:
    """The same at every scale."""
    del scale
    return [Cell("table", f"column{column}", (0,), {"column": column}) for column in range(3)]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """A column of the table, and its mean."""
    CATALOGUE.setdefault(FILE.name, FILE)  # in the workers of a campaign only
    column = read(FILE.name).features[:, cell.options["column"]]
    return {"column": column, "mean": np.array(column.mean())}


STUDY = Study(__name__, title="A table that is read", caption="", cells=cells, run=run)
