"""One run of one contestant on one function: computed once, stored in a file of its own, read again ever after."""

import json
import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.contestants import CONTESTANTS
from benchmarks.peers.lists import FUNCTIONS
from benchmarks.peers.tunings import TUNINGS, Tuning
from core.designs import default_initial_size
from experiments.engine.files import write_whole
from experiments.engine.provenance import provenance

__all__ = ["Cell", "compute", "read", "store"]

FORMAT = "kernelbo peers 3"

_started: set[tuple[str, int]] = set()  # contestants, with the dimension, that have run in this process


@dataclass(frozen=True)
class Cell:
    """The description of a run; only the versions of the libraries are not in it.

    Attributes:
        contestant: its name.
        function: a function's name, or a tuning's.
        seed: of the contestant, and of the noise.
        budget: evaluations.
        noise: standard deviation of the noise, as a share of the function's scale.
    """

    contestant: str
    function: str
    seed: int
    budget: int
    noise: float = 0.0

    def path(self, folder: Path) -> Path:
        """The path of the stored run."""
        noisy = f"-n{self.noise}" if self.noise else ""
        return folder / self.contestant / f"{self.function}-b{self.budget}{noisy}-s{self.seed}.json"


class _Recorded:
    """The objective as a contestant sees it; it keeps the values, and refuses more evaluations than the budget.

    Attributes:
        values: without noise, in the order of evaluation.
        best: the point of the least value seen, noise included.
    """

    def __init__(self, cell: Cell) -> None:
        function = FUNCTIONS.get(cell.function)
        self.function = TUNINGS[cell.function] if function is None else function
        self.box = None if function is None else np.array(function.bounds)
        self.deviation = 0.0 if function is None else cell.noise * function.scale
        self.budget, self.rng = cell.budget, np.random.default_rng([cell.seed, *cell.function.encode()])
        self.values: list[float] = []
        self.least = math.inf
        self.best: Any = None

    def __call__(self, x: Any) -> float:
        if len(self.values) == self.budget:
            raise RuntimeError(f"more than {self.budget} evaluations")
        if self.box is not None:
            low, high = self.box.T
            if not np.all((x >= low - 1e-9) & (x <= high + 1e-9)):
                raise ValueError(f"{np.asarray(x).tolist()} lies outside the box")
        self.values.append(self.function(x))
        seen = self.values[-1] + (self.deviation * self.rng.normal() if self.deviation else 0.0)
        if seen < self.least:
            self.least, self.best = seen, x
        return seen


def compute(cell: Cell) -> dict[str, Any]:
    """Runs it: "values" in the order of evaluation, "wall_seconds" and "processor_seconds" of the whole run.

    Values are those of the function, which the contestant sees with noise; "answer" is the value at the point that the
    contestant names at the end. "first" is True for this process's first run of the contestant in that dimension: such
    a run also imports the library and compiles its programs, which later runs find ready. "code" is the version of this
    library's code that it uses.

    Raises RuntimeError where the contestant does not spend its budget, and whatever its library raises.
    """
    contestant, recorded = CONTESTANTS[cell.contestant], _Recorded(cell)
    domain = recorded.function.space if isinstance(recorded.function, Tuning) else recorded.function.bounds
    varying = recorded.function.space.varying if isinstance(recorded.function, Tuning) else recorded.function.dim
    size = recorded.function.space.dim if isinstance(recorded.function, Tuning) else recorded.function.dim
    first = (cell.contestant, size) not in _started
    _started.add((cell.contestant, size))
    initial = min(default_initial_size(varying), cell.budget)
    wall, processor = time.perf_counter(), time.process_time()
    answer = contestant.run(recorded, domain, cell.budget, initial, cell.seed)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    if len(recorded.values) != cell.budget:
        raise RuntimeError(f"{cell.contestant} made {len(recorded.values)} of {cell.budget} evaluations")
    made_by = provenance()
    made_by["versions"] |= contestant.versions()
    return {
        "format": FORMAT,
        "cell": asdict(cell),
        "values": recorded.values,
        "answer": recorded.function(recorded.best if answer is None else answer),
        "first": first,
        "wall_seconds": wall,
        "processor_seconds": processor,
        "provenance": made_by,
        "code": contestant.code,
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
    if not _number(record.get("answer")):
        raise ValueError(f"{path} does not hold the value of the answer")
    seconds = ("wall_seconds", "processor_seconds")
    if not all(_number(record.get(name)) for name in seconds) or not isinstance(record.get("first"), bool):
        raise ValueError(f"{path} does not say how long it took")
    return record


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
