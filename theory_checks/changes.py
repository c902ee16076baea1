"""The verdicts of all entries before experiments had words of their own, and today.

The records are in `theory_checks/changes/`; where there is none, the entry stands as it stood, and its verdict is read.
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
    """An entry, its verdict then, what stands for it now, and why, in a sentence; "" where nothing changed."""

    claim: str
    old: str
    new: str
    reason: str


def before() -> dict[str, str]:
    """Entry -> its verdict before the change of words."""
    stored: dict[str, str] = tomllib.loads(BEFORE.read_text(encoding="utf-8"))
    return stored


def recorded() -> dict[str, tuple[str, str]]:
    """Entry -> what stands for it now, and why, as recorded."""
    found = {}
    for path in sorted(FOLDER.glob("*.toml")):
        if path != BEFORE:
            for one in tomllib.loads(path.read_text(encoding="utf-8")).get("change", ()):
                found[one["claim"]] = (one["new"], " ".join(one["reason"].split()))
    return found


def changes(verdicts: Mapping[str, str]) -> list[Change]:
    """Every entry of then, in the order of ids; `verdicts` are those of today by claim.

    The record of a claim that still stands says why its verdict changed; the verdict itself is today's.

    Raises KeyError for an entry that stands no more, or has another verdict, and has no record.
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
    """Recorded claims that neither stood then nor stand now."""
    return sorted(set(recorded()) - set(before()) - set(verdicts))
