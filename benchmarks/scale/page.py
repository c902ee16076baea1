"""The cost of a proposal by numbers of data: a section of `docs/benchmarks.md`."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.document import SKIPPED, duration, rendered, table
from benchmarks.scale.figure import LABELS
from benchmarks.scale.measure import roofline

__all__ = ["section"]


def section(result: dict[str, Any]) -> str:
    """Heading, figure, and a row for every method and number of data."""
    part = result["scale"]
    rates = part["rates"]
    introduction = (
        f"{_came_out(part['rows'])} For a proposal with t observations in dimension {part['dim']} "
        "the model is conditioned on the data and the "
        f"acquisition searched from {part['raw_candidates']} candidates, {part['starts']} of them refined; fixed "
        "hyperparameters. Every line is a process of its own on one thread; seconds are the processor's, the best of "
        "the calls after the first, which compiles. The roofline is the least that this machine could take: BOKE's "
        f"candidates at {rates['kernel_evaluations'] / 1e6:.0f} million kernel evaluations a second, or one Cholesky "
        f"factor at {rates['flops'] / 1e9:.1f} GFLOP/s. At its most data BOKE takes {part['of_roofline']:.1f} times "
        "its roofline (which counts no refinement)."
    )
    rows = [
        (
            LABELS[row["method"]],
            f"{row['count']:,}",
            duration(row["cpu_seconds"]),
            duration(roofline(row["method"], row["count"], rates)),
            f"{row['memory_mib']:.0f}",
        )
        for row in part["rows"]
    ]
    header = ("method", "t", "seconds", "roofline", "MiB")
    stops = [f"{LABELS[method]} was stopped: {reason}." for method, reason in part["stopped"].items()]
    skipped = [] if any(row["method"] == "botorch" for row in part["rows"]) else [SKIPPED]
    picture = "![Seconds and memory of a proposal against the number of observations](scale.svg)"
    return rendered(
        "## A million observations",
        result,
        introduction,
        picture,
        table(header, rows),
        " ".join([*stops, *skipped]) or "No method was stopped.",
    )


def _came_out(rows: Sequence[Mapping[str, Any]]) -> str:
    """The most observations of each method, with the seconds of a proposal, in a sentence."""
    most = {row["method"]: row for row in rows}
    said = [
        f"{duration(row['cpu_seconds'])} with {LABELS[name]} at {row['count']:,} observations"
        for name, row in most.items()
    ]
    return f"At its most data a proposal takes {', '.join(said)}."
