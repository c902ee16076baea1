"""Claims as studies of one cell: `experiments.engine.runner` runs them and stores their evidence.

The module also compares the evidence with the pinned verdicts.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from experiments.engine import evidence, runner
from experiments.engine.keep import finished
from experiments.engine.provenance import committed
from experiments.engine.result_file import Result
from experiments.engine.runner import Resources
from experiments.engine.scale import SCALES
from experiments.engine.store import Store, move_aside, to_stderr
from experiments.engine.study import Cell, Study
from theory_checks import cache, counterexamples
from theory_checks.ledger import Claim, Kind, load

EXPECTED = Path(__file__).resolve().parent / "expected.json"

Entry = dict[str, Any]


@dataclass(frozen=True)
class Examination:
    """The examination of a claim at a scale, as a worker does it."""

    claim: str
    scale: str

    def version(self) -> str:
        """The key under which the evidence stays valid."""
        return cache.key_of(load()[self.claim], self.scale)

    def run(self) -> dict[str, Any]:
        """The evidence by its fields."""
        found = load()[self.claim](self.scale)
        fields = ("summary", "numbers", "counterexample")
        return {"verdict": str(found.verdict), **{name: getattr(found, name) for name in fields}}


def study_of(claim: Claim) -> Study:
    """The study of a claim: its one cell is the claim itself."""
    return Study(
        f"theory_checks.{claim.id}",
        title=claim.title,
        caption="",
        cells=lambda scale: [Cell("", "", ())],
        run=lambda cell: Examination(cell.study, cell.scale).run(),
        here=bool(claim.needs),
    )


class _Timed(NamedTuple):
    """Stored evidence for estimates of run times."""

    entry: Entry

    def metadata(self) -> dict[str, Any]:
        """The seconds of the check and its provenance."""
        times = {"wall_seconds": self.entry["seconds"], "cpu_seconds": self.entry["cpu_seconds"]}
        return {**times, **self.entry["provenance"]}


class Evidence(Store):
    """The evidence under a results root: a JSON file a claim, or an entry in the committed file of the paper."""

    def __init__(self, claims: Iterable[Claim], root: Path = cache.LOCAL, report: Callable[[str], None] = to_stderr):
        super().__init__(root, studies={claim.id: study_of(claim) for claim in claims}, report=report)

    def task(self, cell: Cell) -> Examination:
        """The task of a worker: the examination of the claim."""
        return Examination(cell.study, cell.scale)

    def path(self, cell: Cell) -> Path:
        """The path of finished evidence."""
        return evidence.path_of(cell.study, cell.scale, self.root)

    def error_path(self, cell: Cell) -> Path:
        """The path of the traceback of a check's last failure."""
        return self.path(cell).with_suffix(".error.txt")

    def done(self, cell: Cell) -> bool:
        """True where evidence by the present code and inputs is stored."""
        return self.entry(cell) is not None

    def entry(self, cell: Cell) -> Entry | None:
        """The evidence by the present code and inputs; None without. A damaged file is reported and moved aside."""
        try:
            found = cache.read(cell.study, cell.scale, self.root)
        except ValueError as error:
            moved = move_aside(self.path(cell))
            self.report(f"{error}; {f'moved to {moved.name}' if moved else 'now gone'}")
            return None
        return found if found is not None and found["key"] == self.code(cell) else None

    def read(self, cell: Cell) -> Result | None:
        """The evidence as a result without arrays."""
        found = self.entry(cell)
        return None if found is None else Result(cell.config(), {}, found)

    def write(self, cell: Cell, found: Mapping[str, Any], metadata: Mapping[str, Any]) -> Path:
        """Stores evidence, whole or not at all."""
        claim = load()[cell.study]
        times = {"seconds": metadata["wall_seconds"], "cpu_seconds": metadata["cpu_seconds"]}
        made_by = {name: value for name, value in metadata.items() if name in evidence.MADE_BY}
        told = {"id": claim.id, "paper": claim.paper, "number": claim.number, "kind": str(claim.kind)}
        entry = {**told, "scale": cell.scale, "key": self.code(cell), **found, **times, evidence.PROVENANCE: made_by}
        cache.write(entry, cell.scale, self.root)
        return self.path(cell)

    def of_cell(self, cell: Cell) -> list[Any]:
        """The stored evidence on a claim at the scale, by any version of the code."""
        return self.stored(cell.study, cell.scale)

    def stored(self, study: str, scale: str) -> list[Any]:
        """The evidence on one claim at a scale, by any version of the code."""
        try:
            entry = cache.read(study, scale, self.root)
        except ValueError:
            return []
        return [] if entry is None else [_Timed(entry)]

    def seconds(self, cell: Cell) -> float | None:
        """The stored seconds of the check at the scale; without them, the committed seconds at any scale."""
        own = super().seconds(cell)
        if own is not None or self.root == cache.REFERENCE:
            return own
        reference = Evidence((), cache.REFERENCE)
        times = (reference.seconds(replace(cell, scale=scale)) for scale in (cell.scale, *SCALES))
        return next((seconds for seconds in times if seconds is not None), None)


