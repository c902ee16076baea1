"""The command line of `python -m experiments` for given studies alone, so that it starts in a second.

    python -m benchmarks.faults.driver MODULE[,MODULE] GUARD run --scale smoke --results FOLDER ...

GUARD is "whole", or the name of a guard of the engine that is taken away: the campaign must notice that.
"""

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.engine import result_file, store

__all__ = ["GUARDS", "main"]


def _whole() -> None:
    """No guard is taken away."""


def _atomic() -> None:
    """Results are written under their own names, piece by piece."""

    def write(path: Path, content: bytes) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as file:
            piece = -(-len(content) // 4)
            for start in range(0, len(content), piece):
                file.write(content[start : start + piece])
                file.flush()
                time.sleep(0.1)
        return path

    vars(store)["write_whole"] = write


def _checked() -> None:
    """Every present file is trusted, whatever it holds."""

    def read(self: store.Store, cell: Any) -> result_file.Result | None:
        return result_file.Result(cell.config(), {}, {}) if self.path(cell).exists() else None

    store.Store.read = read  # type: ignore[method-assign]


def _resumed() -> None:
    """Every present file is thrown away and computed again."""

    def read(self: store.Store, cell: Any) -> None:
        self.path(cell).unlink(missing_ok=True)

    store.Store.read = read  # type: ignore[method-assign]


GUARDS: dict[str, Callable[[], None]] = {
    "whole": _whole,
    "atomic": _atomic,
    "checked": _checked,
    "resumed": _resumed,
}


def main(arguments: list[str]) -> int:
    """Runs the command line of the experiments on the studies of the named modules."""
    from experiments.__main__ import main as experiments

    modules, guard, *rest = arguments
    GUARDS[guard]()
    studies = {study.id: study for study in (importlib.import_module(name).STUDY for name in modules.split(","))}
    return experiments(rest, studies)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
