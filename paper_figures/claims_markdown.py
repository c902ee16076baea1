"""The ledger in Markdown: a page with one line per claim, and a page per paper with every claim's section.

No dates, no times, and no numbers beyond the one sentence of evidence: those stand in the report and in the evidence
files, to which each section links.
"""

import os
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from experiments.papers import PAPERS, Paper
from paper_figures.claims import BADGES, VERDICT_MEANINGS, ClaimEntry, ledger_note, places, repairs_of, tally

__all__ = ["Page", "claims_pages", "flat_numbers", "overview", "paper_page"]

LONGEST_STATEMENT, LONGEST_EVIDENCE = 150, 170
"""Characters of a claim's words and evidence on the overview beyond which they are cut."""

LONGEST_VALUE = 160
"""Characters of a number's text in the report beyond which it is cut: long lists stay in the evidence files."""


class Page(Protocol):
    """What a page says, given the claims with their evidence and the path it will have."""

    def __call__(self, entries: Sequence[ClaimEntry], path: Path) -> str: ...


def claims_pages(overview_name: str, details: str) -> dict[str, Page]:
    """The overview and, in the folder `details` below it, the papers' pages, by path."""
    back = "../" * len(Path(details).parts) + overview_name
    return {
        overview_name: partial(overview, details=details),
        **{f"{details}/{paper.key}.md": partial(paper_page, paper=paper, back=back) for paper in PAPERS},
    }


def overview(entries: Sequence[ClaimEntry], path: Path, *, details: str) -> str:
    """One line per claim: what it says, its verdict, the evidence in a sentence; linked to its section."""
    lines = [
        "# Claims",
        "",
        "What became of every claim of the four papers when it was checked, one line each; a claim's name leads to its"
        " statement, the rule of its verdict, and the evidence in full. Written by `make publish`; do not edit.",
        "",
        f"Evidence from: {places(entries) or 'nowhere yet'}. {ledger_note()}",
        "",
        *_headlines(entries),
        "",
        *(f"- {BADGES[verdict][0]} **{verdict}**: {meaning}." for verdict, meaning in VERDICT_MEANINGS.items()),
        "",
    ]
    for paper, chosen in _by_paper(entries):
        page = f"{details}/{paper.key}.md"
        lines += [f"## {_heading(paper)}", "", f"{tally(chosen)}. In full: [{page}]({page}).", ""]
        lines += ["| claim | says | verdict | evidence |", "|---|---|---|---|"]
        for entry in chosen:
            name = f"[{entry.claim.id}]({page}#{_anchor(entry.claim.id)})"
            says, evidence = _cut(entry.claim.statement, LONGEST_STATEMENT), _cut(entry.summary, LONGEST_EVIDENCE)
            lines.append(f"| {name} | {_cell(says)} | {entry.badge} | {_cell(evidence)} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _headlines(entries: Sequence[ClaimEntry]) -> list[str]:
    """How many claims of each paper have each verdict."""
    shown = [verdict for verdict in BADGES if any(entry.verdict == verdict for entry in entries)]
    lines = [f"| paper | claims |{''.join(f' {BADGES[verdict][0]} {verdict} |' for verdict in shown)}"]
    lines.append("|---" + "|---:" * (len(shown) + 1) + "|")
    rows = [(_heading(paper), chosen) for paper, chosen in _by_paper(entries)]
    for name, chosen in [*rows, ("all", entries)]:
        counts = [sum(entry.verdict == verdict for entry in chosen) for verdict in shown]
        lines.append(f"| {name} | {len(chosen)} |{''.join(f' {count} |' for count in counts)}")
    return lines


def paper_page(entries: Sequence[ClaimEntry], path: Path, *, paper: Paper, back: str) -> str:
    """Every claim of a paper in full: statement, hypotheses, rule, control, evidence, the command that replays it."""
    chosen = [entry for entry in entries if entry.claim.paper == paper.letter]
    lines = [
        f"# Claims of {_heading(paper)}",
        "",
        f"*{paper.title}*. {tally(chosen) or 'No claims'}. [All papers]({back}).",
        "Written by `make publish`; do not edit.",
        "",
    ]
    for entry in chosen:
        lines += [*_section(entry, chosen, path.parent), ""]
    return "\n".join(lines).rstrip() + "\n"


def _section(entry: ClaimEntry, entries: Sequence[ClaimEntry], folder: Path) -> list[str]:
    claim = entry.claim
    lines = [f"## {claim.id}", "", f"{claim.number}. **{entry.badge}**. {_flat(entry.summary)}", ""]
    lines += [f"- Statement, as printed: {_flat(claim.statement)}"]
    lines += [f"- Hypothesis: {_flat(hypothesis)}" for hypothesis in claim.hypotheses]
    lines += [f"- Rule{'' if claim.amendments else ', fixed before the run'}: {_flat(claim.rule)}"]
    if claim.amendments:
        lines += [f"- Rules of this module: {_flat(claim.amendments)}"]
    lines += [f"- Negative control (the same check must refute it): {_flat(claim.control_statement)}"]
    if claim.repairs:
        lines += [f"- Repairs: [{claim.repairs}](#{_anchor(claim.repairs)})"]
    lines += [
        f"- Repaired by: [{repair.claim.id}](#{_anchor(repair.claim.id)}) ({repair.verdict})"
        for repair in repairs_of(entries, claim.id)
    ]
    if claim.needs:
        lines += [f"- Reads the results of: {', '.join(claim.needs)}"]
    if entry.path is not None:
        lines += [f"- Evidence, scale {entry.scale}: [numbers]({os.path.relpath(entry.path, folder)})"]
    if entry.replay:
        lines += [f"- Counterexample: `{entry.replay}`"]
    return lines


def _by_paper(entries: Sequence[ClaimEntry]) -> list[tuple[Paper, list[ClaimEntry]]]:
    """The papers that have claims here, with them."""
    grouped = [(paper, [entry for entry in entries if entry.claim.paper == paper.letter]) for paper in PAPERS]
    return [(paper, chosen) for paper, chosen in grouped if chosen]


def _heading(paper: Paper) -> str:
    return f"Paper {paper.letter}: {paper.subject}"


def flat_numbers(numbers: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Nested numbers as (name, text) pairs, floats in six digits; long values are cut."""
    pairs: list[tuple[str, str]] = []
    for name, value in numbers.items():
        if isinstance(value, Mapping):
            pairs += flat_numbers(value, f"{prefix}{name} / ")
        else:
            text = _text(value)
            pairs.append((f"{prefix}{name}", text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + " …"))
    return pairs


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return "[" + ", ".join(_text(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {_text(item)}" for name, item in value.items()) + "}"
    return str(value)


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _cut(text: str, longest: int) -> str:
    """The text on one line, cut after the last whole word that fits."""
    flat = _flat(text)
    return flat if len(flat) <= longest else flat[: longest + 1].rsplit(" ", 1)[0].rstrip(",;:(") + " …"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _anchor(claim_id: str) -> str:
    """GitHub's anchor of a heading: lower case, punctuation dropped."""
    return re.sub(r"[^a-z0-9_-]", "", claim_id.lower())
