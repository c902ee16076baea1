"""The assumption audit of each paper as a table: the parts of the assumptions that each experiment meets."""

import importlib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.papers import Paper
from paper_figures.table import Table

TITLES = {
    "A": ("Paper A: assumptions in each study", "Paper A: Assumption 3, kernel by kernel"),
    "B": ("Paper B: hypotheses of section 4.3 in each study", "Paper B: covariance kernels"),
    "C": ("Paper C: hypotheses on the context density in each study", "Paper C: Assumption 1, kernel by kernel"),
    "D": ("Paper D: hypotheses of section 6 in each study", "Paper D: Assumptions 6.2 and 6.3, kernel by kernel"),
}


def audit_tables(paper: Paper) -> tuple[Table, ...]:
    """A paper's module of `theory_checks.audits`: `table()` has one row a study, `kernel_table()` one row a kernel."""
    module = importlib.import_module(f"theory_checks.audits.{paper.key}")
    note = "Measured on the kernels, problems and noise models that the experiments use."
    found = zip(TITLES[paper.letter], (module.table(), module.kernel_table()), strict=True)
    return tuple(_table(title, records, note if not i else "") for i, (title, records) in enumerate(found) if records)


def _table(title: str, records: Sequence[Mapping[str, Any]], note: str) -> Table:
    names = list(dict.fromkeys(name for record in records for name in record))
    rows = tuple(tuple(_text(record.get(name, "")) for name in names) for record in records)
    return Table(title, tuple(_heading(name) for name in names), rows, note)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "✔ holds" if value else "✘ fails"
    if isinstance(value, list | tuple):
        return ", ".join(_text(item) for item in value)
    if isinstance(value, float) and math.isinf(value):
        return "∞"
    return str(value).replace("_", " ")


def _heading(name: str) -> str:
    return re.sub(r"(\d+)", r" \1", name.replace("_", " ")).capitalize()
