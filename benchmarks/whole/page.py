"""The seconds of whole runs as a section of `docs/benchmarks.md`."""

from typing import Any

from benchmarks.document import rendered, span, table
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
        f"The commands of README take {span((row['wall'] / 60 for row in part['rows']), '.1f')} minutes. They run one "
        "after the other in a fresh clone of the commit, and results and compiled programs are removed in between. "
        'Core-minutes are processor minutes of the command and all its processes. "Before" is the time when the '
        "targets were set, on two cores of another machine. `make reproduce` and the tests run to their end. "
        "The exit status is not 0 where a verdict is not the pinned one, or where a test fails; the time stands."
    )
    header = ("what", "command", "before", "wall", "core-minutes", "exit status", "commit")
    return rendered("## Whole runs", result, introduction, table(header, rows))
