"""Seconds of the commands of the README, one after the other, in a fresh clone of the commit.

Wall seconds on all cores of the machine are the reader's waiting time; processor seconds are those of the command and
of all processes that it waited for. Before each stage the results and compiled programs of earlier stages are removed,
so that all stages except the environment start as in a fresh clone. No other work should run meanwhile.
"""

import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.settings import Settings
from benchmarks.targets import at_most
from benchmarks.timing import Report, Seconds
from experiments.engine.provenance import git_commit

__all__ = ["LEFT_BEHIND", "SETTINGS", "STAGES", "Stage", "fresh_clone", "measure", "run"]

ROOT = Path(__file__).resolve().parents[2]
OURS = ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS", "XLA_FLAGS", "JAX_COMPILATION_CACHE_DIR", "KERNELBO_CACHE")
"""Variables of this process that a reader's shell does not have."""
LEFT_BEHIND = ("results/local", ".cache", "figures", "report", ".pytest_cache", ".hypothesis")
"""Folders of a clone that runs write."""


@dataclass(frozen=True)
class Stage:
    """A command that a reader gives.

    Attributes:
        name: in the table.
        command: as typed, word by word.
        target: wall seconds on two cores, at most; none for infinity.
        before: what it took when the targets were set, in words.
    """

    name: str
    command: tuple[str, ...]
    target: float = float("inf")
    before: str = ""


STAGES = (
    Stage("environment, pip's cache as it is", ("make", ".venv/.stamp")),
    Stage("scale smoke", ("make", "reproduce", "SCALE=smoke"), 180.0, "4.2 min"),
    Stage("tests, less the slow files", (".venv/bin/python", "-m", "pytest", "-n", "2", "-m", "not slow"), 120.0),
    Stage("tests", ("make", "test"), 480.0, "15 to 17 min"),
    Stage("scale quick", ("make", "reproduce"), 1200.0, "59.7 min, 114 core-minutes"),
)
"""The stages in their order. "Before" has the times measured when the targets were set, on two cores of another
machine; quick, never run in one go until then, is from commit b43bd27."""

SETTINGS = Settings(rounds=1)


def fresh_clone(place: Path) -> Path:
    """A clone of the commit, without what is not committed."""
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(place)], check=True)
    return place


def run(stage: Stage, place: Path) -> tuple[Seconds, int]:
    """Seconds of a stage in a clone, and its exit status; its output goes to a file of the stage's name there."""
    for name in LEFT_BEHIND:
        shutil.rmtree(place / name, ignore_errors=True)
    before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    with (place / f"{stage.name}.log").open("w") as log:
        done = subprocess.run(
            stage.command, cwd=place, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False
        )
    wall, after = time.perf_counter() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Seconds(wall, spent), done.returncode


def measure(settings: Settings, report: Report, stages: Sequence[Stage] = STAGES) -> dict[str, Any]:
    """Run all stages; JSON values: ``settings``, ``rows``, ``targets``. The clone is kept where a stage failed."""
    place, rows = Path(tempfile.mkdtemp(prefix="kernelbo-whole-")), list[dict[str, Any]]()
    fresh_clone(place / "clone")
    for stage in stages:
        report(f"{stage.name}: {' '.join(stage.command)} ({place / 'clone' / stage.name}.log)")
        spent, status = run(stage, place / "clone")
        rows.append(
            {
                "stage": stage.name,
                "command": " ".join(stage.command),
                "commit": git_commit(),
                "status": status,
                **spent._asdict(),
            }
        )
    if not any(row["status"] for row in rows):
        shutil.rmtree(place)
    targets = [
        at_most(f"{stage.name}, wall seconds", stage.target, row["wall"])
        for stage, row in zip(stages, rows, strict=True)
        if stage.target < float("inf")
    ]
    return {"settings": settings.config(), "rows": rows, "targets": targets}
