"""The beginning of README and the report, from one source: a card a paper, the tallies, the basis of the verdicts.

The words stand in `headlines.toml`, the verdicts in the evidence; this module joins both.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from experiments.engine.protocol import read
from experiments.engine.standing import Standing, of_stored
from experiments.engine.store import REFERENCE, Store
from experiments.papers import PAPERS, Paper
from paper_figures.claims import EXPERIMENTS, THEORY, ClaimEntry, own
from paper_figures.headlines import Headline, headlines
from paper_figures.site.seen import seen
from theory_checks.ledger import Kind, Outcome, Severity, Verdict
from theory_checks.readings.stamps import CONFIRMED, FIRST
from theory_checks.references import filled_in

__all__ = ["Card", "Line", "Tally", "cards", "foundations", "tallies"]


@dataclass(frozen=True)
class Line:
    """One headline claim with its evidence."""

    headline: Headline
    entry: ClaimEntry

    @property
    def why(self) -> str:
        """One sentence: the record's sentence for this verdict, else the finding of the evidence."""
        words = self.headline.why.get(self.entry.verdict)
        if words is None:
            return seen(self.entry)
        return filled_in(words, f"headline {self.headline.claim}")


@dataclass(frozen=True)
class Card:
    """One paper on the first screen."""

    paper: Paper
    authors: str
    figure: str
    """The id of the figure that stands for the paper."""
    lines: tuple[Line, ...]
    open: tuple[str, ...]


@dataclass(frozen=True)
class Tally:
    """The papers' own claims of one kind, counted.

    Attributes:
        kind: theory or experiment.
        verdicts: the verdicts that occur, in the order of the vocabulary.
        rows: a paper's letter and subject, then the number of each verdict; the last row sums all papers.
        severities: the severities of the refutations, in words; "" where no claim is refuted.
    """

    kind: Kind
    verdicts: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    severities: str


def cards(entries: Sequence[ClaimEntry]) -> list[Card]:
    """The papers that have a headline claim among the entries."""
    known = {entry.claim.id: entry for entry in entries}
    made = []
    for record in headlines():
        lines = tuple(Line(one, known[one.claim]) for one in record.headline if one.claim in known)
        if lines:
            made.append(Card(record.paper, record.authors, record.figure, lines, record.open))
    return made


def tallies(entries: Sequence[ClaimEntry]) -> list[Tally]:
    """Theory and experiments apart, the papers' own claims only; a kind without claims is left out."""
    found = []
    for kind, words in ((Kind.THEORY, THEORY), (Kind.EXPERIMENT, EXPERIMENTS)):
        chosen = own(entries, kind)
        verdicts = tuple(word for word in dict.fromkeys(words) if any(one.verdict == word for one in chosen))
        of = {
            f"{paper.letter} · {paper.subject}": [e for e in chosen if e.claim.paper == paper.letter]
            for paper in PAPERS
        }
        rows = [*of.items(), ("all", chosen)]
        counts = [
            (name, tuple(sum(e.verdict == word for e in some) for word in verdicts)) for name, some in rows if some
        ]
        costs = Counter(one.claim.severity for one in chosen if one.cost)
        said = ", ".join(f"{costs[severity]} {severity}" for severity in Severity if costs[severity])
        if chosen:
            found.append(Tally(kind, verdicts, tuple(counts), said))
    return found


def foundations(entries: Sequence[ClaimEntry]) -> str:
    """The basis of the verdicts, in sentences."""
    refuted = [entry for entry in entries if entry.verdict == "refuted"]
    ours = len(refuted) - len(own(refuted))
    words = Counter(entry.verdict for entry in entries)
    certain = sum(bool(entry.certified) for entry in refuted)
    return (
        f"{sum(bool(entry.replay) for entry in refuted)} of {len(refuted)} refutations"
        f"{f' ({ours} of claims of ours)' if ours else ''} are counterexamples that `.venv/bin/python"
        " -m theory_checks replay ID` evaluates again. Each check refutes a false variant of its claim, and lets a true"
        f" variant of a refuted claim pass. Certificates prove {words[Verdict.PROVED]} of"
        f" {words[Verdict.PROVED] + words[Verdict.SUPPORTED]} statements that hold, and {certain} of the refutations."
        f" {on_fresh_seeds(entries)} {standings(entries)}"
    )


def on_fresh_seeds(entries: Sequence[ClaimEntry]) -> str:
    """The number of verdicts on experiments that rest on seeds that nobody had seen when the protocol was fixed."""
    every = [entry for entry in entries if entry.stamped]
    withdrawn = sum(one.fresh.startswith("was ") and one.verdict == Outcome.UNDECIDED for one in every)
    words = Counter("changed" if one.fresh.startswith("was ") else one.fresh for one in every)
    if every and words[""] == len(every):
        return f"Fresh seeds have yet to judge the {len(every)} verdicts on experiments (Protocol {read().number})."
    first = f"; {words[FIRST]} had no verdict before" if words[FIRST] else ""
    awaiting = f"; {words['']} await{'s' * (words[''] == 1)} runs" if words[""] else ""
    ours = len(every) - len(own(every))
    return (
        f"Of {len(every)} verdicts on experiments{f' ({ours} on sentences of ours)' if ours else ''} the fresh seeds of"
        f" Protocol {read().number} confirm {words[CONFIRMED]}, change {words['changed'] - withdrawn}, make"
        f" {withdrawn} undecided and leave {words[Outcome.UNDECIDED]} undecided{first}{awaiting}."
    )


def standings(entries: Sequence[ClaimEntry]) -> str:
    """The numbers of results and of pieces of evidence that today's program made, that a sample confirms, and that are
    older."""
    results, evidence = (
        Counter(one.kind for one in found) for found in (_committed_results(), [entry.standing for entry in entries])
    )
    sampled = f", of which a sample confirms {results['sampled']:,}" if results["sampled"] else ""
    return (
        f'Today\'s code ("this program") made {results["this program"]:,} of {results.total():,} committed results'
        f' ("older": the rest){sampled}. Today\'s code judged'
        f" {evidence['this program']} of {evidence.total()} claims by these results."
    )


@cache
def _committed_results() -> list[Standing]:
    return of_stored(Store(REFERENCE).everything())
