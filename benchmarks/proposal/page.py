"""The proposal benchmark's part of `docs/benchmarks.md`."""

from typing import Any

from benchmarks.document import SKIPPED, duration, rendered, span, table, yes

__all__ = ["section"]

LABELS = {
    "boke": "BOKE",
    "gp_ucb": "GP-UCB, fixed hyperparameters",
    "gp_ucb_refit": "GP-UCB, refitted at every step",
    "botorch_fixed": "BoTorch UCB, fixed hyperparameters",
    "botorch_refit": "BoTorch UCB, refitted at every step",
}


def section(result: dict[str, Any]) -> str:
    """The section, from its heading on."""
    return rendered("## Seconds a proposal", result, *_proposal(result["proposal"]))


def _proposal(part: dict[str, Any]) -> list[str]:
    task = part["settings"]
    introduction = (
        f"Hartmann3, t = {task['initial_size']} to {task['budget'] - 1} observations, {task['raw_candidates']} raw "
        f"candidates and {task['starts']} refined starts for everyone, the same initial designs, double precision. The "
        f"contestants took turns, {task['rounds']} rounds. *Together*: {task['seeds']} seeds in one compiled program, "
        "wall time divided by all its proposals, evaluations included. *Alone*: one run of `core.optimize` on a "
        "Python function. BoTorch: one run at a time, conditioning, fit and maximisation only, with the faster of one "
        "thread and one a core. The regret is the median final simple regret of the runs timed, and shows what the "
        "speed costs."
    )
    rows = []
    for group in ("together", "alone"):
        for name, entry in part[group].items():
            rows.append((f"{LABELS[name]}, {group}", *_times(entry), f"{entry['compile_seconds']:.1f} s"))
    for name, entry in part["peer"].items():
        threads = entry["threads"]["used"]
        rows.append((f"{LABELS[name]}, {threads} thread{'s' if threads > 1 else ''}", *_times(entry), "none"))
    columns = ("contestant", "a proposal (median)", "quartiles", "median regret", "runs", "compilation, once")
    parts = [f"{_came_out(part)} {introduction}", table(columns, rows)]
    if not part["peer"]:
        return [*parts, SKIPPED]
    ratios = [
        (LABELS[entry["ours"]], entry["how"], LABELS[entry["peer"]], f"{entry['ratio']:.1f}")
        for entry in part["ratios"]
    ]
    parts.append(table(("ours", "how", "against", "times faster"), ratios))
    agreement = [
        (
            str(entry["count"]),
            f"{entry['mean_difference']:.1e}",
            f"{entry['variance_difference']:.1e}",
            f"{entry['shortfall']:.1e}",
            yes(entry["agree"]),
        )
        for entry in part["agreement"]
    ]
    header = ("t", "posterior mean, largest difference", "posterior variance", "shortfall of our best bound", "agree")
    parts += [
        "### The same problem, solved as well",
        "Same data and fixed hyperparameters: the two posteriors at 256 points, and the largest upper confidence bound "
        "that ours finds against the best of three searches by BoTorch (in units of the bound's range; negative where "
        "ours is higher).",
        table(header, agreement),
    ]
    return parts


def _came_out(part: dict[str, Any]) -> str:
    """The seconds of a proposal, and how many times faster it is than BoTorch's, in a sentence."""
    times = ", ".join(f"{duration(entry['seconds'])} ({LABELS[name]})" for name, entry in part["together"].items())
    said = f"A proposal takes {times}"
    if not part["ratios"]:
        return f"{said}."
    return f"{said}; BoTorch takes {span(entry['ratio'] for entry in part['ratios'])} times as long."


def _times(entry: dict[str, Any]) -> tuple[str, ...]:
    low, high = entry["quartiles"]
    spread = f"{duration(low)} to {duration(high)}"
    return duration(entry["seconds"]), spread, f"{entry['regret']:.1e}", str(entry["runs"])