def entries(claims: Sequence[Claim], scale: str, store: Evidence) -> tuple[list[Entry], list[str]]:
    """The evidence by the present code, and the ids of the claims without such evidence."""
    found = {claim.id: store.entry(store.studies[claim.id].cells(scale)[0]) for claim in claims}
    return [entry for entry in found.values() if entry is not None], [
        name for name, entry in found.items() if entry is None
    ]


def run(claims: Sequence[Claim], scale: str, store: Evidence, resources: Resources, console: Console) -> int:
    """Examines the claims that have no evidence by the present code; returns an exit status, as studies' runs do.

    Raises as `experiments.engine.runner.run` does.
    """
    reference = Evidence(claims, cache.REFERENCE)
    return runner.run(list(store.studies.values()), scale, store, reference, resources, console, "Claims")


def keep(claims: Sequence[Claim], scale: str, store: Evidence) -> int:
    """Makes the evidence at a scale the committed reference evidence; returns how many entries.

    At scale quick the counterexamples are committed too, so that a replay agrees with the pages. Raises as
    `experiments.engine.keep.finished` does.
    """
    reference = Evidence(claims, cache.REFERENCE)
    finished(list(store.studies.values()), scale, store, reference)
    found, _ = entries(claims, scale, store)
    if scale == "quick":
        commit_counterexamples(found)
    cache.keep([{**_slim(entry), "kept at": committed()} for entry in found], scale, cache.REFERENCE)
    return len(found)


def commit_counterexamples(found: Sequence[Entry]) -> None:
    """Writes the small counterexamples of theory beside the code."""
    for entry in found:
        if entry["kind"] == Kind.THEORY:
            counterexamples.commit(load()[entry["id"]], entry["counterexample"])


def _slim(entry: Entry) -> Entry:
    """The entry without its counterexample, where that is committed beside the code or too large to be committed."""
    counterexample = entry["counterexample"]
    here = counterexamples.committed_path(entry["id"])
    known = here.is_file() and counterexamples.load(here) == counterexample
    return {**entry, "counterexample": None if known or counterexamples.is_large(counterexample) else counterexample}


def _pinned() -> dict[str, dict[str, str]]:
    return json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.is_file() else {}


def expected(scale: str) -> dict[str, str]:
    """The pinned verdict of each claim of theory at a scale."""
    return {claim: verdicts[scale] for claim, verdicts in _pinned().items() if scale in verdicts}


def mismatches(found: Sequence[Entry], pinned: Mapping[str, str]) -> list[str]:
    """One sentence for each entry whose verdict differs from the pinned one.

    Verdicts on experiments are not pinned, since the rounding of another processor can move a verdict near a border.
    `python -m experiments verify` compares the results of experiments.
    """
    return [
        f"{entry['id']}: {entry['verdict']}, but expected.json says {pinned[entry['id']]}"
        for entry in found
        if entry["id"] in pinned and entry["verdict"] != pinned[entry["id"]]
    ]


def pin(found: Sequence[Entry], scale: str) -> None:
    """Writes the verdicts of theory to expected.json, and at scale quick the counterexamples beside the code."""
    table = _pinned()
    for entry in found:
        if entry["kind"] == Kind.THEORY:
            table.setdefault(entry["id"], {})[scale] = entry["verdict"]
    cache.write_json(EXPECTED, table)
    if scale == "quick":
        commit_counterexamples(found)
