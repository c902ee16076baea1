"""README's generated parts, each between two markers: the first screen, and what the study of all methods says."""

import re
from collections.abc import Sequence
from pathlib import Path

from experiments.engine.store import ROOT
from paper_figures.claims import BADGES, ClaimEntry, places
from paper_figures.common.practice import with_paragraph
from paper_figures.figure import figures
from paper_figures.first_screen import READING, Card, Tally, cards, foundations, tallies
from paper_figures.headline_pictures import picture_path

__all__ = ["BEGIN", "END", "first_screen", "readme", "tally_table", "with_first_screen"]

BEGIN = "<!-- The part from here to the end mark is written by `make publish`: do not edit. -->"
END = "<!-- End of the part that `make publish` writes. -->"


def with_first_screen(readme: str, entries: Sequence[ClaimEntry]) -> str:
    """The text of README with the part between the marks written anew. Raises ValueError where a mark is missing."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1 or readme.index(BEGIN) > readme.index(END):
        raise ValueError("README has not the two marks between which `make publish` writes")
    before, rest = readme.split(BEGIN)
    return f"{before}{BEGIN}\n\n{first_screen(entries)}\n{END}{rest.split(END)[1]}"


def readme(entries: Sequence[ClaimEntry], path: Path) -> str:
    """README with its generated parts; the first screen alone where there is no file yet."""
    text = path.read_text(encoding="utf-8") if path.is_file() else f"{BEGIN}\n{END}\n"
    return with_paragraph(with_first_screen(text, entries), ROOT)


def first_screen(entries: Sequence[ClaimEntry]) -> str:
    """Cards, tallies and what they rest on."""
    lines = [READING, ""]
    for card in cards(entries):
        lines += [*_card(card), ""]
    for tally in tallies(entries):
        lines += [*tally_table(tally), ""]
    lines += [f"{foundations(entries)} Evidence: {places(entries) or 'nowhere yet'}.", ""]
    return "\n".join(lines)


def _card(card: Card) -> list[str]:
    page = f"docs/claims/{card.paper.key}.md"
    lines = [f"### {card.paper.letter} · {card.paper.title}", "", f"{card.authors}. [All its claims]({page}).", ""]
    lines += ["| the paper says | verdict | why |", "|---|---|---|"]
    for line in card.lines:
        anchor = re.sub(r"[^a-z0-9_-]", "", line.entry.claim.id.lower())
        lines.append(f"| {_cell(line.headline.says)} | [{line.entry.weight}]({page}#{anchor}) | {_cell(line.why)} |")
    if card.open:
        lines += ["", "What the paper does not state, and what changes which method is ahead:"]
        lines += [f"- {sentence}" for sentence in card.open]
    return [*lines, *_picture(card)]


def _picture(card: Card) -> list[str]:
    """The paper's headline figure, where `make publish` has drawn it."""
    path = picture_path(card.figure)
    if not (ROOT.parent / path).is_file():
        return []
    number = figures()[card.figure].number
    return ["", f"[![{card.paper.letter}, {number}: drawn from the committed results]({path})]({path})"]


def tally_table(tally: Tally) -> list[str]:
    """A tally as a table; repairs and what is about this implementation are not counted."""
    lines = [f"| {tally.kind} |" + "".join(f" {BADGES[word][0]} {word} |" for word in tally.verdicts)]
    lines.append("|---" + "|---:" * len(tally.verdicts) + "|")
    lines += [f"| {name} |" + "".join(f" {count} |" for count in counts) for name, counts in tally.rows]
    return [*lines, *(["", f"Refuted, by severity: {tally.severities}."] if tally.severities else [])]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
