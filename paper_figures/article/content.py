"""The content of the article as data: prose with its references filled in, verdicts, and numbers of the evidence."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.papers import Paper
from paper_figures.charitable_page import charitable, sentence
from paper_figures.claims import BADGES, VERDICT_MEANINGS, ClaimEntry, ledger_note, own, repairs_of
from paper_figures.draw import Drawn
from paper_figures.first_screen import Card, cards, foundations, tallies
from paper_figures.site.seen import seen
from paper_figures.specification_curve import by_choice
from paper_figures.table import percent
from theory_checks.ledger import Kind, Severity
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.words import in_choice_words
from theory_checks.references import filled_in
from theory_checks.statements import in_plain_text

__all__ = ["content", "figure_ids", "prose"]

PROSE = Path(__file__).with_name("prose.toml")
DECIDING = 3
"""The number of choices that turn a sentence and that the article names, for each paper."""


def prose() -> dict[str, Any]:
    """The records of `prose.toml`, with their references unresolved."""
    return tomllib.loads(PROSE.read_text(encoding="utf-8"))


def figure_ids() -> list[str]:
    """The figures of the article, in their order."""
    return [name for record in prose().values() if isinstance(record, dict) for name in record.get("figures", ())]


def content(entries: Sequence[ClaimEntry], drawn: Sequence[Drawn], citations: Mapping[str, str]) -> dict[str, Any]:
    """All data that the template shows.

    Args:
        entries: every claim with its committed evidence.
        drawn: the figures of :func:`figure_ids`, drawn.
        citations: key of CITATION.bib -> the reference as text.

    Raises:
        ValueError: a paper lacks its headline claims, or a figure its results.
    """
    words = prose()
    shown = {card.paper.key: card for card in cards(entries)}
    figures = {item.spec.id: item for item in drawn}
    if missing := [name for name in figure_ids() if name not in figures or figures[name].data is None]:
        raise ValueError(f"no results of {', '.join(missing)}")
    if missing := [key for key in words if isinstance(words[key], dict) and key != "limits" and key not in shown]:
        raise ValueError(f"no headline claims of {', '.join(missing)}")
    return {
        "abstract": _text(words["abstract"]),
        "tallies": [
            {"kind": str(one.kind), "verdicts": [_badge(word) for word in one.verdicts], "rows": one.rows}
            for one in tallies(entries)
        ],
        "severities": next((one.severities for one in tallies(entries) if one.severities), ""),
        "foundations": _text(foundations(entries)),
        "error": _text(ledger_note()),
        "method": [{"title": one["title"], "text": _text(one["text"])} for one in words["method"]],
        "meanings": [
            {"kind": str(kind), "rows": [(_badge(word), meaning) for word, meaning in meanings.items()]}
            for kind, meanings in VERDICT_MEANINGS.items()
        ],
        "limits": [_text(one) for one in words["limits"]["text"]],
        "papers": [_paper(card, words[key], entries, figures, citations) for key, card in shown.items()],
    }


def _text(text: str) -> str:
    return filled_in(" ".join(text.split()), "article")


def _badge(verdict: str) -> str:
    return f"{BADGES[verdict][0]} {verdict}"


def _paper(
    card: Card,
    words: Mapping[str, Any],
    entries: Sequence[ClaimEntry],
    figures: Mapping[str, Drawn],
    citations: Mapping[str, str],
) -> dict[str, Any]:
    paper = card.paper
    mine = [one for one in entries if one.claim.paper == paper.letter]
    return {
        "letter": paper.letter,
        "subject": paper.subject,
        "title": paper.title,
        "authors": card.authors,
        "citation": citations[paper.citation],
        "proposes": _text(words["proposes"]),
        "did": _text(words["did"]),
        "headlines": [
            {
                "title": line.headline.title,
                "says": line.headline.says,
                "verdict": line.entry.weight,
                "number": _number(line.entry),
            }
            for line in card.lines
        ],
        "figures": [_figure(figures[name], mine) for name in words["figures"]],
        "charitable": _charitable(entries, paper),
        "refuted": [_refuted(one, mine) for one in own(mine, Kind.THEORY) if one.cost == Severity.SUBSTANTIVE],
        "deciding": _deciding(mine),
        "open": [_text(one) for one in card.open],
    }


def _figure(item: Drawn, entries: Sequence[ClaimEntry]) -> dict[str, Any]:
    """A figure with its caption, and with what the paper says and what we see for the paper's own readings of the
    figure."""
    assert item.data is not None
    readings = [one for one in own(entries) if item.spec.study in one.claim.needs and _of(item.spec.number, one)]
    return {
        "file": f"{item.spec.filename}.pdf",
        "number": item.spec.number,
        "caption": item.spec.caption,
        "seeds": item.data.seeds(**item.spec.shows),
        "readings": _grouped(readings),
    }


def _grouped(readings: Sequence[ClaimEntry]) -> list[dict[str, str]]:
    """One row for each sentence; the titles of the claims stand beside a sentence that makes several claims."""
    found: dict[str, list[ClaimEntry]] = {}
    for one in readings:
        found.setdefault(_quoted(one.claim.statement), []).append(one)
    return [
        {
            "says": says,
            "sees": "; ".join(
                one.weight if len(group) == 1 else f"{in_plain_text(one.claim.title)}: {one.weight}" for one in group
            ),
        }
        for says, group in found.items()
    ]


def _of(number: str, entry: ClaimEntry) -> bool:
    """True for a reading about the figure or table of this number: "Figure 6" of "Figure 6 (A, C, D), section 5"."""
    name = re.match(r"(?:Figure|Table) \w+", number)
    return name is not None and re.search(rf"{name[0]}\b", entry.claim.number) is not None


def _quoted(text: str) -> str:
    return f"“{' '.join(in_plain_text(text).split())}”"


def _number(entry: ClaimEntry) -> str:
    """A headline claim in numbers: the evidence's own sentence for theory, the default's comparisons for a reading."""
    return in_plain_text(seen(entry)) if entry.claim.id in READINGS else entry.summary


def _charitable(entries: Sequence[ClaimEntry], paper: Paper) -> dict[str, Any] | None:
    found = charitable(entries, paper)
    if found is None:
        return None
    return {
        "sentence": sentence(found),
        "choices": [(question, in_choice_words(choice)) for question, choice in found.choices.items()],
        "ties": found.ties,
    }


def _refuted(entry: ClaimEntry, entries: Sequence[ClaimEntry]) -> dict[str, str]:
    """A refuted statement, the evidence against it, and the verdict on its repair."""
    repairs = [
        f"{in_plain_text(one.claim.title)} ({one.verdict}; `{one.claim.id}`)"
        for one in repairs_of(entries, entry.claim.id)
    ]
    return {
        "title": in_plain_text(entry.claim.title),
        "number": entry.claim.number,
        "id": entry.claim.id,
        "found": entry.summary.rstrip("."),
        "repaired": "; ".join(repairs),
    }


def _deciding(entries: Sequence[ClaimEntry]) -> list[dict[str, str]]:
    """The undetermined sentences that depend most on one open choice: the share of settings that hold, by that
    choice."""
    found = []
    for entry in own(entries, Kind.EXPERIMENT):
        if entry.verdict != "undetermined" or not entry.numbers.get("curve"):
            continue
        shares: dict[str, dict[str, float]] = {}
        for question, choice, states in by_choice(entry.numbers):
            if question != "measure":
                shares.setdefault(question, {})[choice] = states.get("holds", 0) / sum(states.values())
        spread = {question: max(of.values()) - min(of.values()) for question, of in shares.items() if len(of) > 1}
        if not spread:
            continue
        question = max(spread, key=lambda name: spread[name])
        best = max(shares[question], key=lambda name: shares[question][name])
        worst = min(shares[question], key=lambda name: shares[question][name])
        found.append(
            (
                spread[question],
                {
                    "says": _quoted(entry.claim.statement),
                    "number": entry.claim.number,
                    "question": question,
                    "best": _share(best, shares[question][best]),
                    "worst": _share(worst, shares[question][worst]),
                },
            )
        )
    return [row for _, row in sorted(found, key=lambda pair: -pair[0])[:DECIDING]]


def _share(choice: str, share: float) -> str:
    return f"{percent(share)} with {in_choice_words(choice)}"
