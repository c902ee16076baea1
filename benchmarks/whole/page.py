"""The seconds of whole runs as a section of `docs/benchmarks.md`."""

from typing import Any

from benchmarks.document import rendered, table
from benchmarks.whole.measure import STAGES

__all__ = ["section"]


def section(result: dict[str, Any]) -> str:
    """The section."""
    part = result["whole"]
    before = {stage.name: stage.before for stage in STAGES}
    rows = [
        (
            row["stage"],
            f"`{row['command']}`",
            before.get(row["stage"], ""),
            f"{row['wall'] / 60:.1f} min",
            f"{row['processor'] / 60:.1f}",
            str(row["status"]),
            row["commit"],
        )
        for row in part["rows"]
    ]
    introduction = (
        "The README's commands one after the other in a fresh clone of the commit, results and compiled programs of "
        "one taken away before the next; core-minutes are processor minutes of the command and all its processes. "
        "Before: what was measured when the targets were set, on two cores of another machine. `make reproduce` runs "
        "to its end, and ends with another status than 0, where a verdict is not the pinned one."
    )
    header = ("what", "command", "before", "wall", "core-minutes", "exit status", "commit")
    return rendered("## Whole runs", result, introduction, table(header, rows))
