"""Seconds a cell, from runs of few and of many cells that compute nothing, on one worker each."""

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cluster import nothing
from benchmarks.settings import Settings
from benchmarks.timing import Report, take_turns
from experiments.engine.cluster import run_dask
from experiments.engine.pool import Job, Outcome, run_local
from experiments.engine.source import PROJECT
from experiments.engine.task import CellTask

__all__ = ["SETTINGS", "measure"]

LONGEST = 60.0


@dataclass(frozen=True, kw_only=True)
class ClusterSettings(Settings):
    """The task.

    Attributes:
        few, many: the numbers of cells of the two runs whose difference is measured.
    """

    few: int = 20
    many: int = 220


SETTINGS = ClusterSettings(rounds=3)


def measure(settings: ClusterSettings, report: Report) -> dict[str, Any]:
    """Both ways in turns. Raises OSError where dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        raise OSError("this benchmark needs the extra [cluster]: .venv/bin/pip install -e '.[cluster]'")
    cells = nothing.STUDY.cells("smoke")
    tasks = [CellTask(nothing.STUDY.module, cell) for cell in cells]
    jobs = [Job(task.cell, task, task.version()) for task in tasks]
    with _cluster() as scheduler:
        ways: dict[str, Callable[[Sequence[Job]], Iterable[Outcome]]] = {
            "local": partial(run_local, workers=1),
            "dask": partial(run_dask, scheduler=scheduler),
        }
        list(ways["dask"](jobs[:1]))  # the worker loads the code
        turns = take_turns(
            {name: partial(_a_cell, way, jobs, settings) for name, way in ways.items()},
            settings.rounds,
            report,
        )
    return {"few": settings.few, "many": settings.many, "milliseconds": {name: turns[name] for name in ways}}


def _a_cell(
    way: Callable[[Sequence[Job]], Iterable[Outcome]], jobs: Sequence[Job], settings: ClusterSettings, turn: int
) -> float:
    """Milliseconds that one more cell takes; starting the workers cancels."""
    del turn
    spent = []
    for count in (settings.few, settings.many):
        begun = time.perf_counter()
        outcomes = list(way(jobs[:count]))
        spent.append(time.perf_counter() - begun)
        failed = [outcome.error for outcome in outcomes if outcome.error is not None]
        if failed:
            raise RuntimeError(failed[0])
    return 1e3 * float(np.diff(spent)[0]) / (settings.many - settings.few)


@contextmanager
def _cluster() -> Iterator[str]:
    """The address of a scheduler on this machine, with one worker."""
    module = [sys.executable, "-m", "experiments.engine.cluster"]
    with tempfile.TemporaryDirectory() as folder, open(Path(folder) / "log", "wb") as log:
        told, started = Path(folder) / "scheduler.json", []
        start = partial(subprocess.Popen, cwd=PROJECT, stdout=log, stderr=log)
        try:
            started.append(
                start([*module, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", told])
            )
            end = time.monotonic() + LONGEST
            while not told.exists() and time.monotonic() < end:
                time.sleep(0.05)
            address: str = json.loads(told.read_text())["address"]
            started.append(start([*module, "worker", address, "--no-nanny"]))
            yield address
        finally:
            for process in reversed(started):
                process.kill()
                process.wait()
