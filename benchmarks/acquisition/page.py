"""The acquisition benchmark's part of `docs/benchmarks.md`: every number comes from the result."""

from typing import Any

from benchmarks.acquisition.agreement import ANALYTIC_TOLERANCE, STANDARD_ERRORS
from benchmarks.document import SKIPPED, duration, rendered, span, table, yes

__all__ = ["section"]

LABELS = {
    "gp_ucb_refit": "UCB",
    "ei": "EI",
    "pi": "PI",
    "corrected_ei": "Corrected EI",
    "corrected_pi": "Corrected PI",
    "noisy_ei": "Noisy EI, 20 models",
    "qnei": "qNEI, 256 samples",
}


def section(result: dict[str, Any]) -> str:
    """The section, from its heading on."""
    part = result["acquisition"]
    task = part["settings"]
    counts = task["counts"]
    introduction = (
        f"A proposal with given hyperparameters consists of conditioning on t observations of {task['problem']} (noise "
        f"{task['noise']:.0%} of its range, known to all), building the acquisition, samples included, and maximising "
        f"it from {task['raw_candidates']} raw candidates and {task['starts']} refined starts. The data are beginnings "
        "of runs of corrected EI; the refit, the same for all, is not in these times. Medians over "
        f"{task['rounds']} rounds in which the contestants took turns; ratios of the means over the counts. "
        f"*Together*: {task['seeds']} data sets in one compiled program, per proposal. *Alone*: one data set. BoTorch: "
        "the class named, its defaults, the faster of one thread and one a core; the corrected forms, which it does "
        "not have, are held against EI and PI."
    )
    header = ("acquisition", *(f"t = {count}" for count in counts))
    rows: list[tuple[str, ...]] = []
    for name, row in part["rows"].items():
        rows.append((f"{LABELS[name]}, together", *(duration(value) for value in row["together"])))
        rows.append((f"{LABELS[name]}, alone", *(duration(value) for value in row["alone"])))
    peers = {row["peer"]: row["peer_seconds"] for row in part["rows"].values() if "peer" in row}
    rows += [(f"BoTorch {name}", *(duration(value) for value in seconds)) for name, seconds in peers.items()]
    ours = [value for row in part["rows"].values() for value in row["together"]]
    came_out = (
        f"A proposal by one of {len(part['rows'])} acquisitions takes {duration(min(ours))} to {duration(max(ours))}"
    )
    heading = "## Seconds a proposal, by acquisition"
    if not peers:
        return rendered(heading, result, f"{came_out}. {introduction}", table(header, rows), SKIPPED)
    times = span((row[how] for row in part["rows"].values() for how in ("ratio", "ratio_alone")), ".0f")
    parts = [f"{came_out}; BoTorch takes {times} times as long. {introduction}", table(header, rows)]
    ratios = [
        (LABELS[name], f"BoTorch {row['peer']}", f"{row['ratio']:.1f}", f"{row['ratio_alone']:.1f}")
        for name, row in part["rows"].items()
    ]
    parts.append(table(("ours", "against", "times faster, together", "alone"), ratios))
    names = [name for name in part["agreement"][0] if name not in ("count", "agree")]
    agreement = [
        (str(entry["count"]), *(f"{entry[name]:.1e}" for name in names), yes(entry["agree"]))
        for entry in part["agreement"]
    ]
    parts += [
        "The same posterior, values at 256 random points. UCB, EI, PI: largest difference, of the largest value (at "
        f"most {ANALYTIC_TOLERANCE:.0e} counts as agreement). Noisy EI and qNEI: largest difference of the means over "
        f"independent sets of samples, in standard errors (at most {STANDARD_ERRORS:.0f}).",
        table(("t", *(LABELS[name] for name in names), "agree"), agreement),
    ]
    return rendered(heading, result, *parts)
