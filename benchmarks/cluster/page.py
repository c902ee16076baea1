"""The overhead of a cell on a cluster: a section of `docs/benchmarks.md`."""

from typing import Any

from benchmarks.document import rendered, table
from benchmarks.timing import quartiles

__all__ = ["section"]


def section(result: dict[str, Any]) -> str:
    """Heading and a row for either way."""
    part = result["cluster"]
    turns = len(part["milliseconds"]["dask"])
    introduction = (
        "Milliseconds that one more cell takes which computes nothing and returns 8 KiB, on one worker: the "
        f"difference of runs of {part['many']} and {part['few']} cells, a cell. Median of {turns} turns, with their "
        "quartiles; starting workers is not in it. Storing a result comes on top of either, and is the same for both."
    )
    rows = []
    for way, label in (("local", "local pool"), ("dask", "dask, loopback")):
        low, middle, high = quartiles(part["milliseconds"][way])
        rows.append((label, f"{middle:.1f}", f"{low:.1f} to {high:.1f}"))
    return rendered("# A cell on a cluster", result, introduction, table(("", "ms a cell", "quartiles"), rows))
