"""Stamps: the day on which a declaration was fixed, and the seeds that had been seen by then.

A verdict is *confirmed* where all seeds of its runs were unseen when the declaration was stamped, and *exploratory*
otherwise. The stamp and the stored runs determine the label. A stamp also keeps the verdict of its day, for comparison
with the verdict on unseen seeds.
"""

import datetime
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from experiments.engine import evidence
from experiments.engine.files import write_whole
from experiments.engine.protocol import SCALE, read
from experiments.engine.result_file import UNREADABLE
from experiments.engine.scale import SCALES
from experiments.engine.store import REFERENCE, Store
from experiments.engine.stored import Stored
from theory_checks import study_results
from theory_checks.ledger import Outcome
from theory_checks.paired_seeds import Undecided
from theory_checks.readings.declaration import READINGS, Reading
from theory_checks.readings.judgement import Levels

PATH = Path(__file__).with_name("stamps.toml")
EXPLORATORY, CONFIRMED, FIRST = "exploratory", "confirmed", "first verdict"
_HEAD = (
    "# Written by `python -m theory_checks stamp`: the hash of each declaration, the day it was fixed, and\n"
    "# by study the first seed that had not been seen then. Do not edit.\n"
)


@dataclass(frozen=True)
class Stamp:
    """The record of one declaration.

    Attributes:
        hash: the declaration's, `Reading.digest`.
        date: the day on which the declaration was fixed.
        unseen: study -> first unseen seed.
        verdict: the committed verdict of that day; "" where there was none.
        wanted: seeds a problem that find the claimed size with power 0.9, by the spread of the stored runs, in the
        comparison of the default setting that needs most; 0 without runs.
    """

    hash: str
    date: datetime.date
    unseen: Mapping[str, int]
    verdict: str = ""
    wanted: int = 0


@cache
def stamps(path: Path = PATH) -> dict[str, Stamp]:
    """Reading -> its stamp."""
    stored = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: Stamp(**one) for name, one in stored.items()}


def seeds_of(study: str, results: Iterable[Stored]) -> set[int]:
    """The seeds of the readable stored results."""
    return {seed for one in results for seed in _seeds(one, one.modified)}


@cache
def _seeds(one: Stored, modified: int) -> frozenset[int]:
    """The seeds of a result; `modified` keys the cache."""
    try:
        return frozenset(int(seed) for seed in one.metadata()["config"].get("seeds", ()))
    except UNREADABLE:
        return frozenset()


def first_unseen(study: str) -> int:
    """One more than the largest seed of a study in the committed results of any scale."""
    seen: set[int] = set()
    for scale in SCALES:
        seen |= seeds_of(study, Store(REFERENCE).stored(study, scale))
    return max(seen, default=-1) + 1


def label(reading: Reading, scale: str) -> str:
    """The label of a verdict at a scale, exploratory or confirmed. For a study without results at the scale, results of
    its largest scale count."""
    stamp = stamps().get(reading.id)
    if stamp is None or stamp.hash != reading.digest:
        return EXPLORATORY
    seeds = {study: seeds_of(study, _read(study, scale)) for study in reading.needs}
    fresh = all(not found or min(found) >= stamp.unseen.get(study, 0) for study, found in seeds.items())
    return CONFIRMED if fresh and any(seeds.values()) else EXPLORATORY


def _read(study: str, scale: str) -> list[Stored]:
    return study_results.files(study, scale) or study_results.files(study, study_results.largest((study,)))


def on_fresh_seeds(reading: Reading, scale: str, verdict: str) -> str:
    """The verdict of the stamp's day by unseen seeds: "confirmed", "was reproduced", "undecided" as before, "first
    verdict" where that day had none; "" if exploratory."""
    if label(reading, scale) != CONFIRMED:
        return ""
    before = stamps()[reading.id].verdict
    if verdict == Outcome.UNDECIDED and before in ("", verdict):
        return str(Outcome.UNDECIDED)
    return (CONFIRMED if before == verdict else f"was {before}") if before else FIRST


def earlier(reading: Reading, scale: str) -> list[str]:
    """The known differences between today's program and the runs of the reading at scale paper."""
    if scale != SCALE:
        return []
    seeds = {study: seeds_of(study, study_results.files(study, scale)) for study in reading.needs}
    told = [read().earlier(study, found) for study, found in seeds.items()]
    return list(dict.fromkeys(filter(None, told)))


def stamp(today: datetime.date, path: Path = PATH, every: bool = False) -> list[str]:
    """Stamps every declaration whose hash is not the stamped hash, or with `every` all, and returns the stamped ids.
    Stamps without a declaration are dropped. Seeds that an earlier stamp calls seen stay so when their results go."""
    known = stamps(path)
    fresh = [name for name, one in READINGS.items() if every or name not in known or known[name].hash != one.digest]
    unseen = {
        study: max([first_unseen(study), *(one.unseen.get(study, 0) for one in known.values())])
        for name in fresh
        for study in READINGS[name].needs
    }
    lines = [_HEAD]
    for name in sorted(READINGS):
        one = _stamped(READINGS[name], today, unseen) if name in fresh else known[name]
        table = ", ".join(f"{json.dumps(study)} = {first}" for study, first in sorted(one.unseen.items()))
        lines.append(
            f'["{name}"]\nhash = "{one.hash}"\ndate = {one.date.isoformat()}\nunseen = {{ {table} }}\n'
            f'verdict = "{one.verdict}"\nwanted = {one.wanted}\n'
        )
    write_whole(path, "\n".join(lines).encode())
    stamps.cache_clear()
    return fresh


def _stamped(reading: Reading, today: datetime.date, unseen: Mapping[str, int]) -> Stamp:
    """The stamp of a declaration, with today's committed verdict and the seeds that the spread of the stored runs
    wants."""
    own, verdict = {study: unseen[study] for study in reading.needs}, _committed_verdict(reading.id)
    try:
        curve = reading.curve(study_results.largest(reading.needs))
    except Undecided:
        return Stamp(reading.digest, today, own, verdict)
    default = curve.default
    every = [one for group in default.setting.groups.values() for one in group]
    level = Levels(reading.share, max(len(every) + len(default.setting.absent), 1)).opposite
    wanted = max((one.wanted(level) for one in every), default=0)
    return Stamp(reading.digest, today, own, verdict, wanted)


def _committed_verdict(reading: str) -> str:
    """The committed verdict at the largest scale; "" where there is none."""
    entries = (evidence.raw(reading, scale, REFERENCE) for scale in reversed(SCALES))
    return next((str(entry["verdict"]) for entry in entries if entry), "")
