"""Runs the checks of the ledger: what is stored is kept, the rest is computed by spawned worker processes."""

from __future__ import annotations

import json
import multiprocessing
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.engine.cluster import connected
from experiments.engine.compiled_programs import release
from experiments.engine.pool import set_environment, start_worker, stop
from experiments.engine.provenance import provenance
from theory_checks import cache
from theory_checks.certificates.registry import standing
from theory_checks.ledger import Claim, Kind, load

EXPECTED = Path(__file__).resolve().parent / "expected.json"
REFERENCE_SECONDS = Path(__file__).resolve().parent / "reference_seconds.json"
ERROR = "error"
"""Stands in the place of a verdict where a check raised an exception; never stored."""

Entry = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """Which entries are stored and still valid, which claims must be computed, and what was found wrong on disk."""

    stored: list[Entry]
    pending: list[Claim]
    complaints: list[str]


def plan(claims: Sequence[Claim], scale: str, root: Path = cache.LOCAL) -> Plan:
    """Separate the claims whose stored entry is still valid from those that must be computed."""
    stored, pending, complaints = [], [], []
    for claim in claims:
        try:
            entry = cache.read(claim.id, scale, root)
        except ValueError as error:
            complaints.append(f"{error}; computing it again")
            entry = None
        if entry is not None and entry["key"] == cache.key_of(claim, scale):
            stored.append(entry)
        else:
            pending.append(claim)
    return Plan(stored, pending, complaints)


def examine(claim_id: str, scale: str) -> Entry:
    """Run one check and describe what it found; an exception becomes an entry with the verdict "error"."""
    release()
    claim = load()[claim_id]
    entry: Entry = {"id": claim.id, "paper": claim.paper, "number": claim.number, "scale": scale}
    entry["kind"] = str(claim.kind)
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        entry["key"] = cache.key_of(claim, scale)
        evidence = claim(scale)
        entry.update(verdict=str(evidence.verdict), summary=evidence.summary, numbers=evidence.numbers)
        entry["counterexample"] = evidence.counterexample
    except Exception as error:
        entry.update(verdict=ERROR, summary=f"{type(error).__name__}: {error}", numbers={}, counterexample=None)
        entry["traceback"] = traceback.format_exc()
    entry["seconds"] = round(time.perf_counter() - wall, 3)
    entry["cpu_seconds"] = round(time.process_time() - cpu, 3)
    entry["provenance"] = provenance()
    return entry


def compute(
    pending: Sequence[Claim],
    scale: str,
    root: Path = cache.LOCAL,
    *,
    workers: int = 2,
    scheduler: str = "",
    finished: Callable[[Entry], None] = lambda entry: None,
) -> list[Entry]:
    """Examine the pending claims, longest first, storing each entry as it comes; `finished` is called with each.

    With one claim or one worker everything runs in this process; otherwise in spawned processes. With the address of a
    dask scheduler, claims that need no study results (which stand here) run there, and the others in this process.

    Raises:
        ExecutorError: the scheduler cannot be used.
    """
    estimates = seconds_on_reference(scale)
    ordered = sorted(pending, key=lambda claim: -estimates.get(claim.id, float("inf")))
    entries = []

    def keep(entry: Entry) -> None:
        if entry["verdict"] != ERROR:
            cache.write(entry, scale, root)
            entry = {**entry, "verdict": standing(entry["id"], entry["verdict"])}
        entries.append(entry)
        finished(entry)

    if scheduler:
        _compute_on_cluster(ordered, scale, scheduler, keep)
        return entries
    if workers <= 1 or len(ordered) <= 1:
        for claim in ordered:
            keep(examine(claim.id, scale))
        return entries
    set_environment("cpu", scale)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(ordered)), context, initializer=start_worker)
    finished_all = False
    try:
        for future in as_completed([pool.submit(examine, claim.id, scale) for claim in ordered]):
            keep(future.result())
        finished_all = True
    finally:
        stop(pool, kill=not finished_all)
    return entries


