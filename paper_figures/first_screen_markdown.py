"""README from its template, and its generated part: the verdicts."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from experiments.engine.store import ROOT
from paper_figures.claims import BADGES, ClaimEntry, own
from paper_figures.figure import figures
from paper_figures.first_screen import Card, Tally, cards, foundations
from paper_figures.headline_pictures import picture_path
from paper_figures.site.places import own_page
from paper_figures.table import percent
from theory_checks.readings.words import HEADS, said
from theory_checks.references import filled_in

__all__ = ["OUTPUT", "first_screen", "readme", "tally_table"]

TEMPLATE = Path(__file__).with_name("templates") / "readme.md"
PLACE, OUTPUT_PLACE = "<!-- first screen -->", "<!-- output -->"
"""The places in the template for the verdicts, and for the output of the example."""
OUTPUT = TEMPLATE.with_name("readme_output.txt")
"""The output of the example; a test runs the example."""


def readme(entries: Sequence[ClaimEntry]) -> str:
    """README from its template: references filled in, the verdicts, the output of the example."""
    text = filled_in(TEMPLATE.read_text(encoding="utf-8"), TEMPLATE.name)
    return text.replace(PLACE, first_screen(entries)).replace(OUTPUT_PLACE, OUTPUT.read_text(encoding="utf-8").rstrip())


ROWS: Mapping[str, tuple[str, ...]] = {
    "holds": ("proved", "supported", "reproduced"),
    "refuted or vacuous": ("refuted", "vacuous"),
    "not reproduced or opposite": ("not reproduced", "opposite"),
    "depends, undetermined or undecided": ("depends", "undetermined", "undecided", "not run"),
}
"""The verdicts by row of README's table."""


COUNTED = "Each cell counts the paper's own claims, and names headline claims."
"""The sentence that describes the table."""
READ = (
    "Proofs, counterexamples and searches judge theory. Reruns judge an experiment under every setting: one choice",
    "for each constant or version that a paper leaves open.",
    '"Depends" means that one sense is true and another false, "undetermined" that the settings decide,',
    '"undecided" that too little was computed to tell. A figure that our runs do not show is "not reproduced" or',
    '"opposite", never refuted, because its authors chose its constants.',
    "See [the most charitable setting](docs/charitable.md), [the rules](docs/results.md),",
    "and [the runs on fresh (unseen) seeds](docs/protocol.md).",
)
"""The sentences on how to read a verdict."""


def first_screen(entries: Sequence[ClaimEntry]) -> str:
    """One table of the verdicts on each paper's own claims, one picture, and the basis of the verdicts."""
    shown = cards(entries)
    head = [f"[{card.paper.letter}: {card.paper.subject}](docs/papers/{card.paper.key}.md)" for card in shown]
    lines = [COUNTED, "", "| | " + " | ".join(head) + " |", "|---" * (len(shown) + 1) + "|"]
    for name, verdicts in ROWS.items():
        cells = [_cell(_outcomes(card, entries, verdicts)) for card in shown]
        if any(cells):
            lines.append(f"| **{name}** | {' | '.join(cells)} |")
    lines += ["", *READ, "", foundations(entries), "", *_picture(shown)]
    return "\n".join(lines).rstrip()


def _outcomes(card: Card, entries: Sequence[ClaimEntry], verdicts: Sequence[str]) -> str:
    """The number of a paper's own claims with these verdicts, and the headline claims among them: "27, among them
    ..."."""
    count = sum(one.verdict in verdicts for one in own(entries) if one.claim.paper == card.paper.letter)
    named = [
        f"[{line.headline.title}](docs/{own_page(line.entry.claim.id)})"
        for line in card.lines
        if line.entry.verdict in verdicts
    ]
    return f"{count}{': ' if named else ''}{'; '.join(named)}" if count else ""


def _picture(shown: Sequence[Card]) -> list[str]:
    """The headline figure of the first paper with the words of the paper and our finding, where the figure has been
    drawn."""
    for card in shown:
        path = picture_path(card.figure)
        if not (ROOT.parent / path).is_file():
            continue
        spec = figures()[card.figure]
        line = next((one for one in card.lines if spec.study in one.entry.claim.needs), None)
        lines = [f"[![{card.paper.letter}, {spec.number}: drawn from the committed results]({path})]({path})", ""]
        if line:
            lines += [f'**The paper says**: "{line.entry.claim.statement}". **We see**: {_seen(line.entry)}', ""]
        return lines
    return []


def _seen(entry: ClaimEntry) -> str:
    """The verdict on an experiment in sentences: "undetermined. At our default the sentence holds; ..."."""
    if not entry.shares:
        return f"{entry.weight}."
    shares = ((said(state, 2), entry.numbers["shares"].get(str(state), 0.0)) for state in HEADS)
    told = ", ".join(f"{percent(share)} {word}" for word, share in shares if share)
    fresh = {"": "", "confirmed": " Fresh seeds confirm this verdict."}.get(
        entry.fresh, f" Fresh seeds: {entry.fresh}."
    )
    return (
        f"{entry.verdict}. At our default the sentence {said(entry.numbers['default']['state'])}; "
        f"of {entry.numbers['settings']:,} settings {told}.{fresh}"
    )


def tally_table(tally: Tally) -> list[str]:
    """A tally as a table with one row a verdict; repairs and claims about this implementation are not counted."""
    lines = [f"| {tally.kind} |" + "".join(f" {name.partition(' ')[0]} |" for name, _ in tally.rows)]
    lines.append("|---" + "|---:" * len(tally.rows) + "|")
    for word, *counts in zip(tally.verdicts, *(counts for _, counts in tally.rows), strict=True):
        lines.append(f"| {BADGES[word][0]} {word} |" + "".join(f" {count} |" for count in counts))
    return [*lines, *(["", f"Refuted, by severity: {tally.severities}."] if tally.severities else [])]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
