"""The sentences of a paper that a figure shows, each with one line on what our runs show of the sentence."""

from collections.abc import Sequence

from paper_figures.claims import ClaimEntry
from paper_figures.figure import FigureSpec, figures
from paper_figures.footer import Sentence
from paper_figures.table import percent
from theory_checks.ledger import Kind
from theory_checks.readings.judgement import State
from theory_checks.readings.words import HEADS
from theory_checks.statements import in_plain_text

__all__ = ["by_figure", "readings_of", "sentences_of"]


def readings_of(spec: FigureSpec, entries: Sequence[ClaimEntry], specs: Sequence[FigureSpec]) -> list[ClaimEntry]:
    """The claims that a figure shows: they have the figure's number, and the figure draws a study that they read.

    Where no figure has both, one of the two is enough; the number comes first.
    """
    paper = spec.id.split(".")[0]
    specs = [one for one in specs if one.id.startswith(f"{paper}.")]
    found = []
    for entry in entries:
        if not entry.claim.id.startswith(f"{paper}."):
            continue
        named = [one for one in specs if _is_named(entry, one)]
        reading = [one for one in specs if one.study in entry.claim.needs]
        both = [one for one in named if one in reading]
        if spec in (both or named or reading) and (entry.claim.needs or entry.claim.kind is Kind.EXPERIMENT):
            found.append(entry)
    return found


def sentences_of(spec: FigureSpec, entries: Sequence[ClaimEntry], specs: Sequence[FigureSpec]) -> tuple[Sentence, ...]:
    """The sentences that stand under the panels, in the order of the entries; none without evidence.

    A figure as printed has the sentences that name the figure. A further drawing of the figure has none of these. A
    sentence that names no figure stands where its study is drawn and no other sentence stands.
    """
    found = [one for one in readings_of(spec, entries, specs) if one.stored and not one.claim.repairs]
    named = [one for one in found if _is_named(one, spec)]
    shown = (named or found) if spec.as_printed or not named else []
    return tuple(Sentence(in_plain_text(one.claim.title), one.verdict, _found(one)) for one in shown)


def by_figure(entries: Sequence[ClaimEntry]) -> dict[str, tuple[Sentence, ...]]:
    """The sentences of every figure, by the figure's id."""
    specs = list(figures().values())
    return {spec.id: sentences_of(spec, entries, specs) for spec in specs}


def _found(entry: ClaimEntry) -> str:
    """The comparisons at the default setting, then the shares of all settings; the cost of a refutation of theory."""
    if entry.claim.kind is not Kind.EXPERIMENT:
        return entry.cost
    default = entry.numbers.get("default") or {}
    states = [one["state"] for one in default.values() if isinstance(one, dict) and "state" in one]
    several = len(states) > 1
    told = f"{states.count(State.HOLDS)} of {len(states)} hold" if several else entry.declared or HEADS[State.OPEN]
    if entry.numbers.get("settings", 1) < 2:
        return told if several else ""
    shares = ((word, entry.numbers["shares"].get(state, 0.0)) for state, word in HEADS.items())
    told_shares = (f"{state} {percent(share)}" for state, share in shares if share)
    spread = ", ".join(one.replace(" ", "\N{NO-BREAK SPACE}") for one in told_shares)
    return f"at the default: {told}; {entry.tried}: {spread}"


def _is_named(entry: ClaimEntry, spec: FigureSpec) -> bool:
    return any(_names(entry.claim.number, number) for number in spec.numbers)


def _names(place: str, number: str) -> bool:
    """True where a number names a figure: "Figure 2 (top) and Figure 4, section 7" names "Figure 4"."""
    word, _, digits = number.partition(" ")
    places = place.replace("Figures", "Figure").replace("Tables", "Table")
    for part in places.split(word)[1:]:
        head = part.split("section")[0].replace("(", " ").replace(")", " ").replace(",", " ").replace("and", " ")
        if digits in head.split():
            return True
    return False
