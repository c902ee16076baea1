"""One page a claim: statement, verdict, evidence, rule and history. The page also has the claim's repairs and variants.

The repository and the site have the same page. Only the site replaces comments by pictures and numbers.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.engine.standing import in_words as standing_in_words
from experiments.papers import BY_LETTER
from paper_figures.claims import ORIGINS, ClaimEntry
from paper_figures.evidence_tables import evidence_tables
from paper_figures.figure import figures
from paper_figures.sentences import readings_of
from paper_figures.site.markdown import cell, fold, grid, in_words, prose, quoted, table
from paper_figures.site.places import certificate_place, parent_of
from paper_figures.site.rule import rule_points
from paper_figures.site.seen import seen
from paper_figures.specification_curve import picture
from paper_figures.specification_curve import table as choices_table
from paper_figures.table import seconds
from theory_checks import changes, counterexamples
from theory_checks.certificates.registry import certificates
from theory_checks.history import amended
from theory_checks.ledger import Claim, Kind
from theory_checks.readings.stamps import stamps
from theory_checks.readings.words import HEADS, in_state_words

__all__ = ["below", "claim_page", "has_page", "with_numbers"]

BRACKETS = {"A": "the number in the paper's later version", "C": "the number in the paper's appendix"}
_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z\d(])")
FEWEST_SETTINGS = 2
"""The width of a specification curve."""


def below(entry: ClaimEntry, entries: Sequence[ClaimEntry]) -> list[ClaimEntry]:
    """The repairs and variants that stand on the page of a claim."""
    claims = {one.claim.id: one.claim for one in entries}
    return [one for one in entries if one is not entry and parent_of(one.claim, claims).id == entry.claim.id]


def has_page(entry: ClaimEntry, entries: Sequence[ClaimEntry]) -> bool:
    """True where a claim has its own page: it is no repair and no variant of another claim among the entries."""
    return all(one.claim.id != entry.claim.repairs for one in entries)


def claim_page(entry: ClaimEntry, entries: Sequence[ClaimEntry]) -> str:
    """The page."""
    claim, paper = entry.claim, BY_LETTER[entry.claim.paper]
    lines = [
        f"# {cell(prose(claim.title))}",
        "",
        f"[Paper {paper.letter}: {paper.subject}](../../papers/{paper.key}.md), {_number(claim)} · `{claim.id}`"
        " · [glossary](../../glossary.md)",
        "",
        *_body(entry, level=2),
    ]
    specs = list(figures().values())
    shown = [one.id for one in specs if entry in readings_of(one, [entry], specs)]
    if shown:
        lines += ["<!-- figures -->", "", *(f"<!-- figure {name} -->\n" for name in shown)]
    repairs = below(entry, entries)
    for repair in repairs:
        lines += [f"## {repair.claim.id}", "", f"{prose(repair.claim.title)}.", ""]
        lines += _body(repair, level=3, above=claim)
    lines += ["## Reproduce", "", *_reproduce([entry, *repairs])]
    if shown:
        lines += [f"`make figures ONLY={','.join(shown)}` draws the figure{'s' * (len(shown) > 1)}.", ""]
    return "\n".join(lines).rstrip() + "\n"


def _number(claim: Claim) -> str:
    """The place of the claim in the paper, with the meaning of its brackets."""
    told = BRACKETS.get(claim.paper) if "[" in claim.number else None
    return prose(claim.number) + (f" (in brackets: {told})" if told else "")


def with_numbers(text: str, entries: Mapping[str, ClaimEntry]) -> str:
    """A page in which the folded numbers of the evidence replace each comment that asks for them."""
    return _NUMBERS.sub(lambda found: "\n".join(_numbers(entries[found[1]])).rstrip(), text)


_NUMBERS = re.compile(r"(?:Evidence: [^\n]* )?<!-- numbers ([\w.]+) -->")


def _body(entry: ClaimEntry, level: int, above: Claim | None = None) -> list[str]:
    """Statement, verdict, evidence, rule, history of one claim. Below another claim it refers to what both share."""
    claim = entry.claim
    mark = "#" * level
    lines = [
        f"{ORIGINS[claim.origin][1]}:",
        "",
        *quoted(prose(in_words(claim.statement)) if claim.kind is Kind.EXPERIMENT else prose(claim.statement)),
        "",
    ]
    certificate = f" · [certificate](../../{certificate_place(claim.id)})" if claim.id in certificates() else ""
    standing = f" · {entry.stamped}" if entry.stamped and not entry.fresh else ""
    lines += [f"**{entry.weight}**{standing}{certificate}", ""]
    lines += [prose(_found(entry)), ""]
    lines += [f"The runs are earlier ones: {entry.earlier}. The protocol replaces them.", ""] if entry.earlier else []
    if entry.rerun:
        lines += [
            f"On this machine at scale {entry.rerun['scale']}: {entry.rerun['verdict']}."
            f" {prose(in_state_words(in_words(entry.rerun['summary'])))}",
            "",
        ]
    lines += _evidence(entry)
    word = "Hypotheses" if claim.kind is Kind.THEORY else "Beyond the sentence's words"
    if claim.hypotheses and above and claim.hypotheses == above.hypotheses:
        lines += [f"{mark} {word}", "", f"The hypotheses are those of `{above.id}`.", ""]
    elif claim.hypotheses:
        lines += [f"{mark} {word}", "", *(f"- {prose(in_words(one))}" for one in claim.hypotheses), ""]
    lines += [f"{mark} Rule", "", *_rule(claim, above), ""]
    if claim.kind is Kind.THEORY:
        check = f"`{claim.check.__module__.replace('.', '/')}.py`"
        lines += [f"The check ({check}) must refute this false variant: {prose(claim.control_statement)}", ""]
        if claim.positive_statement:
            lines += [f"The same check must not refute this true variant: {prose(claim.positive_statement)}", ""]
    return [*lines, *_history(entry)]


def _found(entry: ClaimEntry) -> str:
    """The finding in words: of a sentence on an experiment the comparisons at the default setting, then those sentences
    of the evidence that the rest of the page does not tell."""
    summary = in_state_words(in_words(entry.summary))
    told = seen(entry)
    if entry.claim.kind is Kind.THEORY or told == summary:
        return summary
    first, *more = _SENTENCES.split(summary)
    if told.startswith("It "):
        told = first
    more = [one for one in more if not re.match(r"Of [\d,]+ settings |Scale \w+\.$", one)]
    return " ".join([told, *more])


def _rule(claim: Claim, above: Claim | None) -> list[str]:
    """The points of a rule; of a rule that contains, or begins like, the rule of the claim above, what it adds."""
    points, shared = rule_points(claim), rule_points(above) if above else []
    if not above:
        return points
    if set(shared) <= set(points):
        own = [point for point in points if point not in shared]
        more = [f"The rule is that of `{above.id}`, and more:", "", *own]
        return more if own else [f"The rule is that of `{above.id}`."]
    (mine, theirs), same = (_SENTENCES.split(one[0]) for one in (points, shared)), 0
    while mine[same : same + 1] == theirs[same : same + 1] != []:
        same += 1
    if not same:
        return points
    return [" ".join([f"The rule begins like that of `{above.id}`.", *mine[same:]]), *points[1:]]


def _evidence(entry: ClaimEntry) -> list[str]:
    """The specification curve, as a table where no picture shows its settings, and the line on the evidence, which the
    numbers replace."""
    numbers, claim = entry.numbers, entry.claim
    lines: list[str] = []
    if numbers.get("curve") and numbers.get("settings", 1) >= FEWEST_SETTINGS:
        if picture(numbers):
            name = claim.id.partition(".")[2]
            lines += [f"![Specification curve: every setting by its advantage]({name}.svg)", ""]
        else:
            lines += fold("Settings by choice", _choices(numbers))
    made = f"Evidence: scale {entry.scale}, {standing_in_words([entry.standing])}. " if entry.stored else ""
    return [*lines, f"{made}<!-- numbers {claim.id} -->", ""]


def _choices(numbers: Mapping[str, Any]) -> list[str]:
    """The number of settings by choice and state, as a table."""
    head, *rows = choices_table(numbers)
    return grid(head, [[in_words(one) for one in row] for row in rows])


def _numbers(entry: ClaimEntry) -> list[str]:
    """The numbers of the evidence, folded; empty without stored evidence. The settings by choice are among them where
    the page shows them as a picture."""
    told: list[str] = []
    if entry.numbers.get("curve") and picture(entry.numbers):
        told += ["", "**Settings by choice**", "", *_choices(entry.numbers)]
    numbers = {name: of for name, of in entry.numbers.items() if name != "curve"}
    for one in evidence_tables(_with_states(numbers) if "shares" in numbers else numbers):
        told += ["", f"**{in_words(one.title)}**", "", *table(one)]
    if not entry.stored:
        return []
    made = f"scale {entry.scale}, {entry.source}, {seconds(float(entry.stored['seconds']))}"
    return fold(f"Numbers of the evidence ({made}, {standing_in_words([entry.standing])})", told[1:])


def _with_states(numbers: Mapping[str, Any]) -> Mapping[str, Any]:
    """The numbers of a reading with its states in the words of the page."""

    def told(of: Any) -> Any:
        return {**of, "state": HEADS[of["state"]]} if isinstance(of, Mapping) and "state" in of else of

    default: Any = told({name: told(of) for name, of in numbers["default"].items()})
    return {**numbers, "default": default, "shares": {HEADS[one]: share for one, share in numbers["shares"].items()}}


def _history(entry: ClaimEntry) -> list[str]:
    claim = entry.claim
    stamp = stamps().get(claim.id)
    told = [f"- {one.date} ({one.commit}): {prose(one.text)}" for one in amended(claim.id)]
    if why := changes.recorded().get(claim.id, ("", ""))[1]:
        before = changes.before().get(claim.id, "not judged")
        told.append(f'- Until November 2026 the verdict was "{before}". {prose(why)}')
    if stamp:
        told.append(f"- {stamp.date}: declaration {stamp.hash} fixed.")
    return fold("History of the rule", told) if told else []


def _reproduce(entries: Sequence[ClaimEntry]) -> list[str]:
    """The commands for the claims of a page, the results that their checks read, and the numbers that the replays
    print."""
    commands = [f"python -m theory_checks run {' '.join(one.claim.id for one in entries)} --force"]
    lines = ["```sh", *commands, *(one.replay for one in entries if one.replay), "```", ""]
    if needs := dict.fromkeys(study for one in entries for study in one.claim.needs):
        lines += [f"The check reads the results of {', '.join(needs)}.", ""]
    for one in entries:
        if one.replay and (sides := counterexamples.sides(one.claim)):
            of = f" for {one.claim.id}" if len(entries) > 1 else ""
            lines += [f"The replay prints two numbers{of}. {prose(sides)}", ""]
    return lines
