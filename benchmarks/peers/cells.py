"""One run of one contestant on one function: computed once, stored in a file of its own, read again ever after."""

import json
import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.contestants import CONTESTANTS
from benchmarks.peers.functions import FUNCTIONS
from core.designs import default_initial_size
from experiments.engine.files import write_whole
from experiments.engine.provenance import provenance

__all__ = ["Cell", "compute", "read", "store"]

FORMAT = "kernelbo peers 2"

_started: set[tuple[str, int]] = set()  # contestants, with the dimension, that have run in this process


@dataclass(frozen=True)
class Cell:
    """Contestant, function, seed and budget: what fixes a run, but for the versions of the libraries."""

    contestant: str
    function: str
    seed: int
    budget: int

    def path(self, folder: Path) -> Path:
        """Where it is stored."""
        return folder / self.contestant / f"{self.function}-b{self.budget}-s{self.seed}.json"


class _Recorded:
    """The objective as a contestant sees it; it keeps the values, and refuses more evaluations than the budget."""

    def __init__(self, cell: Cell) -> None:
        self.function, self.budget = FUNCTIONS[cell.function], cell.budget
        self.values: list[float] = []

    def __call__(self, x: np.ndarray) -> float:
        if len(self.values) == self.budget:
            raise RuntimeError(f"more than {self.budget} evaluations")
        low, high = np.array(self.function.bounds).T
        if not np.all((x >= low - 1e-9) & (x <= high + 1e-9)):
            raise ValueError(f"{np.asarray(x).tolist()} lies outside the box")
        self.values.append(self.function(x))
        return self.values[-1]


def compute(cell: Cell) -> dict[str, Any]:
    """Runs it: "values" in the order of evaluation, "wall_seconds" and "processor_seconds" of the whole run.

    "first" is whether it is this process's first run of the contestant in that dimension: such a run also imports the
    library and compiles its programs, which later ones find ready.

    Raises RuntimeError where the contestant does not spend its budget, and whatever its library raises.
    """
    contestant, recorded = CONTESTANTS[cell.contestant], _Recorded(cell)
    first = (cell.contestant, recorded.function.dim) not in _started
    _started.add((cell.contestant, recorded.function.dim))
    initial = min(default_initial_size(recorded.function.dim), cell.budget)
    wall, processor = time.perf_counter(), time.process_time()
    contestant.run(recorded, recorded.function.bounds, cell.budget, initial, cell.seed)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    if len(recorded.values) != cell.budget:
        raise RuntimeError(f"{cell.contestant} made {len(recorded.values)} of {cell.budget} evaluations")
    made_by = provenance()
    made_by["versions"] |= contestant.versions()
    return {
        "format": FORMAT,
        "cell": asdict(cell),
        "values": recorded.values,
        "first": first,
        "wall_seconds": wall,
        "processor_seconds": processor,
        "provenance": made_by,
    }


def store(record: dict[str, Any], folder: Path, *, durable: bool = True) -> Path:
    """Writes a run, whole or not at all; `durable` as in `write_whole`."""
    path = Cell(**record["cell"]).path(folder)
    return write_whole(path, (json.dumps(record, indent=1, allow_nan=False) + "\n").encode(), durable=durable)


def read(cell: Cell, folder: Path) -> dict[str, Any] | None:
    """The stored run, or None where there is none. Raises ValueError, naming the file, where it is not one."""
    path = cell.path(folder)
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} is not a readable run: {error}") from error
    if not isinstance(record, dict) or (record.get("format"), record.get("cell")) != (FORMAT, asdict(cell)):
        raise ValueError(f"{path} is not the run of {cell}")
    values = record.get("values")
    if not isinstance(values, list) or len(values) != cell.budget or not all(map(_number, values)):
        raise ValueError(f"{path} does not hold {cell.budget} values")
    seconds = ("wall_seconds", "processor_seconds")
    if not all(_number(record.get(name)) for name in seconds) or not isinstance(record.get("first"), bool):
        raise ValueError(f"{path} does not say how long it took")
    return record


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
