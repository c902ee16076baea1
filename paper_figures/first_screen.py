"""What README and the report say first, from one source: a card a paper, the tallies, what the verdicts rest on.

The words stand in `headlines.toml`, the verdicts in the evidence; here one is laid beside the other.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from experiments.papers import Paper
from paper_figures.claims import BADGES, ORIGINS, SHOWN, ClaimEntry
from paper_figures.headlines import Headline, headlines
from theory_checks.ledger import Origin, Severity
from theory_checks.references import filled_in
from theory_checks.undecided import Kind

__all__ = ["READING", "Card", "Line", "Tally", "cards", "foundations", "tally_by_origin", "undecided_sentence"]

READING = (
    "Supported: a search that could have found a violation found none. Refuted: a counterexample is stored, and anyone "
    "can replay it. Vacuous: nothing contradicts it, but the bound says nothing. Depends: true under some of the "
    "choices that the paper does not state, false under others. Inconclusive: not decided here; reversed here: our "
    "runs show the opposite, but hang on choices that the paper does not state, and so refute nothing; too few runs: "
    "with how many it takes, where that is known."
)
"""What the verdicts mean, before the first of them."""
LONGEST_WHY = 240
"""Characters of the evidence's own sentence beyond which it is cut."""

OWN = (Origin.PRINTED, Origin.IMPLIED, Origin.READING)
"""Origins of the papers' own claims: repairs, and what is about this implementation, are counted apart."""


@dataclass(frozen=True)
class Line:
    """One headline claim with its evidence."""

    headline: Headline
    entry: ClaimEntry

    @property
    def why(self) -> str:
        """One sentence: the record's for this kind of inconclusive, else for this verdict, else the evidence's own."""
        said = self.headline.why
        words = said.get(kind_of(self.entry) or "") or said.get(self.entry.verdict)
        if words is None:
            return shortened(self.entry.summary, LONGEST_WHY)
        return shortened(filled_in(words, f"headline {self.headline.claim}"), LONGEST_WHY)


@dataclass(frozen=True)
class Card:
    """One paper on the first screen."""

    paper: Paper
    authors: str
    figure: str
    """Id of the figure that stands for the paper."""
    lines: tuple[Line, ...]
    open: tuple[str, ...]
    tally: str
    """The verdicts on its own claims, in words."""


@dataclass(frozen=True)
class Tally:
    """The claims of one origin.

    Attributes:
        name: whose words they are.
        counts: the number of each verdict, in the order of `BADGES`.
        severities: what the refutations cost, in words; "" where none is refuted.
    """

    name: str
    counts: tuple[int, ...]
    severities: str

    @property
    def total(self) -> int:
        """How many claims."""
        return sum(self.counts)


def cards(entries: Sequence[ClaimEntry]) -> list[Card]:
    """The papers that have a headline claim among the entries."""
    known = {entry.claim.id: entry for entry in entries}
    made = []
    for record in headlines():
        lines = tuple(Line(one, known[one.claim]) for one in record.headline if one.claim in known)
        own = [one for one in entries if one.claim.paper == record.paper.letter and one.claim.origin in OWN]
        if lines:
            made.append(Card(record.paper, record.authors, record.figure, lines, record.open, counted(own)))
    return made


def counted(entries: Sequence[ClaimEntry]) -> str:
    """ "12 supported, 3 refuted" of these entries."""
    counts = Counter(entry.verdict for entry in entries)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in BADGES if counts[verdict])


def tally_by_origin(entries: Sequence[ClaimEntry]) -> list[Tally]:
    """A row an origin that has claims: the verdicts, and what the refutations cost."""
    rows = []
    for origin, (name, _) in ORIGINS.items():
        chosen = [entry for entry in entries if entry.claim.origin is origin]
        counts = Counter(entry.verdict for entry in chosen)
        costs = Counter(entry.claim.severity for entry in chosen if entry.verdict == "refuted")
        said = ", ".join(f"{costs[severity]} {severity}" for severity in Severity if costs[severity])
        if chosen:
            rows.append(Tally(name, tuple(counts[verdict] for verdict in BADGES), said))
    return rows


def undecided_sentence(entries: Sequence[ClaimEntry]) -> str:
    """Of which kind the inconclusive claims are, in a sentence; "" where there is none."""
    open = [entry for entry in entries if entry.verdict == "inconclusive"]
    kinds = Counter(kind_of(entry) for entry in open)
    words = [f"{kinds[kind]} {SHOWN.get(kind, kind)}" for kind in Kind if kinds[kind]]
    words += [f"{kinds[None]} for another reason, which the evidence gives"] if kinds[None] else []
    return f"Inconclusive: {', '.join(words)}." if words else ""


def kind_of(entry: ClaimEntry) -> Kind | None:
    """Of which kind an inconclusive claim is; None where that is not known, and for every other verdict."""
    return next((kind for kind in Kind if entry.undecided.startswith(SHOWN.get(kind, kind))), None)


def foundations(entries: Sequence[ClaimEntry]) -> str:
    """What the verdicts rest on that other artifacts do not have, in two sentences."""
    replayable = sum(entry.verdict == "refuted" and bool(entry.replay) for entry in entries)
    refuted = sum(entry.verdict == "refuted" for entry in entries)
    amended = sum(bool(entry.claim.amended) for entry in entries)
    return (
        f"Each of the {len(entries)} claims has its rule, sample sizes and tolerances in the code before it is run ("
        f"{amended} rules were amended after a first run, and say how), and a negative control, a nearly true but false"
        f" variant that the same code must refute. {replayable} of {refuted} refutations are counterexamples that"
        " `python -m theory_checks replay ID` evaluates again."
    )


def shortened(text: str, longest: int) -> str:
    """The text on one line, cut after the last whole word that fits."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest + 1].rsplit(" ", 1)[0].rstrip(",;:(") + " …"
