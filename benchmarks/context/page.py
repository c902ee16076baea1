"""The result of the benchmark on random contexts as a section of `docs/benchmarks.md`."""

from typing import Any

from benchmarks.context.measure import PUBLISHED
from benchmarks.document import paragraphs, rendered, table

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
        _came_out(part["rows"])
        + "Ackley, two decisions and one context, M = 1,024 contexts, 1,024 raw candidates and 50 starts for everyone; "
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
    notes = (
        f"Processor time over that of SBO-KDE (median over rounds): {_ratios(part['ratios'])}. The last column was "
        f"measured once, on another machine of two cores, with its own search efforts ({efforts}): times and their "
        "ratios across two machines are orders of magnitude, no more."
    )
    return rendered(
        "## Proposals under a random context",
        result,
        introduction,
        table(header, rows),
        notes,
        _search(part),
    )


def _came_out(rows: list[dict[str, Any]]) -> str:
    """The seconds of the methods of Paper C at their least and at their most observations, in a sentence."""
    said = []
    for name in ("sbo_kde", "drbo_kde"):
        own = [row for row in rows if row["method"] == name]
        ends = [f"{row['processor'][1]:.2g} s (t = {row['count']})" for row in (own[0], own[-1])] if own else []
        if ends:
            said.append(" to ".join(dict.fromkeys(ends)) + f" with {LABELS[name]}")
    return f"In processor time a proposal takes {' and '.join(said)}. " if said else ""


def _ratios(ratios: dict[str, Any]) -> str:
    """The ratios by method and count; older runs have the ratios of DRBO-KDE alone."""
    if not all(isinstance(value, dict) for value in ratios.values()):
        ratios = {"drbo_kde": ratios}
    return "; ".join(
        f"{LABELS[name]} " + ", ".join(f"{value:.2f} at t = {count}" for count, value in by_count.items())
        for name, by_count in ratios.items()
    )


def _search(part: dict[str, Any]) -> str:
    """The shortfall of the search against brute force; older runs have Ackley alone."""
    if "states" not in part:
        counts = part["brute_force"]
        if not all(isinstance(value, dict) for value in counts.values()):
            counts = {str(part["settings"]["counts"][-1]): counts}
        shortfalls = "; ".join(
            ", ".join(f"{LABELS[name]} {value:.1e}" for name, value in by_method.items()) + f" at t = {count}"
            for count, by_method in counts.items()
        )
        return (
            "The most that the search lacks of brute force, on these runs of Ackley and from starts on the search's "
            f"own lattice, as a share of the acquisition's range: {shortfalls}."
        )
    introduction = (
        "The search against brute force on all problems of Paper C, one run of each, after "
        f"{', '.join(map(str, part['settings']['states']))} observations. Brute force starts from a lattice of its "
        "own, all observed decisions, all corners and the proposal. A shortfall is what the objective at the proposal "
        "lacks, as a share of the objective's range; the last column has the largest."
    )
    rows = [
        (row["problem"], LABELS[row["method"]], str(row["states"]), str(row["beyond"]), f"{row['worst']:.1e}")
        for row in part["states"]
    ]
    return paragraphs(introduction, table(("problem", "method", "states", "beyond 1e-6", "worst"), rows))


def _times(quartiles: list[float]) -> str:
    low, middle, high = quartiles
    return f"{middle:.3f} ({low:.3f}, {high:.3f})"


def _published(row: dict[str, Any]) -> str:
    seconds = PUBLISHED.get(row["method"], {}).get("seconds", {}).get(row["count"])
    return "" if seconds is None else f"{seconds:g} s, {seconds / row['wall'][1]:.0f} times ours"
