"""One page a claim: statement, verdict, evidence, rule and history; its repairs and variants stand there too."""

from collections.abc import Mapping, Sequence

from experiments.engine.standing import in_words as standing_in_words
from experiments.papers import BY_LETTER
from paper_figures.claims import ORIGINS, ClaimEntry
from paper_figures.evidence_tables import evidence_tables
from paper_figures.figure import FigureSpec
from paper_figures.site.markdown import cell, fold, grid, in_words, prose, quoted, table
from paper_figures.site.places import anchor_of, figure_page, parent_of
from paper_figures.site.seen import seen
from paper_figures.specification_curve import picture
from paper_figures.specification_curve import table as choices_table
from paper_figures.table import seconds
from theory_checks import counterexamples
from theory_checks.history import amended
from theory_checks.ledger import Kind
from theory_checks.readings.stamps import stamps

__all__ = ["below", "claim_page", "curve_name"]

FEWEST_SETTINGS = 2
"""Of a specification curve."""


def below(entry: ClaimEntry, entries: Sequence[ClaimEntry]) -> list[ClaimEntry]:
    """The repairs and variants that stand on the page of a claim."""
    claims = {one.claim.id: one.claim for one in entries}
    return [one for one in entries if one is not entry and parent_of(one.claim, claims).id == entry.claim.id]


def curve_name(claim_id: str) -> str:
    """The file of a reading's specification curve, beside its page."""
    return f"{claim_id}.svg"


def claim_page(
    entry: ClaimEntry, entries: Sequence[ClaimEntry], figures: Mapping[str, Sequence[FigureSpec]], drawn: set[str]
) -> str:
    """The page; `figures` are those that show a claim by its id, `drawn` the ids of those with a picture."""
    paper = BY_LETTER[entry.claim.paper]
    shown = figures.get(entry.claim.id, ())
    lines = [
        f"# {cell(prose(entry.claim.title))}",
        "",
        f"[Paper {paper.letter}: {paper.subject}](../../papers/{paper.key}.md), {prose(entry.claim.number)}"
        f" · `{entry.claim.id}`",
        "",
        *_body(entry, level=2),
        *_pictures(shown, drawn),
    ]
    for repair in below(entry, entries):
        lines += [
            f"## {cell(prose(repair.claim.title))} {{#{anchor_of(repair.claim.id)}}}",
            "",
            f"`{repair.claim.id}`",
            "",
        ]
        lines += _body(repair, level=3)
    return "\n".join(lines).rstrip() + "\n"


def _pictures(shown: Sequence[FigureSpec], drawn: set[str]) -> list[str]:
    lines: list[str] = []
    for spec in shown:
        if spec.id in drawn:
            lines += [
                f"[![{spec.number}](../../figures/{spec.filename}.png){{ loading=lazy }}]"
                f"(../../{figure_page(spec.id)})",
                "",
            ]
    return lines


def _body(entry: ClaimEntry, level: int) -> list[str]:
    """Statement, verdict, evidence, rule, history of one claim."""
    claim = entry.claim
    mark = "#" * level
    lines = [
        f"{ORIGINS[claim.origin][1]}:",
        "",
        *quoted(prose(in_words(claim.statement)) if claim.kind is Kind.EXPERIMENT else prose(claim.statement)),
        "",
    ]
    lines += [f"**{entry.weight}**{f' · {entry.stamped}' if entry.stamped else ''}", ""]
    if claim.kind is Kind.EXPERIMENT and (told := seen(entry)) != in_words(entry.summary):
        lines += [prose(told), ""]
    lines += [prose(in_words(entry.summary)), ""]
    if entry.rerun:
        lines += [
            f"On this machine at scale {entry.rerun['scale']}: {entry.rerun['verdict']}."
            f" {prose(in_words(entry.rerun['summary']))}",
            "",
        ]
    lines += _evidence(entry)
    word = "Hypotheses" if claim.kind is Kind.THEORY else "Beyond the sentence's words"
    if claim.hypotheses:
        lines += [f"{mark} {word}", "", *(f"- {prose(in_words(one))}" for one in claim.hypotheses), ""]
    lines += [f"{mark} Rule", "", prose(in_words(claim.rule)), ""]
    if claim.kind is Kind.THEORY:
        lines += [f"The same check must refute this false variant: {prose(claim.control_statement)}", ""]
        if claim.positive_statement:
            lines += [f"The same check must not refute this true variant: {prose(claim.positive_statement)}", ""]
    lines += _history(entry)
    return [*lines, *_reproduce(entry)]


def _evidence(entry: ClaimEntry) -> list[str]:
    """The specification curve, and the numbers folded."""
    numbers, claim = entry.numbers, entry.claim
    lines: list[str] = []
    if numbers.get("curve") and numbers.get("settings", 1) >= FEWEST_SETTINGS:
        if picture(numbers):
            lines += [f"![Specification curve: every setting by its advantage]({curve_name(claim.id)})", ""]
        head, *rows = choices_table(numbers)
        lines += fold("Settings by choice", grid(head, [[in_words(one) for one in row] for row in rows]))
    tables = evidence_tables({name: of for name, of in numbers.items() if name != "curve"})
    if tables:
        told: list[str] = []
        for one in tables:
            told += ["", f"**{in_words(one.title)}**", "", *table(one)]
        lines += fold(f"Numbers of the evidence (scale {entry.scale}, {entry.source})", told[1:])
    return lines


def _history(entry: ClaimEntry) -> list[str]:
    claim = entry.claim
    stamp = stamps().get(claim.id)
    told = [f"- {one.date} ({one.commit}): {prose(one.text)}" for one in amended(claim.id)]
    if stamp:
        told.append(f"- {stamp.date}: declaration {stamp.hash} fixed.")
    return fold("History of the rule", told) if told else []


def _reproduce(entry: ClaimEntry) -> list[str]:
    claim = entry.claim
    lines = [f"python -m theory_checks show {claim.id}", f"python -m theory_checks run {claim.id} --force"]
    if entry.replay:
        lines.append(entry.replay)
    cost = f", {seconds(float(entry.stored['seconds']))} at scale {entry.scale}" if entry.stored else ""
    sides = f" {prose(counterexamples.sides(claim))}" if entry.replay and counterexamples.sides(claim) else ""
    needs = f" Reads the results of {', '.join(claim.needs)}." if claim.needs else ""
    by = f" The evidence is of {standing_in_words([entry.standing])}." if entry.stored else ""
    told = [
        "```sh",
        *lines,
        "```",
        "",
        f"The last run{cost}.{needs}{by}{sides}" if entry.stored else "No evidence is stored.",
    ]
    return fold("Reproduce", told)
