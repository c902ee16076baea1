"""docs/charitable.md: for each paper, the setting of what it leaves open under which most of its sentences hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.papers import PAPERS, Paper
from paper_figures.claims import ClaimEntry, own
from paper_figures.site.places import own_page
from theory_checks.ledger import Kind
from theory_checks.readings.charitable import Charitable, most_charitable

__all__ = ["charitable", "page", "sentence"]


def charitable(entries: Sequence[ClaimEntry], paper: Paper) -> Charitable | None:
    """The most charitable setting of a paper by the evidence on its own sentences; None where none has a curve."""
    mine = [one for one in own(entries, Kind.EXPERIMENT) if one.claim.paper == paper.letter]
    curves = {one.claim.id: one.numbers for one in mine if one.numbers.get("curve")}
    return most_charitable(curves) if curves else None


def sentence(found: Charitable) -> str:
    """ "12 of 20 sentences hold at once, 7 at the declared defaults"."""
    count = len(found.holds) + len(found.fails)
    return f"{len(found.holds)} of {count} sentences hold at once, {found.at_default} at the declared defaults"


def page(entries: Sequence[ClaimEntry], path: Path) -> str:
    """The page: choices, how many sentences hold, and which do not."""
    lines = [
        "# The most charitable settings",
        "",
        "<!-- Written by `make publish` from the evidence: do not edit. -->",
        "",
        "A paper leaves constants open. The most charitable setting is the one under which most of its sentences on"
        " experiments hold at once, by the measure that each figure plots. The stored runs chose it, so that its count"
        " is optimistic: seeds that did not choose it have yet to judge it.",
    ]
    for paper in PAPERS:
        found = charitable(entries, paper)
        if found is None:
            continue
        lines += [
            "",
            f"## Paper {paper.letter}: {paper.subject}",
            "",
            f"{sentence(found)[0].upper()}{sentence(found)[1:]}.",
        ]
        lines += [f"{found.ties} joint settings of the shared questions do as well."] if found.ties > 1 else []
        lines += ["", "| open question | choice |", "|---|---|"]
        lines += [f"| {question} | {choice} |" for question, choice in found.choices.items()]
        lines += ["", f"Hold: {_listed(found.holds)}.", "", f"Do not: {_listed(found.fails)}."]
    return "\n".join(lines) + "\n"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"[{name}]({own_page(name)})" for name in names) or "none"
