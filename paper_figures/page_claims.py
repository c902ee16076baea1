"""What the report shows of a claim: one row of the table, and everything about it below."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from experiments.groups import GROUPS
from experiments.papers import BY_LETTER
from paper_figures.claims import BADGES, ORIGINS, ClaimEntry, repairs_of
from paper_figures.evidence_tables import evidence_tables
from paper_figures.figure import FigureSpec
from paper_figures.specification_curve import picture
from paper_figures.table import seconds
from theory_checks import counterexamples
from theory_checks.ledger import Severity

__all__ = ["filters", "shown_claim", "title_of"]


def title_of(spec: FigureSpec) -> str:
    """A figure's name with its paper's letter, "A · Figure 6"."""
    letter = next(group.letter for group in GROUPS if group.key == spec.id.split(".")[0])
    return f"{letter} · {spec.number}"


def shown_claim(entry: ClaimEntry, claims: Sequence[ClaimEntry], figures: Mapping[str, Sequence[FigureSpec]]) -> Any:
    """The fields of the templates; `figures` are those that draw a study, by its id."""
    claim, stored = entry.claim, entry.stored or {}
    read = [spec for study in claim.needs for spec in figures.get(study, ())]
    return {
        "id": claim.id,
        "number": claim.number,
        "paper": claim.paper,
        "subject": BY_LETTER[claim.paper].subject,
        "origin": str(claim.origin),
        "verdict": entry.verdict,
        "sign": BADGES[entry.verdict][0],
        "more": entry.cost or entry.shares or entry.undecided,
        "kind": str(claim.kind),
        "standing": entry.stamped,
        "curve": Markup(picture(entry.numbers)) if entry.numbers.get("curve") else "",
        "severity": entry.cost,
        "summary": entry.summary,
        "short": entry.summary,
        "whose": ORIGINS[claim.origin][1],
        "statement": claim.statement,
        "hypotheses": claim.hypotheses,
        "rule": claim.rule,
        "control": claim.control_statement,
        "positive": claim.positive_statement,
        "figures": [(spec.id, title_of(spec)) for spec in read],
        "needs": claim.needs,
        "repairs": claim.repairs,
        "repaired_by": [(repair.claim.id, repair.verdict) for repair in repairs_of(claims, claim.id)],
        "tables": evidence_tables({name: of for name, of in stored.get("numbers", {}).items() if name != "curve"}),
        "replay": entry.replay,
        "sides": counterexamples.sides(claim) if entry.replay else "",
        "command": f"python -m theory_checks run {claim.id} --force",
        "place": f"{entry.scale}, {entry.source}" if entry.stored else "",
        "rerun": _rerun(entry),
        "seconds": seconds(float(stored["seconds"])) if entry.stored else "",
    }


def _rerun(entry: ClaimEntry) -> str:
    if entry.rerun is None:
        return ""
    return f"{entry.rerun['verdict']} at scale {entry.rerun['scale']}: {entry.rerun['summary']}"


def filters(entries: Sequence[ClaimEntry]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Each filter: its key, its name, and (value, words) of the choices that occur."""
    letters = sorted({entry.claim.paper for entry in entries})
    verdicts = {entry.verdict for entry in entries}
    origins = {entry.claim.origin for entry in entries}
    costs = {entry.cost for entry in entries}
    return [
        ("paper", "Paper", [(letter, f"{letter} · {BY_LETTER[letter].subject}") for letter in letters]),
        ("verdict", "Verdict", [(name, name) for name in BADGES if name in verdicts]),
        ("origin", "Origin", [(str(origin), words) for origin, (words, _) in ORIGINS.items() if origin in origins]),
        ("severity", "Severity", [(str(one), str(one)) for one in Severity if one in costs]),
    ]
