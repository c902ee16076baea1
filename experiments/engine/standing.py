"""The relation of a stored result to today's code: "this program", "sampled n of m, date" or "older".

* this program: today's version of the code made the result, or a version whose compiled programs are proven equal to
  today's (`experiments.engine.equivalent`, which appends its proofs to :data:`EQUIVALENCES`).
* sampled n of m, date: another version made the result; today's version computed n of the m results of its stratum, and
  these agreed (`experiments.engine.carry`).
* older: neither of these is known.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from experiments.engine.code_version import code_of_cell
from experiments.engine.files import write_whole
from experiments.engine.registry import STUDIES
from experiments.engine.result_file import UNREADABLE
from experiments.engine.store import REFERENCE
from experiments.engine.stored import Stored
from experiments.engine.study import Cell, Study

__all__ = [
    "EQUIVALENCES",
    "Standing",
    "add_equivalences",
    "equivalent_codes",
    "in_words",
    "of_code",
    "of_stored",
    "of_result",
]

EQUIVALENCES = REFERENCE / "equivalences.jsonl"
"""Proofs, one a line: `from` and `to` are versions of the code whose programs are equal; commits, date, JAX."""

Records = Sequence[Mapping[str, Any]]
Kind = Literal["this program", "sampled", "older"]
KINDS: tuple[Kind, ...] = ("this program", "sampled", "older")


class Standing(NamedTuple):
    """The relation of a result to today's code, and the words for it."""

    kind: Kind
    words: str


THIS, OLDER = Standing("this program", "this program"), Standing("older", "older")


def of_code(made_by: str, today: str, carried: Records = (), proofs: Path = EQUIVALENCES) -> Standing:
    """The relation of a result, made by the version `made_by` with the record `carried`, to the version `today`."""
    if made_by not in equivalent_codes(today, proofs):
        return OLDER
    samples = [one for one in carried if one.get("sampled")]
    if not samples:
        return THIS
    last = samples[-1]
    of = f" of {last['of']}" if "of" in last else ""
    return Standing("sampled", f"sampled {len(last['sampled'])}{of}, {last['date']}")


def of_result(
    config: Mapping[str, Any], metadata: Mapping[str, Any], studies: Mapping[str, Study] = STUDIES
) -> Standing:
    """The relation of a stored result to today's code; a result of a study that no longer exists is older."""
    study = studies.get(str(config.get("study")))
    if study is None:
        return OLDER
    cell = Cell(
        config["problem"],
        config["policy"],
        tuple(config["seeds"]),
        config["options"],
        study=study.id,
        scale=config["scale"],
    )
    return of_code(str(metadata.get("code")), code_of_cell(study.module, cell), metadata.get("carried", ()))


def of_stored(results: Iterable[Stored], studies: Mapping[str, Study] = STUDIES) -> list[Standing]:
    """The relations of stored results to today's code; an unreadable result is older."""
    found = []
    for one in results:
        try:
            record = one.metadata()
            found.append(of_result(record["config"], record, studies))
        except (*UNREADABLE, KeyError, ModuleNotFoundError):
            found.append(OLDER)
    return found


def in_words(standings: Iterable[Standing]) -> str:
    """The words for several results: "this program", or "3 this program, 2 sampled 1 of 4, 2026-11-27, 5 older"."""
    counts = Counter(standings)
    if len(counts) == 1:
        return next(iter(counts)).words
    ordered = sorted(counts, key=lambda one: (KINDS.index(one.kind), one.words))
    return ", ".join(f"{counts[one]} {one.words}" for one in ordered)


def equivalent_codes(code: str, proofs: Path = EQUIVALENCES) -> frozenset[str]:
    """The versions of the code whose programs are proven equal to those of `code`, itself included."""
    edges = _edges(proofs, proofs.stat().st_mtime_ns if proofs.is_file() else -1)
    found, waiting = set[str](), [code]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += edges.get(one, ())
    return frozenset(found)


@cache
def _edges(proofs: Path, modified: int) -> Mapping[str, tuple[str, ...]]:
    """The versions proven equal to each version (`modified` keys the cache)."""
    found: dict[str, tuple[str, ...]] = {}
    for record in _records(proofs) if modified >= 0 else ():
        for one, other in ((record["from"], record["to"]), (record["to"], record["from"])):
            found[one] = (*found.get(one, ()), other)
    return found


def _records(proofs: Path) -> list[dict[str, Any]]:
    lines = proofs.read_text(encoding="utf-8").splitlines() if proofs.is_file() else []
    return [json.loads(line) for line in lines if line.strip()]


def add_equivalences(records: Sequence[Mapping[str, Any]], proofs: Path = EQUIVALENCES) -> int:
    """Appends new proofs; returns their number."""
    known = _records(proofs)
    pairs = {(one["from"], one["to"]) for one in known}
    fresh = list({(one["from"], one["to"]): one for one in records if (one["from"], one["to"]) not in pairs}.values())
    if fresh:
        proofs.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(dict(one), sort_keys=True) + "\n" for one in (*known, *fresh))
        write_whole(proofs, text.encode())
    return len(fresh)
