"""The expected time of a run: the seconds stored with earlier results, distributed over the workers."""

import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

from experiments.engine.result_file import UNREADABLE
from experiments.engine.store import Store
from experiments.engine.study import Cell


class Estimate(NamedTuple):
    """Seconds of work, seconds until all workers have finished, and the number of cells of unknown time."""

    work: float
    wall: float
    unknown: int


def estimate(seconds: Sequence[float | None], workers: int) -> Estimate:
    """The time of cells that take `seconds` each (None: unknown), longest first, each to the next free worker."""
    known = sorted((value for value in seconds if value is not None), reverse=True)
    busy = [0.0] * max(1, workers)
    for value in known:
        heapq.heappush(busy, heapq.heappop(busy) + value)
    return Estimate(sum(known), max(busy), len(seconds) - len(known))


def longest_first(cells: Sequence[Cell], seconds: Sequence[float | None]) -> list[Cell]:
    """The cells by decreasing time, so that no long cell begins last; cells of unknown time come first."""
    expected = [float("inf") if value is None else value for value in seconds]
    return [cells[i] for i in sorted(range(len(cells)), key=expected.__getitem__, reverse=True)]


def reference_machine(store: Store, cells: Sequence[Cell]) -> dict[str, Any] | None:
    """The machine that the stored results of these cells' studies were made on; None where there are none."""
    for study, scale in sorted({(cell.study, cell.scale) for cell in cells}):
        for one in store.stored(study, scale):
            try:
                return one.metadata()["machine"]
            except UNREADABLE:
                continue
    return None


def duration(seconds: float) -> str:
    """A duration in words: "4.0 s", "3 min 20 s", "2 h 5 min"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
