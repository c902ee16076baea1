"""A benchmark's result as the Markdown of `docs/benchmarks.md`: every number comes from the result."""

from collections.abc import Sequence
from typing import Any

__all__ = ["duration", "made_by", "render", "table", "target_row", "yes"]

LABELS = {
    "boke": "BOKE",
    "gp_ucb": "GP-UCB, fixed hyperparameters",
    "gp_ucb_refit": "GP-UCB, refitted at every step",
    "botorch_fixed": "BoTorch UCB, fixed hyperparameters",
    "botorch_refit": "BoTorch UCB, refitted at every step",
}


def render(result: dict[str, Any]) -> str:
    """The whole page."""
    parts = ["# Benchmarks", made_by(result, "proposal")]
    if "proposal" in result:
        parts += _proposal(result["proposal"])
    parts += _streaming(result["streaming"])
    targets = [*result.get("proposal", {}).get("targets", ()), *result["streaming"]["targets"]]
    parts += ["## Targets", table(("target", "wanted", "reached", "met"), [target_row(entry) for entry in targets])]
    return "\n\n".join(parts) + "\n"


def made_by(result: dict[str, Any], name: str) -> str:
    """What was run, where, with which versions."""
    made = result["provenance"]
    versions = ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    machine = made["machine"]
    return (
        f"Written by `make bench ONLY={name}` (`python -m benchmarks --only {name} --keep` keeps a run as the "
        "reference); not a number here is typed by hand.\n\n"
        f"Commit {made['commit']}; {machine['processor']}, {machine['cores']} cores, {machine['system']}, JAX on "
        f"{result['device']}; {versions}."
    )


def _proposal(part: dict[str, Any]) -> list[str]:
    task = part["settings"]
    introduction = (
        f"Hartmann3, t = {task['initial_size']} to {task['budget'] - 1} observations, {task['raw_candidates']} raw "
        f"candidates and {task['starts']} refined starts for everyone, the same initial designs, double precision. The "
        f"contestants took turns, {task['rounds']} rounds. *Together*: {task['seeds']} seeds in one compiled program, "
        "wall time divided by all its proposals, evaluations included. *Alone*: one run of `core.optimize` on a "
        "Python function. BoTorch: one run at a time, conditioning, fit and maximisation only, with the faster of one "
        "thread and one a core. The regret is the median final simple regret of the runs timed, so that speed can be "
        "seen not to be bought with poor optimisation."
    )
    rows = []
    for group in ("together", "alone"):
        for name, entry in part[group].items():
            rows.append((f"{LABELS[name]}, {group}", *_times(entry), f"{entry['compile_seconds']:.1f} s"))
    for name, entry in part["peer"].items():
        threads = entry["threads"]["used"]
        rows.append((f"{LABELS[name]}, {threads} thread{'s' if threads > 1 else ''}", *_times(entry), "none"))
    columns = ("contestant", "a proposal (median)", "quartiles", "median regret", "runs", "compilation, once")
    parts = ["## Seconds a proposal", introduction, table(columns, rows)]
    if not part["peer"]:
        return [*parts, "The peer was skipped: torch or botorch is not installed."]
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


def _streaming(part: dict[str, Any]) -> list[str]:
    memory = part["memory"]
    introduction = (
        f"`core.models.large_scale.kernel_regression_and_density` for {part['candidates']} candidates in dimension "
        f"{part['dim']}, Gaussian kernel, bandwidth by Scott's rule, against a probe that only computes "
        "`sum exp(A B^T)`, chunked the same way and timed in turn. "
        f"Time grows with t to the power {part['exponent']:.2f} (last step {part['last_exponent']:.2f}). "
        f"At t = {memory['count']:.0f} the data take {memory['data_mib']:.0f} MiB and the call "
        f"{memory['beyond_data_mib']:.0f} MiB beyond them, its compilation included."
    )
    rows = [
        (
            f"{row['count']:.0f}",
            duration(row["seconds"]),
            f"{row['evaluations_per_second'] / 1e6:.0f}",
            f"{row['probe_evaluations_per_second'] / 1e6:.0f}",
            f"{row['of_probe']:.0%}",
        )
        for row in part["rows"]
    ]
    header = ("t", "time", "million kernel evaluations a second", "probe", "of the probe")
    return ["## Kernel sums", introduction, table(header, rows)]


def _times(entry: dict[str, Any]) -> tuple[str, ...]:
    low, high = entry["quartiles"]
    spread = f"{duration(low)} to {duration(high)}"
    return duration(entry["seconds"]), spread, f"{entry['regret']:.1e}", str(entry["runs"])


def target_row(entry: dict[str, Any]) -> tuple[str, ...]:
    """A target, what was reached, and whether that is enough."""
    return entry["name"], f"{entry['target']:.4g}", f"{entry['reached']:.3g}", yes(entry["met"])


def duration(seconds: float) -> str:
    """Seconds or milliseconds."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"


def yes(condition: bool) -> str:
    """Yes, or a bold no."""
    return "yes" if condition else "**no**"


def table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
