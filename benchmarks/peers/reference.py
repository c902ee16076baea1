"""The committed runs, results/reference/bench/peers.json.xz, and the page made of them, docs/peers.md."""

import json
import lzma
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from benchmarks.peers.cells import FORMAT, Cell, store
from benchmarks.peers.contestants import CONTESTANTS, older
from benchmarks.peers.goal import goal
from benchmarks.peers.lists import NOISE
from benchmarks.peers.summary import page, rows, sets, timed
from experiments.engine.files import write_whole

__all__ = ["DOCUMENT", "REFERENCE", "document", "keep", "kept", "machines", "restore", "settings"]

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "results" / "reference" / "bench" / "peers.json.xz"
DOCUMENT = ROOT / "docs" / "peers.md"
CELL = sorted(field.name for field in fields(Cell))


def settings(records: Sequence[Mapping[str, Any]]) -> str:
    """The runs and the contestant that leaves least on each set, in words."""
    if not records:
        return "No runs yet."
    budgets = sorted({len(record["values"]) for record in records})
    functions = {record["cell"]["function"] for record in records}
    contestants = {record["cell"]["contestant"] for record in records}
    noisy = any(record["cell"]["noise"] for record in records)
    best: dict[str, list[str]] = {}
    for name, some in sets(records).items():
        told = re.sub(", (.*)", r" (\1)", name)
        best.setdefault(CONTESTANTS[rows(some)[0].contestant].label, []).append(told)
    least = ", and by ".join(f"{label} on {_listed(names)}" for label, names in best.items())
    return (
        f"{len(contestants)} contestants are compared by {len(records)} runs on {len(functions)} functions and tunings "
        f"from elsewhere (`benchmarks/peers/lists.py`), with {_listed(budgets)} evaluations a run. The least mean "
        f"regret or error is reached by {least}; the intervals below say which leads exceed the error of so few seeds."
        f" Every contestant has an initial design of the same size and one thread"
        + (f"; noise has {NOISE:g} times the median regret of a uniform point." if noisy else ".")
        + _age(records)
    )


def machines(records: Sequence[Mapping[str, Any]]) -> str:
    """The machines, commits and versions of the runs, and how much other work shared the machines."""
    if not records:
        return ""
    made_by = [record["provenance"] for record in records]
    versions: dict[str, set[str]] = {}
    for record in made_by:
        for name, version in record["versions"].items():
            versions.setdefault(name, set()).add(version)
    ran = sorted({f"{where['processor']}, {where['cores']} cores" for where in _each(made_by, "machine")})
    clocks, on_the_clock = timed(records)
    seconds_of = "" if len(ran) == 1 else f" Seconds are of the {len(on_the_clock)} runs on {_listed(clocks)}."
    lasted = sum(record["wall_seconds"] for record in records) / sum(record["processor_seconds"] for record in records)
    commits = sorted({str(commit)[:12] for commit in _each(made_by, "commit")})
    return (
        f"Runs, one at a time: {_listed(ran)}; commit {_listed(commits)}; "
        + ", ".join(f"{name} {_listed(sorted(found))}" for name, found in sorted(versions.items()))
        + f". A processor second lasted {lasted:.2g} s. Where that is well above one, other work shared the "
        f"machine, and all seconds are too many.{seconds_of}\n"
    )


def _age(records: Sequence[Mapping[str, Any]]) -> str:
    """The contestants with runs that are older than the code; "" where there are none."""
    names = sorted({record["cell"]["contestant"] for record in records if older(record)})
    labels = [CONTESTANTS[name].label for name in names]
    return f" Runs of {_listed(labels)} are older than the code." if names else ""


def keep(records: Sequence[Mapping[str, Any]], reference: Path = REFERENCE, page: Path = DOCUMENT) -> list[Path]:
    """Make the runs the reference, and write the page; the files written.

    The provenance is written once for all runs alike, the format once, and a cell as the list of its values, by name.
    """
    makers: list[Any] = []
    runs = []
    for record in records:
        if record["provenance"] not in makers:
            makers.append(record["provenance"])
        cell = [value for _, value in sorted(record["cell"].items())]
        runs.append({**record, "provenance": makers.index(record["provenance"]), "cell": cell})
        del runs[-1]["format"]
    stored = {"format": FORMAT, "cell": CELL, "provenance": makers, "runs": runs}
    text = json.dumps(stored, separators=(",", ":"), sort_keys=True) + "\n"
    return [
        write_whole(reference, lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)),
        write_whole(page, document(records).encode()),
    ]


def kept(reference: Path = REFERENCE) -> list[dict[str, Any]]:
    """The reference's runs, as :func:`benchmarks.peers.cells.compute` returned them."""
    stored = json.loads(lzma.decompress(reference.read_bytes()))
    return [
        {
            **run,
            "format": FORMAT,
            "provenance": stored["provenance"][run["provenance"]],
            "cell": {"noise": 0.0} | dict(zip(stored["cell"], run["cell"], strict=True)),
            "answer": run.get("answer", min(run["values"])),
        }
        for run in stored["runs"]
    ]


def restore(folder: Path, reference: Path = REFERENCE) -> int:
    """Copies the runs of the reference that a folder lacks into the folder, and returns their number."""
    absent = [record for record in kept(reference) if not Cell(**record["cell"]).path(folder).exists()]
    for record in absent:
        store(record, folder, durable=False)  # the reference has it
    return len(absent)


def document(records: Sequence[Mapping[str, Any]]) -> str:
    """The page, docs/peers.md."""
    absent = [name for name in CONTESTANTS if name not in {record["cell"]["contestant"] for record in records}]
    text = page(records, {}, settings(records))
    judged = "\n".join(goal(records))
    missing = "".join(f"Not run: {CONTESTANTS[name].label}.\n" for name in absent)
    how = "`python -m benchmarks.peers` computes missing runs, and `--keep` makes the runs the committed ones.\n"
    return f"{text}\n{judged}\n{missing}{how}\n{machines(records)}"


def _each(made_by: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    return [record[name] for record in made_by]


def _listed(values: Sequence[Any]) -> str:
    *first, last = map(str, values)
    return f"{', '.join(first)} and {last}" if first else last
