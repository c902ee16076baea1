"""The symbols of a cell, as followed in the source, against the code that the interpreter runs."""

import ast
import importlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

from experiments.engine.code_version import of_cell
from experiments.engine.registry import STUDIES
from experiments.engine.source import PACKAGES, PROJECT, bound_names
from experiments.engine.study import Cell
from theory_checks import cache, ledger


def test_no_study_and_no_claim_counts_the_whole_project():
    """Each cell and each claim looks names up in ways that can be followed; `*` marks one that does not."""
    for study in STUDIES.values():
        for cell in study.cells("smoke"):
            assert "*" not in of_cell(study.module, cell).symbols, cell.label
    for claim in ledger.load().values():
        assert "*" not in cache.used_by(claim).symbols, claim.id


def _names_at(path: Path, line: int) -> Iterator[str]:
    """The names that the top-level statement at a line binds."""
    for statement in ast.parse(path.read_text()).body:
        first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
        if first <= line <= (statement.end_lineno or first):
            yield from bound_names(statement)


def _for_a_message(code: CodeType) -> bool:
    """True for a function that only words an error, which does not count."""
    return code.co_qualname.startswith("near_names")


@pytest.mark.parametrize("name", ["boke.fig1", "boke.fig6", "ctx.fig1a"])
def test_every_function_of_the_project_that_a_cell_runs_is_in_what_it_uses(name: str):
    """The oracle is the interpreter: what it calls while the cell is computed."""
    study = STUDIES[name]
    cell: Cell = study.cells("smoke")[0]
    importlib.import_module(study.module)
    called: set[tuple[str, int]] = set()

    def watch(frame, event, argument):
        if event == "call" and frame.f_code.co_name != "<module>" and not _for_a_message(frame.f_code):
            called.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    sys.setprofile(watch)
    threading.setprofile(watch)
    try:
        study.run(cell)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    used = {symbol.partition("[")[0] for symbol in of_cell(study.module, cell).symbols} | {f"{study.module}.run"}
    checked = 0
    for file, line in called:
        path = Path(file)
        parts = path.relative_to(PROJECT).with_suffix("").parts if path.is_relative_to(PROJECT) else ("",)
        if parts[0] in PACKAGES:
            module = ".".join(parts).removesuffix(".__init__")
            assert any(f"{module}.{symbol}" in used for symbol in _names_at(path, line)), f"{file}:{line}"
            checked += 1
    assert checked > 3