def _compute_on_cluster(claims: Sequence[Claim], scale: str, scheduler: str, keep: Callable[[Entry], None]) -> None:
    """Examines claims on a cluster, those that read study results here; a worker's evidence must be by this code."""
    with connected(scheduler) as executor:
        calls = [(claim.id, scale) for claim in claims if not claim.needs]
        futures = {executor.submit(examine, *call): call[0] for call in calls}
        for claim in claims:
            if claim.needs:
                keep(examine(claim.id, scale))
        for future in as_completed(futures):
            claim = load()[futures[future]]
            failure = future.exception()
            entry = future.result() if failure is None else _failed(claim, scale, failure)
            if entry["verdict"] != ERROR and entry["key"] != cache.key_of(claim, scale):
                entry = _failed(claim, scale, RuntimeError("the source code on a worker differs from that here"))
            keep(entry)


def _failed(claim: Claim, scale: str, failure: BaseException) -> Entry:
    """The entry of a check that could not be run."""
    entry = {"id": claim.id, "paper": claim.paper, "number": claim.number, "scale": scale, "verdict": ERROR}
    more = {"numbers": {}, "counterexample": None, "seconds": 0.0, "cpu_seconds": 0.0, "provenance": provenance()}
    summary = f"{type(failure).__name__}: {failure}"
    return {**entry, **more, "summary": summary, "traceback": "".join(traceback.format_exception(failure))}


def _pinned(path: Path) -> dict[str, dict[str, Any]]:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def expected(scale: str) -> dict[str, str]:
    """The pinned verdict of each claim of theory at a scale."""
    return {claim: verdicts[scale] for claim, verdicts in _pinned(EXPECTED).items() if scale in verdicts}


def seconds_on_reference(scale: str) -> dict[str, float]:
    """Seconds each check took on the reference machine at a scale."""
    return {claim: times[scale] for claim, times in _pinned(REFERENCE_SECONDS).items() if scale in times}


def mismatches(entries: Sequence[Entry], pinned: Mapping[str, str]) -> list[str]:
    """One sentence for each entry whose verdict differs from the pinned one, or whose check raised an exception.

    Verdicts on experiments are not pinned: few seeds stand at borders, which another processor's rounding moves. Of
    experiments, the results themselves are compared (`python -m experiments verify`).
    """
    found = []
    for entry in entries:
        claim, verdict = entry["id"], entry["verdict"]
        if verdict == ERROR:
            found.append(f"{claim}: the check failed with {entry['summary']}")
        elif claim in pinned and verdict != pinned[claim]:
            found.append(f"{claim}: {verdict}, but expected.json says {pinned[claim]}")
    return found


def other_outcomes(entries: Sequence[Entry], scale: str) -> list[str]:
    """One sentence for each experiment whose verdict here is not the committed one of the same scale."""
    found = []
    for entry in entries:
        if entry.get("kind") != Kind.EXPERIMENT or entry["verdict"] == ERROR:
            continue
        try:
            committed = cache.read(entry["id"], scale, cache.REFERENCE)
        except ValueError:
            continue  # not readable: nothing to compare with
        if committed is not None and committed["verdict"] != entry["verdict"]:
            found.append(
                f"{entry['id']}: {entry['verdict']} by the runs here, {committed['verdict']} by the committed ones"
            )
    return found


def pin(entries: Sequence[Entry], scale: str) -> None:
    """Write the verdicts of theory to expected.json, and the CPU seconds of all entries to reference_seconds.json.

    A check is one process with one thread: its CPU seconds are what it takes on a machine that does nothing else.
    """
    for path, field in ((EXPECTED, "verdict"), (REFERENCE_SECONDS, "cpu_seconds")):
        table = _pinned(path)
        for entry in entries:
            if field != "verdict" or entry["kind"] == Kind.THEORY:
                table.setdefault(entry["id"], {})[scale] = entry[field]
        cache.write_json(path, table)
