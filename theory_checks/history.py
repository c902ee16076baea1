"""Changes of the rules after a first run: dated records by claim.

A record stays when its claim gets another rule or is withdrawn.
"""

import datetime
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from experiments.papers import PAPERS

FOLDER = Path(__file__).with_name("history")


@dataclass(frozen=True)
class Amendment:
    """A change of a rule.

    Attributes:
        claim: the id of the claim.
        date: the day of the change; the last day of several changes.
        commit: the commit of the change.
        text: the change, and the results before it.
    """

    claim: str
    date: datetime.date
    commit: str
    text: str


@cache
def amendments() -> tuple[Amendment, ...]:
    """All records, by paper and claim."""
    found = []
    for paper in PAPERS:
        text = (FOLDER / f"{paper.key}.toml").read_text(encoding="utf-8")
        found += [Amendment(**record) for record in tomllib.loads(text)["amendment"]]
    return tuple(found)


def amended(claim: str) -> tuple[Amendment, ...]:
    """The records of a claim."""
    return tuple(one for one in amendments() if one.claim == claim)
