"""The verdict of every entry before experiments had their own vocabulary, and today.

The records are in `theory_checks/changes/`. An entry without a record still stands under its id.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("changes")
BEFORE = FOLDER / "before.toml"
PROVED = "A certificate proves the statement."


@dataclass(frozen=True)
class Change:
    """An entry, its earlier verdict, today's claim or verdict, and the reason ("" where nothing changed)."""

    claim: str
    old: str
    new: str
    reason: str


def before() -> dict[str, str]:
    """Entry -> its verdict before the change of vocabulary."""
    stored: dict[str, str] = tomllib.loads(BEFORE.read_text(encoding="utf-8"))
    return stored


def recorded() -> dict[str, tuple[str, str]]:
    """Entry -> today's claim or verdict, and the reason, as recorded."""
    found = {}
    for path in sorted(FOLDER.glob("*.toml")):
        if path != BEFORE:
            for one in tomllib.loads(path.read_text(encoding="utf-8")).get("change", ()):
                found[one["claim"]] = (one["new"], " ".join(one["reason"].split()))
    return found


def changes(verdicts: Mapping[str, str]) -> list[Change]:
    """Every earlier entry, in the order of ids; `verdicts` are today's by claim.

    The record of a claim that still stands says why its verdict changed; the verdict itself is today's.

    Raises KeyError for an entry without a record that no longer stands or has another verdict.
    """
    known = recorded()
    found = []
    for claim, old in before().items():
        if claim not in verdicts and claim not in known:
            raise KeyError(f"{claim} stood in the ledger, stands no more, and theory_checks/changes says nothing of it")
        new, reason = known.get(claim, ("", ""))
        now = verdicts.get(claim, new)
        if not reason and (old, now) == ("supported", "proved"):
            reason = PROVED
        if not reason and now != old:
            raise KeyError(f"{claim} was {old} and is {now}: theory_checks/changes says nothing of why")
        found.append(Change(claim, old, now, reason))
    return found


def unknown(verdicts: Sequence[str]) -> list[str]:
    """Recorded claims that are neither an earlier entry nor a claim of today."""
    return sorted(set(recorded()) - set(before()) - set(verdicts))
