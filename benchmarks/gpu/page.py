"""The findings on a GPU: a section of `docs/benchmarks.md`."""

import re
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.code import NAMING
from benchmarks.document import OLDER, duration, made_by, paragraphs, span, table, yes
from benchmarks.gpu.agreement import SHARES, TOLERANCES
from benchmarks.gpu.lower import Lowered
from benchmarks.gpu.measure import RUNS
from experiments.engine.code_version import of_names
from experiments.engine.source import PROJECT

__all__ = ["code", "section"]

LATE = "out of time"
"""The reason of a program that the minutes did not reach."""


def code() -> str:
    """The version of the code of the whole runs, the measuring code included."""
    return of_names("benchmarks.gpu.measure", ("_run",), NAMING, strings=tuple(RUNS)).code


def section(result: Mapping[str, Any]) -> str:
    """The findings, as Markdown; `result` has `older` where the code of the runs is not today's."""
    rows = [row for row in result["rows"] if "missing" not in row]
    missing = [row for row in result["rows"] if "missing" in row and row["missing"] != LATE]
    late = [row["name"] for row in result["rows"] if row.get("missing") == LATE]
    formulas = [row for row in rows if row["kind"] == "formula"]
    others = [row for row in rows if row["kind"] != "formula"]
    parts = [
        "## On a GPU",
        _introduction(result),
        OLDER if result.get("older") else "",
        _lowered([Lowered(**entry) for entry in result["lowered"]]),
        _formulas(formulas) if formulas else "",
        table(HEADER, [_row(row) for row in others]) if others else "",
        *(f"- {row['name'].replace('|', ' ')}: {row['missing']}" for row in missing),
        f"Not reached in the time given: {_kinds(late)}." if late else "",
        f"Run: `make bench BENCH=gpu`, {result.get('minutes', 0.0):.1f} minutes. {made_by(result['provenance'])} "
        f"{_beyond(result['provenance']['versions'])}{result.get('note', '')}".strip(),
    ]
    return paragraphs(*filter(None, parts))


FEW = 8
"""The number of programs of a kind up to which each is named."""

HEADER = ("kind", "program", "largest difference", "agrees", "CPU", "device", "CPU/device", "first call, device")


def _introduction(result: Mapping[str, Any]) -> str:
    if not any(row.get("kind") == "run" for row in result["rows"]):
        return f"Device: {result['device'] or 'none; nothing was run'}."
    tolerances = "; ".join(f"{kind} {TOLERANCES[kind]:g} in {SHARES[kind]:.0%}" for kind in TOLERANCES)
    runs = [row["cpu_seconds"][1] / row["device_seconds"][1] for row in result["rows"] if row.get("kind") == "run"]
    return (
        f"Whole runs are {span(runs)} times as fast on the device ({result['device']}) as on one core of its host, "
        "after compilation, which takes longer for the device. Double precision; seeds run one after the other on the "
        "CPU and all at once on the device. Seconds are the smaller of two calls after the first, which also compiles. "
        "Differences are relative to the largest entry of an array (1 at least); tolerances, fixed before: "
        f"{tolerances} of the entries. Runs of SBO-KDE and DRBO-KDE have 15 proposals on modified Branin, the others "
        "30 on Branin."
    )


def _beyond(versions: Mapping[str, str]) -> str:
    """A sentence on the packages whose version is not below the limit of `pyproject.toml`; empty without any."""
    text = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    limits = dict(re.findall(r'"(\w+)<([\d.]+)"', text))
    names = [one for one, limit in limits.items() if _numbers(versions.get(one, "0")) >= _numbers(limit)]
    return f"The versions of {', '.join(names)} lie beyond the limits of `pyproject.toml`. " if names else ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def _lowered(entries: Sequence[Lowered]) -> str:
    problems = [f"- {entry.kind} {entry.name}: {entry.problem}" for entry in entries if entry.problem]
    kinds = {kind: sum(entry.kind == kind for entry in entries) for kind in dict.fromkeys(e.kind for e in entries)}
    calls = sorted({call for entry in entries for call in entry.calls})
    lowering = (
        f"`jax.export` lowers {', '.join(f'{n} {k}s' for k, n in kinds.items())} for `cuda`; "
        f"{len(problems)} problems. Library calls: {', '.join(calls) or 'none'}."
    )
    return "\n\n".join([lowering, *problems])


def _formulas(rows: Sequence[Mapping[str, Any]]) -> str:
    """One sentence on the formulas, and a line on each that disagrees."""
    ratios = [row["cpu_seconds"][1] / row["device_seconds"][1] for row in rows]
    worst = max(row["worst"] for row in rows)
    wrong = [f"- formula {row['name']}: differs by {row['worst']:.1e}" for row in rows if not row["agrees"]]
    summary = (
        f"{len(rows) - len(wrong)} of {len(rows)} formulas agree; the largest difference is {worst:.1e}. A call is too "
        f"small for the device: the CPU takes {span(ratios)} times its seconds (median {median(ratios):.2g})."
    )
    return "\n\n".join([summary, *wrong])


def _row(row: Mapping[str, Any]) -> tuple[str, ...]:
    cpu, device = row["cpu_seconds"][1], row["device_seconds"][1]
    seconds = (duration(cpu), duration(device), f"{cpu / device:.1f}", duration(row["device_seconds"][0]))
    return (
        row["kind"],
        row["name"].replace(", 1 seeds", ", 1 seed"),
        f"{row['worst']:.1e}",
        yes(row["agrees"]),
        *seconds,
    )


def _kinds(names: Sequence[str]) -> str:
    """The programs of each kind, "kind|name", or their number where these are many."""
    kinds: dict[str, list[str]] = {}
    for kind, _, name in (each.partition("|") for each in names):
        kinds.setdefault(kind, []).append(name)
    many = {kind: f"{len(each)} {kind}s" for kind, each in kinds.items() if len(each) > FEW}
    return "; ".join(many.get(kind, f"{kind} {' and '.join(each)}") for kind, each in kinds.items())
