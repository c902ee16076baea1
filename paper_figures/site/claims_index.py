"""The index of claims: a row a claim of the papers' own, which a script filters; repairs stand beside their claim."""

from collections.abc import Sequence

from experiments.papers import BY_LETTER, PAPERS
from paper_figures.claims import BADGES, VERDICT_MEANINGS, ClaimEntry, ledger_note, places
from paper_figures.first_screen import foundations, tallies
from paper_figures.first_screen_markdown import tally_table
from paper_figures.site.claim_page import below
from paper_figures.site.markdown import cell, fold, grid, prose
from paper_figures.site.places import own_page
from theory_checks.ledger import Origin

__all__ = ["claims_index"]


def claims_index(entries: Sequence[ClaimEntry]) -> str:
    """The page."""
    known = {one.claim.id for one in entries}
    lines = ["---", "hide: [toc]", "---", "", "# Claims", "", "<!-- facts -->", ""]
    for one in tallies(entries):
        lines += [*tally_table(one), ""]
    meanings: list[str] = []
    for kind, of in VERDICT_MEANINGS.items():
        meanings += [f"{str(kind).capitalize()}:", ""]
        meanings += [*(f"- {BADGES[word][0]} {word}: {meaning}." for word, meaning in of.items()), ""]
    lines += fold("What the verdicts mean", meanings)
    lines += fold(
        "What the verdicts rest on",
        [f"Evidence from: {places(entries) or 'nowhere yet'}. {ledger_note()} {foundations(entries)}"],
    )
    rows = []
    for paper in PAPERS:
        for entry in (one for one in entries if one.claim.paper == paper.letter):
            if entry.claim.repairs in known:
                continue
            where = own_page(entry.claim.id).removeprefix("claims/")
            repairs = ", ".join(f"`{one.claim.id}` {one.badge}" for one in below(entry, entries))
            whose = "ours" if entry.claim.origin in (Origin.REPAIR, Origin.HERE) else "paper"
            rows.append(
                (
                    f"{paper.letter}: {BY_LETTER[paper.letter].subject}",
                    str(entry.claim.kind),
                    f"[{cell(prose(entry.claim.title))}]({where}), {prose(entry.claim.number)}",
                    entry.badge,
                    entry.cost or entry.stamped or whose,
                    repairs,
                )
            )
    head = ("Paper", "Kind", "Claim", "Verdict", "Weight", "Repairs and variants")
    lines += ['<div class="filtered" markdown="1">', "", *grid(head, rows), "", "</div>"]
    return "\n".join(lines).rstrip() + "\n"
