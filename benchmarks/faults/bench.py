"""A run of the command line that can be disturbed, and the content of its results folder."""

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments.engine.result_file import UNREADABLE, load
from experiments.engine.source import PROJECT

__all__ = ["Bench", "Ended", "Run", "Stamp", "content", "readable", "stamps"]

TIMINGS = ("wall_seconds", "cpu_seconds", "peak_memory_mib")
LONGEST = 300.0
"""The seconds after which a run counts as hung."""


class Stamp(NamedTuple):
    """The identity of a file in the file system: another inode or time means that the file was written again."""

    inode: int
    modified: int


class Ended(NamedTuple):
    """The end of a run, and its output."""

    status: int
    output: str


def content(path: Path) -> str:
    """A digest of the content of a result: configuration, arrays bit by bit, and metadata without measured times.

    Raises one of `UNREADABLE` where the file is not a result.
    """
    result = load(path)
    digest = hashlib.sha256()
    metadata = {name: value for name, value in result.metadata.items() if name not in TIMINGS}
    digest.update(json.dumps([result.config, metadata], sort_keys=True).encode())
    for name, array in sorted(result.arrays.items()):
        if "seconds" not in name:
            digest.update(f"{name} {array.dtype.str} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def stamps(folder: Path) -> dict[Path, Stamp]:
    """Every result file under a folder."""
    found = {path: path.stat() for path in sorted(folder.rglob("*.npz")) if path.is_file()}
    return {path: Stamp(stat.st_ino, stat.st_mtime_ns) for path, stat in found.items()}


@dataclass
class Bench:
    """A folder for one trial, and the command line on it.

    Attributes:
        folder: results, data and the reference (empty) lie in it.
        modules: the studies.
        guard: one of `driver.GUARDS`.
        environment: added to this process's.
    """

    folder: Path
    modules: tuple[str, ...] = ("benchmarks.faults.sums",)
    guard: str = "whole"
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def results(self) -> Path:
        """The results folder."""
        return self.folder / "results"

    def start(self, workers: int = 2, before: Callable[[], None] | None = None, **environment: str) -> "Run":
        """Starts a run; `before` is called in the new process first."""
        arguments = ["run", "--scale", "smoke", "--workers", str(workers)]
        folders = ["--results", str(self.results), "--reference", str(self.folder / "reference")]
        module = "benchmarks.faults.driver"
        command = [sys.executable, "-m", module, ",".join(self.modules), self.guard, *arguments, *folders]
        output = open(self.folder / "output.txt", "a+", encoding="utf-8")  # noqa: SIM115 - the run closes it
        process = subprocess.Popen(
            command,
            cwd=PROJECT,
            env={**os.environ, **self.environment, **environment, "KERNELBO_OFFLINE": "1"},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=before,
        )
        output.close()
        return Run(process, self.folder / "output.txt", self.results)

    def run(self, workers: int = 2, before: Callable[[], None] | None = None, **environment: str) -> Ended:
        """A run to its end."""
        return self.start(workers, before, **environment).end()


@dataclass
class Run:
    """A run that goes on in processes of its own."""

    process: subprocess.Popen[bytes]
    printed: Path
    results: Path

    def workers(self) -> list[int]:
        """The living processes that the run has started."""
        return [pid for pid in _session(self.process.pid) if pid != self.process.pid]

    def kill(self, pid: int) -> None:
        """SIGKILL to one process; nothing where it has ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def kill_all(self) -> None:
        """SIGKILL to parent and workers at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def until(self, condition: Callable[[], bool]) -> bool:
        """Waits for a condition; False where the run ends first."""
        end = time.monotonic() + LONGEST
        while not condition():
            if self.process.poll() is not None or time.monotonic() > end:
                return False
            time.sleep(0.005)
        return True

    def stored(self) -> int:
        """Results that are there."""
        return len(list(self.results.rglob("*.npz")))

    def end(self) -> Ended:
        """Waits until the run and all its processes have ended; a run that hangs is killed, with the status -9."""
        try:
            self.process.wait(LONGEST)
            end = time.monotonic() + LONGEST
            while _session(self.process.pid) and time.monotonic() < end:
                time.sleep(0.01)
        except subprocess.TimeoutExpired:
            pass
        self.kill_all()
        return Ended(self.process.wait(), self.printed.read_text(encoding="utf-8"))


def _session(leader: int) -> list[int]:
    """The living processes of a session, from /proc."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(session) == leader and state != "Z":
                found.append(int(entry.name))
    return found


def readable(path: Path) -> bool:
    """True for a file with a whole result."""
    try:
        load(path)
    except UNREADABLE:
        return False
    return True
