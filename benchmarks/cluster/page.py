"""The overhead of a cell on a cluster: a section of `docs/benchmarks.md`."""

from typing import Any

from benchmarks.document import rendered, table
from benchmarks.timing import quartiles

__all__ = ["section"]


def section(result: dict[str, Any]) -> str:
    """Heading and a row for either way."""
    part = result["cluster"]
    turns = len(part["milliseconds"]["dask"])
    rows, middles = [], []
    for way, label in (("local", "local pool"), ("dask", "dask, loopback")):
        low, middle, high = quartiles(part["milliseconds"][way])
        middles.append(f"{middle:.1f} ms on the {label}" if way == "local" else f"{middle:.1f} ms by {label}")
        rows.append((label, f"{middle:.1f}", f"{low:.1f} to {high:.1f}"))
    introduction = (
        f"One more cell takes {' and '.join(middles)}. The cell computes nothing and returns 8 KiB, on one worker; the "
        f"time is the difference of runs of {part['many']} and {part['few']} cells, divided by their cells. Medians of "
        f"{turns} turns, with quartiles. The time to start workers is left out, and the time to store a result, which "
        "is the same for both."
    )
    return rendered("## A cell on a cluster", result, introduction, table(("", "ms a cell", "quartiles"), rows))
