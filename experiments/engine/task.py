"""The work of a worker process: it computes one cell, by the version of the code that its caller has."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from experiments.engine.code_version import code_of_cell
from experiments.engine.study import Cell

__all__ = ["CellTask", "Task"]


class Task(Protocol):
    """A computation that can be sent to a worker, which finds it by names, wherever the code is installed."""

    def version(self) -> str:
        """The version of the code that the result depends on, as that code is today."""
        ...

    def run(self) -> Mapping[str, Any]:
        """The result by names."""
        ...


@dataclass(frozen=True)
class CellTask:
    """A cell of the study in a module."""

    module: str
    cell: Cell

    def version(self) -> str:
        """The version of the code that computes the cell."""
        return code_of_cell(self.module, self.cell)

    def run(self) -> dict[str, np.ndarray]:
        """The arrays of the cell. Raises TypeError where one holds Python objects."""
        study = importlib.import_module(self.module).STUDY
        arrays = {name: np.asarray(array) for name, array in study.run(self.cell).items()}
        opaque = [name for name, array in arrays.items() if array.dtype.hasobject]
        if opaque:
            raise TypeError(f"results must be arrays of numbers or text; these hold Python objects: {opaque}")
        return arrays
