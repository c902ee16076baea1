"""The generated parts of README and docs/use.md, between markers: what came out, and the study of all methods."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from experiments.engine.store import ROOT
from paper_figures.claims import BADGES, ClaimEntry, own, places
from paper_figures.common.practice import with_paragraph
from paper_figures.figure import figures
from paper_figures.first_screen import Card, Tally, cards, foundations
from paper_figures.headline_pictures import picture_path

__all__ = ["BEGIN", "END", "first_screen", "readme", "tally_table", "use", "with_first_screen"]

BEGIN = "<!-- The part from here to the end mark is written by `make publish`: do not edit. -->"
END = "<!-- End of the part that `make publish` writes. -->"


def with_first_screen(readme: str, entries: Sequence[ClaimEntry]) -> str:
    """The text of README with the part between the marks written anew. Raises ValueError where a mark is missing."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1 or readme.index(BEGIN) > readme.index(END):
        raise ValueError("README has not the two marks between which `make publish` writes")
    before, rest = readme.split(BEGIN)
    return f"{before}{BEGIN}\n\n{first_screen(entries)}\n{END}{rest.split(END)[1]}"


def readme(entries: Sequence[ClaimEntry], path: Path) -> str:
    """README with its generated part; that part alone where there is no file yet."""
    text = path.read_text(encoding="utf-8") if path.is_file() else f"{BEGIN}\n{END}\n"
    return with_first_screen(text, entries)


def use(entries: Sequence[ClaimEntry], path: Path) -> str:
    """docs/use.md with the paragraph on the study of all methods; empty where there is no file yet."""
    return with_paragraph(path.read_text(encoding="utf-8") if path.is_file() else "", ROOT)


ROWS: Mapping[str, tuple[str, ...]] = {
    "holds": ("proved", "supported", "reproduced"),
    "fails": ("refuted", "vacuous"),
    "not reproduced, or opposite": ("not reproduced", "opposite"),
    "depends, or is undetermined": ("depends", "undetermined"),
    "undecided": ("undecided", "not run"),
}
"""Rows of README's table -> verdicts."""


def first_screen(entries: Sequence[ClaimEntry]) -> str:
    """One table, what came out of each paper's own claims; one picture; what the verdicts rest on."""
    shown = cards(entries)
    head = [f"{card.paper.letter}: {card.paper.subject}" for card in shown]
    lines = ["| | " + " | ".join(head) + " |", "|---" * (len(shown) + 1) + "|"]
    for name, verdicts in ROWS.items():
        cells = [_cell(_outcomes(card, entries, verdicts)) for card in shown]
        if any(cells):
            lines.append(f"| **{name}** | {' | '.join(cells)} |")
    lines += ["", f"{foundations(entries)} Evidence: {places(entries) or 'nowhere yet'}.", ""]
    return "\n".join([*lines, *_picture(shown)])


def _outcomes(card: Card, entries: Sequence[ClaimEntry], verdicts: Sequence[str]) -> str:
    """How many of a paper's own claims came out so, and its headline claims among them: "27, among them ..."."""
    count = sum(one.verdict in verdicts for one in own(entries) if one.claim.paper == card.paper.letter)
    page = f"docs/claims/{card.paper.key}.md"
    named = [
        f"[{line.headline.title}]({page}#{re.sub(r'[^a-z0-9_-]', '', line.entry.claim.id.lower())})"
        for line in card.lines
        if line.entry.verdict in verdicts
    ]
    return f"{count}{': ' if named else ''}{'; '.join(named)}" if count else ""


def _picture(shown: Sequence[Card]) -> list[str]:
    """The headline figure of the first paper, what the paper says of it and what we see, where it has been drawn."""
    for card in shown:
        path = picture_path(card.figure)
        if not (ROOT.parent / path).is_file():
            continue
        spec = figures()[card.figure]
        line = next((one for one in card.lines if spec.study in one.entry.claim.needs), None)
        lines = [f"[![{card.paper.letter}, {spec.number}: drawn from the committed results]({path})]({path})", ""]
        if line:
            lines += [f'The paper says: "{line.entry.claim.statement}" We see: {line.entry.weight}.', ""]
        return lines
    return []


def tally_table(tally: Tally) -> list[str]:
    """A tally as a table; repairs and what is about this implementation are not counted."""
    lines = [f"| {tally.kind} |" + "".join(f" {BADGES[word][0]} {word} |" for word in tally.verdicts)]
    lines.append("|---" + "|---:" * len(tally.verdicts) + "|")
    lines += [f"| {name} |" + "".join(f" {count} |" for count in counts) for name, counts in tally.rows]
    return [*lines, *(["", f"Refuted, by severity: {tally.severities}."] if tally.severities else [])]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
