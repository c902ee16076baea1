"""The headline claims of each paper and the choices that it leaves open, from `headlines.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from experiments.engine.names import unknown
from experiments.papers import BY_KEY, PAPERS, Paper
from theory_checks import ledger
from theory_checks.ledger import Outcome, Verdict
from theory_checks.references import filled_in

__all__ = ["Headline", "Headlines", "headlines", "read"]

FEWEST, MOST = 3, 5
"""The least and the largest number of headline claims of a paper."""


@dataclass(frozen=True)
class Headline:
    """One headline claim: its id, a title of a few words, its content in plain words, and the reasons by verdict.

    The words of `why` may hold references (`theory_checks.references`). The pages resolve these references, because the
    evidence may hold the names of one verdict and not those of another.
    """

    claim: str
    title: str
    says: str
    why: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Headlines:
    """The headlines of a paper.

    Attributes:
        paper: the paper.
        authors: as printed.
        figure: id of the figure that stands for the paper.
        headline: its headline claims.
        open: the choices that the paper leaves open and that turn an order, one sentence each.
    """

    paper: Paper
    authors: str
    figure: str
    headline: tuple[Headline, ...]
    open: tuple[str, ...]


@cache
def headlines() -> tuple[Headlines, ...]:
    """The headlines of every paper, in their order."""
    return read(Path(__file__).with_name("headlines.toml").read_text(encoding="utf-8"))


def read(text: str) -> tuple[Headlines, ...]:
    """The records in a TOML text, checked.

    Raises:
        ValueError: a paper is missing or unknown, has too few or too many headlines, or a headline names an unknown
            claim or verdict.
    """
    stored = tomllib.loads(text)
    if set(stored) != set(BY_KEY):
        raise ValueError(f"headlines of {', '.join(sorted(stored))}: expected {', '.join(BY_KEY)}")
    return tuple(
        Headlines(
            paper,
            stored[paper.key]["authors"],
            stored[paper.key]["figure"],
            _checked(paper, stored[paper.key]),
            tuple(filled_in(one, f"headlines of {paper.key}") for one in stored[paper.key]["open"]),
        )
        for paper in PAPERS
    )


def _checked(paper: Paper, record: Mapping[str, list[dict[str, object]]]) -> tuple[Headline, ...]:
    found = tuple(Headline(**item) for item in record["headline"])  # type: ignore[arg-type]
    if not FEWEST <= len(found) <= MOST:
        raise ValueError(f"{paper.key} has {len(found)} headlines, not {FEWEST} to {MOST}")
    claims = {name: claim for name, claim in ledger.load().items() if claim.paper == paper.letter}
    for one in found:
        if one.claim not in claims:
            raise ValueError(f"headlines: {unknown('claim', one.claim, claims)}")
        for verdict in set(one.why) - {*Verdict, *Outcome}:
            raise ValueError(f"headline {one.claim}: {unknown('verdict', verdict, [*Verdict, *Outcome])}")
    return found
