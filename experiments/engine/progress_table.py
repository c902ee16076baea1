"""The output of `python -m experiments status --scale SCALE`."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from experiments.engine.progress import Progress

__all__ = ["print_progress"]


def print_progress(rows: Sequence[Progress], scale: str, console: Console) -> None:
    """Prints a row a study with the core-hours left, their sum, and the command that completes the scale."""
    table = Table("study", "cells", "here", "reference", "carried", "left", "core-h left", "estimated from")
    for row in rows:
        counts = (str(row.cells), str(row.here), str(row.reference), str(row.carried), str(row.left))
        table.add_row(row.study, *counts, _hours([row]) if row.left else "", _basis(row))
    total = [str(sum(getattr(row, name) for row in rows)) for name in ("cells", "here", "reference", "carried", "left")]
    table.add_row("all", *total, _hours(rows), "")
    console.print(table)
    for line in (
        "here: results by the present code. stored: the seconds of the same cell in an earlier run. scaled: the "
        "seconds of other seeds, or of a smaller scale, times seeds and rounds. Cells stored at this scale correct the "
        "scaled estimates. Without such cells an estimate ignores that later proposals cost more.",
        f"`make experiments SCALE={scale}` computes what is not here and continues where it was stopped; "
        f"`python -m experiments run --scale {scale} --skip-kept` leaves out what the reference holds.",
    ):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _hours(rows: Sequence[Progress]) -> str:
    least = "at least " if any(row.unknown for row in rows) else ""
    return f"{least}{sum(row.seconds for row in rows) / 3600:.2g}"


def _basis(row: Progress) -> str:
    parts = ((row.stored, "stored"), (row.scaled, "scaled"), (row.unknown, "unknown"))
    return ", ".join(f"{count} {words}" for count, words in parts if count)
