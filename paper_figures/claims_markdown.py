"""The ledger in Markdown, for the repository and the site: an index with one row a claim, and one page a claim.

The pages hold no times, and no numbers beyond the sentences of evidence and the shares of the settings. The evidence
files hold the numbers, and the site adds them.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from experiments.papers import PAPERS, Paper
from paper_figures.claims import BADGES, VERDICT_MEANINGS, ClaimEntry, ledger_note, places
from paper_figures.first_screen import foundations, tallies
from paper_figures.first_screen_markdown import tally_table
from paper_figures.site.claim_page import below, claim_page, has_page
from paper_figures.site.markdown import cell, fold, prose
from paper_figures.site.places import own_page
from paper_figures.specification_curve import picture
from paper_figures.table import percent
from theory_checks.ledger import Kind, Origin
from theory_checks.readings.declaration import READINGS

__all__ = ["Page", "claim_files", "overview"]

HEADINGS = {Kind.THEORY: "Theory", Kind.EXPERIMENT: "Experiments"}

PLURAL = re.compile(r"\b(section|figure|table|theorem|lemma|proof)s\b", re.IGNORECASE)
"""A noun that a cut leaves with one number."""

Page = Callable[[Sequence[ClaimEntry]], str]
"""The text of a page, given the claims with their evidence."""


def overview(entries: Sequence[ClaimEntry]) -> str:
    """The index of the papers' own claims, theory and experiments apart. Each row has one claim, with its repairs and
    variants; each title leads to the claim's page."""
    lines = [
        "# Claims",
        "",
        "<!-- Written by `make publish` from the ledger and the evidence: do not edit. -->",
        "",
        "<!-- facts -->",
        "",
        "Every claim of the four papers by its short title, with its verdict. A title leads to the claim's page:"
        " statement, evidence and rule. Repairs (true statements), variants and statements of ours on this program"
        " stand after the verdict of their claim. A percentage is the share of the settings under which a sentence"
        " holds. The last column says what fresh seeds make of the verdict of earlier seeds: they confirm it,"
        ' leave it undecided, or replace the verdict that it "was"; a dash says that they have yet to run.',
        "",
    ]
    for one in tallies(entries):
        lines += [*tally_table(one), ""]
    lines += [
        f"{foundations(entries)} {ledger_note()} Each verdict rests on"
        f" the largest scale with evidence ({places(entries) or 'none yet'}).",
        "",
    ]
    told: list[str] = []
    for kind, meanings in VERDICT_MEANINGS.items():
        said = {word: meaning for word, meaning in meanings.items() if any(one.verdict == word for one in entries)}
        if said:
            listed = (f"- {BADGES[word][0]} **{word}**: {meaning}." for word, meaning in said.items())
            told += [f"{HEADINGS[kind]}:", "", *listed, ""]
    lines += [*fold("What the verdicts mean", told[:-1]), "<!-- filter -->", ""]
    for paper, chosen in _by_paper(entries):
        lines += [f"## Paper {paper.letter}: {paper.subject}", ""]
        for kind, heading in HEADINGS.items():
            if mine := [one for one in chosen if one.claim.kind is kind and has_page(one, chosen)]:
                column = " on fresh seeds |" if kind is Kind.EXPERIMENT else ""
                lines += [f"### {heading} of Paper {paper.letter}", "", f"| where | claim | verdict |{column}"]
                lines += ["|---|---|---|" + "---|" * bool(column), *(_row(one, chosen) for one in mine), ""]
    return "\n".join(lines).rstrip() + "\n"


def claim_files(entries: Sequence[ClaimEntry]) -> Iterator[tuple[str, str]]:
    """The pages of all claims and the specification curves of all readings, as (path below the parent of `claims`,
    text)."""
    for entry in entries:
        if has_page(entry, entries):
            yield own_page(entry.claim.id), claim_page(entry, entries)
        if entry.claim.id in READINGS and entry.numbers.get("curve") and (drawn := picture(entry.numbers)):
            yield own_page(entry.claim.id).removesuffix(".md") + ".svg", drawn


def _row(entry: ClaimEntry, entries: Sequence[ClaimEntry]) -> str:
    """The row of a claim: its title, its verdict with the severity or the share, its repairs and variants."""
    weight = entry.cost or (f"holds {percent(entry.numbers['shares']['holds'])}" if entry.shares else "")
    under = "".join(f"; {_word(one)} {BADGES[one.verdict][0]}" for one in below(entry, entries))
    title = f"[{cell(prose(entry.claim.title))}](docs/{own_page(entry.claim.id)})"
    fresh = f" {entry.fresh or '–'} |" if entry.claim.kind is Kind.EXPERIMENT else ""
    return f"| {_place(entry)} | {title} | {entry.badge}{f', {weight}' if weight else ''}{under} |{fresh}"


def _place(entry: ClaimEntry) -> str:
    """The first place that a claim's number names: "Theorem 9" of "Theorem 9 [4.13], A (26) [4.33]", and "section 4"
    of "sections 4 and 6"."""
    number = entry.claim.number.lstrip("[")
    first = re.split(r",| \[|\]|;| \((?![A-Z]?[0-9])|\(i|: | to | and | as | from ", number)[0]
    return first if first == number else PLURAL.sub(r"\1", first)


def _word(entry: ClaimEntry) -> str:
    """The word for a claim below another claim."""
    return {Origin.REPAIR: "repair", Origin.HERE: "ours"}.get(entry.claim.origin, "variant")


def _by_paper(entries: Sequence[ClaimEntry]) -> list[tuple[Paper, list[ClaimEntry]]]:
    """The papers with claims among the entries, each with its claims."""
    grouped = [(paper, [entry for entry in entries if entry.claim.paper == paper.letter]) for paper in PAPERS]
    return [(paper, chosen) for paper, chosen in grouped if chosen]
