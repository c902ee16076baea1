"""Two commits compared: cells of the same code, cells of other code but equal programs, and cells of other programs.

Both trees are checked out. Where the versions of the code (`experiments.engine.code_version`) differ, one cell of each
study, problem, method and options is traced in both with its first seed, under one JAX (`experiments.engine.programs`).
Equal programs are proof that results carry over, without a run; the proofs are appended to `standing.EQUIVALENCES`. A
change that acts on several seeds alone is not seen.
"""

import datetime
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from experiments.engine.closure import Code
from experiments.engine.code_version import closure_of, strings_of
from experiments.engine.source import PACKAGES, PROJECT, Tree
from experiments.engine.study import Cell, Study

__all__ = ["Compared", "checkout", "compare", "one_of_each", "proofs"]

TRACER = Path(__file__).with_name("programs.py")


@dataclass(frozen=True)
class Compared:
    """The outcome for the cells that share study, problem, method and options.

    Attributes:
        cell: one of them.
        old, new: the versions of the code; "" where the commit does not have the study.
        word: "same code", "equal programs", "other programs" or "not traced".
        why: the reason why the cell was not traced.
    """

    cell: Cell
    old: str
    new: str
    word: str
    why: str = ""


def one_of_each(studies: Sequence[Study], scale: str) -> list[Cell]:
    """One cell of each study, problem, method and options, with its first seed: the rest differs in seeds alone."""
    found: dict[str, Cell] = {}
    for study in studies:
        for cell in study.cells(scale):
            found.setdefault(replace(cell, seeds=()).digest, replace(cell, seeds=cell.seeds[:1]))
    return list(found.values())


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """A folder with the code of a commit. Raises ValueError for a commit that git does not know."""
    with tempfile.TemporaryDirectory() as folder:
        known = subprocess.run(
            ["git", "-C", str(PROJECT), "archive", commit, *PACKAGES], capture_output=True, check=False
        )
        if known.returncode:
            raise ValueError(f"{commit}: {known.stderr.decode().strip()}")
        subprocess.run(["tar", "x", "-C", folder], input=known.stdout, check=True)
        yield Path(folder)


def compare(cells: Sequence[Cell], modules: Mapping[str, str], old: Path, new: Path) -> list[Compared]:
    """Compares the code of the cells in two checkouts; `modules` are those of the studies, by id."""
    versions = [(_version(old, modules[cell.study], cell), _version(new, modules[cell.study], cell)) for cell in cells]
    open = [cell for cell, (before, after) in zip(cells, versions, strict=True) if before and after and before != after]
    traced = dict(zip(open, zip(_traced(open, old), _traced(open, new), strict=True), strict=True)) if open else {}
    return [
        _judged(cell, before, after, *traced.get(cell, ({}, {})))
        for cell, (before, after) in zip(cells, versions, strict=True)
    ]


def _judged(cell: Cell, old: str, new: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Compared:
    if not old or not new:
        return Compared(cell, old, new, "not traced", "one of the commits lacks the study")
    if old == new:
        return Compared(cell, old, new, "same code")
    if why := before.get("error") or after.get("error"):
        return Compared(cell, old, new, "not traced", why)
    return Compared(cell, old, new, "equal programs" if before["digest"] == after["digest"] else "other programs")


def _version(root: Path, module: str, cell: Cell) -> str:
    try:
        return closure_of(_codes.setdefault(root, Code(Tree(root))), module, "run", (), strings_of(cell.config())).code
    except ModuleNotFoundError:
        return ""


_codes: dict[Path, Code] = {}


def _traced(cells: Sequence[Cell], root: Path) -> list[dict[str, Any]]:
    """The tracer's record of each cell by the code of a checkout."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": f"{os.environ.get('XLA_FLAGS', '')} --xla_backend_optimization_level=0".strip(),
    }
    text = "".join(f"{json.dumps(cell.config())}\n" for cell in cells)
    command = [sys.executable, "-P", str(TRACER)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=root, env=environment, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    lost = {"error": f"the tracer ended early: {done.stderr.strip().splitlines()[-1:]}"}
    return [*found, *[lost] * (len(cells) - len(found))]


def proofs(compared: Sequence[Compared], old: str, new: str) -> list[dict[str, Any]]:
    """The records of equal programs."""
    record = {
        "old": old,
        "new": new,
        "date": datetime.date.today().isoformat(),
        "jax": importlib.metadata.version("jax"),
    }
    return [
        {"from": one.old, "to": one.new, "cell": replace(one.cell, seeds=()).label, **record}
        for one in compared
        if one.word == "equal programs"
    ]
