"""`CLAIMS.md`: the ledger as a Markdown table, the details of every claim below it. No dates, no times."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paper_figures.claims import VERDICT_MEANINGS, ClaimEntry, ledger_note, places, repairs_of, tally
from theory_checks.ledger import PAPERS

LONGEST_VALUE = 160
"""Characters of a number's text beyond which it is cut: long lists stay in the JSON files."""


def write_markdown(entries: Sequence[ClaimEntry], path: Path) -> None:
    """Write `CLAIMS.md` atomically."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        scratch.write_text(markdown(entries), encoding="utf-8")
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)


def markdown(entries: Sequence[ClaimEntry]) -> str:
    """The whole document."""
    lines = [
        "# Claims",
        "",
        "Every claim of the papers and what became of it when it was checked. Written by `make report`; do not edit.",
        "",
        f"Verdicts: {tally(entries) or 'none yet'}. Evidence from: {places(entries) or 'nowhere yet'}. {ledger_note()}",
        "",
        *(f"- **{verdict}**: {meaning}." for verdict, meaning in VERDICT_MEANINGS.items()),
        "",
    ]
    for letter in PAPERS:
        chosen = [entry for entry in entries if entry.claim.paper == letter]
        if chosen:
            lines += [f"## Paper {letter}", "", *_table(chosen), "", *_details(chosen)]
    return "\n".join(lines).rstrip() + "\n"


def _table(entries: Sequence[ClaimEntry]) -> list[str]:
    rows = ["| claim | number | verdict | evidence |", "|---|---|---|---|"]
    for entry in entries:
        anchor = f"[{entry.claim.id}](#{_anchor(entry.claim.id)})"
        rows.append(f"| {anchor} | {_cell(entry.claim.number)} | {entry.badge} | {_cell(entry.summary)} |")
    return rows


def _details(entries: Sequence[ClaimEntry]) -> list[str]:
    lines: list[str] = []
    for entry in entries:
        claim = entry.claim
        lines += [f"### {claim.id}", "", f"{claim.number}. **{entry.badge}**. {entry.summary}", ""]
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
        if entry.replay:
            lines += [f"- Counterexample: `{entry.replay}`"]
        if entry.stored and entry.stored["numbers"]:
            lines += ["- Numbers:", *_numbers(entry.stored["numbers"])]
        lines += [""]
    return lines


def _numbers(numbers: Mapping[str, Any]) -> list[str]:
    return [f"  - {name}: {value}" for name, value in flat_numbers(numbers)]


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


def _cell(text: str) -> str:
    return _flat(text).replace("|", "\\|")


def _anchor(claim_id: str) -> str:
    """GitHub's anchor of a heading: lower case, punctuation dropped."""
    return re.sub(r"[^a-z0-9_-]", "", claim_id.lower())
