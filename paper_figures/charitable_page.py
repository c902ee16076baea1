"""docs/charitable.md: for each paper, the setting of its open choices under which most of its sentences hold."""

from collections.abc import Sequence

from experiments.papers import PAPERS, Paper
from paper_figures.claims import ClaimEntry, own
from paper_figures.site.places import own_page
from theory_checks.ledger import Kind
from theory_checks.readings.by_choice import Choice, best, by_choice
from theory_checks.readings.charitable import Charitable, most_charitable
from theory_checks.readings.judgement import State
from theory_checks.readings.words import HEADS, in_choice_words

__all__ = ["by_setting", "charitable", "page", "sentence"]

_DECISIVE = {"A": ("constants of BOKE", "Figures 6 and 7", ("boke.fig6_", "boke.fig7_"))}
"""The open question on which most sentences depend, the figures, and the beginning of the readings' names, by paper."""


def charitable(entries: Sequence[ClaimEntry], paper: Paper) -> Charitable | None:
    """A paper's most charitable setting by the evidence on its own sentences; None where no sentence has a curve."""
    mine = [one for one in own(entries, Kind.EXPERIMENT) if one.claim.paper == paper.letter]
    curves = {one.claim.id: one.numbers for one in mine if one.numbers.get("curve")}
    return most_charitable(curves) if curves else None


def sentence(found: Charitable) -> str:
    """ "Under one choice of constants 12 of 20 sentences on experiments hold, 7 at our defaults"."""
    count = len(found.holds) + len(found.fails)
    return (
        f"Under one choice of constants {len(found.holds)} of {count} sentences on experiments hold,"
        f" {found.at_default} at our defaults"
    )


def _choices(entries: Sequence[ClaimEntry], paper: Paper) -> list[Choice]:
    """The choices of a paper's decisive question; empty where the paper has no such question, or too little is
    stored."""
    question, _, begins = _DECISIVE.get(paper.letter, ("", "", ()))
    mine = [one for one in own(entries, Kind.EXPERIMENT) if one.claim.id.startswith(begins or ("no reading",))]
    told = {one.claim.id: one.numbers for one in mine if question in one.numbers.get("questions", ())}
    return by_choice(told, question) if told else []


def by_setting(entries: Sequence[ClaimEntry], paper: Paper) -> str:
    """One sentence: how many of the paper's sentences hold at the default of its decisive question, and at the best
    choice. Empty where there is no such question."""
    found = _choices(entries, paper)
    if not found:
        return ""
    question, figures, _ = _DECISIVE[paper.letter]
    first, kindest = found[0], best(found)
    count = sum(first.states.values()) + first.left_out
    return (
        f"On {figures}, {first.holds} of {count} sentences hold with the default {question}, {kindest.holds} with the"
        f" best of {len(found)} settings, all else at our defaults."
    )


def _table(entries: Sequence[ClaimEntry], paper: Paper) -> list[str]:
    """Every choice of the decisive question, with the states of the sentences."""
    found = _choices(entries, paper)
    if not found:
        return []
    question, figures, _ = _DECISIVE[paper.letter]
    count = sum(found[0].states.values()) + found[0].left_out
    lines = [
        f"## {figures} of Paper {paper.letter}, by the {question}",
        "",
        f"Each row counts the {count} sentences under one choice, with every other choice at our default. The last"
        " column is the most that hold together under one choice of everything else. A sentence is left out where one"
        " of its methods is behind random search. The row with most that hold is in bold. The [glossary](glossary.md)"
        f" has Scott's rule and its factors.{_unseen(entries, paper)}",
        "",
        f"| {question} | {' | '.join(HEADS.values())} | left out | hold together |",
        "|---" * (len(State) + 3) + "|",
    ]
    for one in found:
        counts = " | ".join(str(one.states[state]) for state in State)
        mark = "**" if one is best(found) else ""
        lines.append(f"| {mark}{in_choice_words(one.name)}{mark} | {counts} | {one.left_out} | {one.at_once} |")
    return [*lines, ""]


def _unseen(entries: Sequence[ClaimEntry], paper: Paper) -> str:
    """The sentence that fresh seeds, which chose nothing, judge these sentences; "" where some are not yet judged."""
    begins = _DECISIVE[paper.letter][2]
    mine = [one for one in own(entries, Kind.EXPERIMENT) if one.claim.id.startswith(begins)]
    if not all(one.fresh for one in mine):
        return ""
    return (
        " Fresh seeds of [the protocol](protocol.md) judge all these sentences. Other seeds chose our default, on the"
        f" same functions ([how](constants/{paper.key}.md)); the best row is chosen here."
    )


def page(entries: Sequence[ClaimEntry]) -> str:
    """The page: choices, the number of sentences that hold, and the sentences that do not."""
    said = [(paper.letter, text) for paper in PAPERS if (text := by_setting(entries, paper))]
    lines = [
        "# The most charitable settings",
        "",
        "<!-- Written by `make publish` from the evidence: do not edit. -->",
        "",
        "A paper leaves constants open. The most charitable setting is the one under which the largest number of its"
        " sentences on experiments hold together, by the measure that each figure plots. Its count is optimistic,"
        " because the same runs choose the setting and count the sentences.",
        *(line for letter, text in said for line in ("", f"Paper {letter}: {text}")),
    ]
    tables = [line for paper in PAPERS for line in _table(entries, paper)]
    lines += ["", *tables[:-1]] if tables else []
    for paper in PAPERS:
        found = charitable(entries, paper)
        if found is None:
            continue
        lines += [
            "",
            f"## Paper {paper.letter}: {paper.subject}",
            "",
            f"{sentence(found)[0].upper()}{sentence(found)[1:]}.",
        ]
        if found.ties > 1:
            lines += [
                f"{found.ties} joint choices for the questions that sentences share do equally well; the table shows"
                " the one nearest to our defaults."
            ]
        lines += ["", "| open question | choice |", "|---|---|"]
        lines += [f"| {question} | {in_choice_words(choice)} |" for question, choice in found.choices.items()]
        lines += [
            "",
            f"These sentences hold: {_listed(found.holds)}.",
            "",
            f"These sentences do not hold, are opposite or are open: {_listed(found.fails)}.",
        ]
    return "\n".join(lines) + "\n"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"[{name}]({own_page(name)})" for name in names) or "none"
