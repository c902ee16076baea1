"""The result of the benchmark on random contexts as a section of `docs/benchmarks.md`."""

from typing import Any

from benchmarks.context.measure import PUBLISHED
from benchmarks.document import rendered, table

__all__ = ["section"]

LABELS = {
    "sbo_kde": "SBO-KDE",
    "drbo_kde": "DRBO-KDE",
    "drbo_mmd": "DRBO-MMD",
    "drbo_mmd_minimax": "DRBO-MMD-MinimaxApprox",
    "stable_opt": "StableOpt",
    "context_free_ucb": "GP-UCB without context",
}


def section(result: dict[str, Any]) -> str:
    """The section."""
    part = result["context"]
    task = part["settings"]
    late = ""
    if "late" in task:  # runs kept before these were timed have none
        late = f" ({task['late_rounds']} rounds at t = {task['late']}, where the paper's runs end)"
    introduction = (
        "Ackley, two decisions and one context, M = 1,024 contexts, 1,024 raw candidates and 50 starts for everyone; "
        "refit and search, one proposal at a time in one thread. The contestants took turns, "
        f"{task['rounds']} rounds of {task['proposals']} proposals, each round on the data of another run{late}. "
        "Medians, with quartiles in brackets."
    )
    rows = [
        (LABELS[row["method"]], str(row["count"]), _times(row["wall"]), _times(row["processor"]), _published(row))
        for row in part["rows"]
    ]
    header = ("method", "t", "wall seconds", "processor seconds", "authors' implementation, elsewhere")
    efforts = "; ".join(
        f"{LABELS[name]}: {entry['raw_candidates']} raw candidates, {entry['starts']} starts"
        for name, entry in PUBLISHED.items()
    )
    shortfalls = "; ".join(
        ", ".join(f"{LABELS[name]} {value:.1e}" for name, value in by_method.items()) + f" at t = {count}"
        for count, by_method in _by_count(part).items()
    )
    ratios = ", ".join(f"{value:.2f} at t = {count}" for count, value in part["ratios"].items())
    notes = (
        f"DRBO-KDE took {ratios} times the processor time of SBO-KDE (median over rounds). The last column was "
        f"measured once, on another machine of two cores, with its own search efforts ({efforts}): times and their "
        "ratios across two machines are orders of magnitude, no more. What the staged search lacks of brute force "
        "(all raw candidates and all starts on all contexts; so the error of every shortcut, quadrature, interpolation "
        "and single precision, together), as a share of the acquisition's range, the most of all runs, negative where "
        f"it found more: {shortfalls}."
    )
    return rendered(
        "## Proposals under a random context",
        result,
        introduction,
        table(header, rows),
        notes,
    )


def _by_count(part: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Count → method → shortfall; runs kept before t = 360 was timed have them at their last count alone."""
    found: dict[str, Any] = part["brute_force"]
    if all(isinstance(value, dict) for value in found.values()):
        return found
    return {str(part["settings"]["counts"][-1]): found}


def _times(quartiles: list[float]) -> str:
    low, middle, high = quartiles
    return f"{middle:.3f} ({low:.3f}, {high:.3f})"


def _published(row: dict[str, Any]) -> str:
    seconds = PUBLISHED.get(row["method"], {}).get("seconds", {}).get(row["count"])
    return "" if seconds is None else f"{seconds:g} s, {seconds / row['wall'][1]:.0f} times ours"
