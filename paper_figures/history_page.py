"""docs/rule_history.md: the changed rules and verdicts. The page of a claim tells how and why its rule was changed."""

from collections.abc import Mapping, Sequence

from experiments.papers import PAPERS
from paper_figures.claims import ClaimEntry
from paper_figures.site.markdown import cell, grid, prose
from paper_figures.site.places import claim_place
from theory_checks.changes import PROVED, changes
from theory_checks.history import amendments
from theory_checks.ledger import Claim, load

__all__ = ["page"]


def page(entries: Sequence[ClaimEntry]) -> str:
    """The page; the changes of verdicts stand there where every claim is among the entries."""
    claims, records = load(), amendments()
    lines = [
        "# Changes of rules and verdicts",
        "",
        "<!-- Written by `make publish` from theory_checks/history and theory_checks/changes: edit those. -->",
        "",
        f"The rules of {len(records)} claims were changed after a first run. A claim's page tells its changes under"
        ' "History of the rule". A rule that was changed after its data decides nothing until it judges unseen seeds.'
        " The declarations of experiments are stamped since November 2026. Their verdicts are exploratory until then.",
        "",
    ]
    for paper in PAPERS:
        mine = [one for one in records if one.claim in claims and one.claim.startswith(f"{paper.key}.")]
        linked = (f"[{cell(prose(claims[one.claim].title))}]({claim_place(one.claim, claims)})" for one in mine)
        lines += [f"- Paper {paper.letter}, {len(mine)} claims: {'; '.join(linked)}."]
    lines += ["", "Rules of claims that stand no more:", ""]
    lines += [f"- `{one.claim}`, {one.date}: {prose(one.text)}" for one in records if one.claim not in claims]
    verdicts = {one.claim.id: one.verdict for one in entries}
    lines += _verdicts(verdicts, claims) if verdicts.keys() == claims.keys() else []
    return "\n".join(lines) + "\n"


def _verdicts(verdicts: Mapping[str, str], claims: Mapping[str, Claim]) -> list[str]:
    every = changes(verdicts)
    same, proved = sum(one.old == one.new for one in every), sum(one.reason == PROVED for one in every)
    lines = [
        "",
        "## Verdicts before experiments had words of their own",
        "",
        "Until November 2026 a figure that our runs do not show could be called refuted."
        f" Of the {len(every)} entries of that ledger {same} have the same verdict today, and a certificate proves"
        f" {proved} that were supported. The table has the others.",
        "",
    ]
    rows = [
        (f"[{one.claim}]({claim_place(one.claim, claims)})", one.old, one.new, "")
        if one.claim in claims
        else (f"`{one.claim}`", one.old, one.new, one.reason)
        for one in every
        if one.old != one.new and one.reason != PROVED
    ]
    return [*lines, *grid(("entry", "then", "now", "why it stands no more"), rows)]
