"""One page a paper: headline claims, every figure with the paper's sentences and our findings, the open choices."""

from collections.abc import Collection, Sequence

from experiments.engine.registry import STUDIES
from experiments.papers import Paper
from paper_figures.charitable_page import by_setting, charitable, sentence
from paper_figures.claims import ClaimEntry, own, tally
from paper_figures.figure import FigureSpec, figures
from paper_figures.first_screen import cards, on_fresh_seeds
from paper_figures.sentences import readings_of
from paper_figures.site.figure_page import readings_table, verdict_link
from paper_figures.site.markdown import cell, grid
from paper_figures.site.seen import seen
from theory_checks.errata.records import records
from theory_checks.ledger import Kind

__all__ = ["paper_page"]


def paper_page(entries: Sequence[ClaimEntry], *, paper: Paper) -> str:
    """The page in Markdown, for the repository and the site; the site replaces each comment by a picture."""
    mine = [one for one in entries if one.claim.paper == paper.letter]
    card = next((one for one in cards(entries) if one.paper == paper), None)
    lines = [
        f"# Paper {paper.letter}: {paper.subject}",
        "",
        f"*{paper.title}*{f', by {card.authors}' if card else ''}.",
        "",
    ]
    lines += _charitable(entries, paper)
    lines += ["<!-- facts -->", ""]
    for kind, name in ((Kind.THEORY, "Theory"), (Kind.EXPERIMENT, "Experiments")):
        if chosen := own(mine, kind):
            lines += [f"{name}, {len(chosen)} claim{'s' * (len(chosen) != 1)}: {tally(chosen)}.", ""]
    lines += [on_fresh_seeds(own(mine, Kind.EXPERIMENT)), ""]
    if card:
        lines += ["## Headline claims", ""]
        rows = [(verdict_link(one.entry), one.headline.says, one.why) for one in card.lines]
        lines += [*grid(("Verdict", "The paper says", "Why"), rows), ""]
    headlines = [one.entry.claim.id for one in card.lines if one.why == seen(one.entry)] if card else []
    lines += _figures(mine, paper, headlines)
    if card and card.open:
        lines += ["## What the paper leaves open", "", *(f"- {one}" for one in card.open), ""]
    lines += [
        "## More",
        "",
        "- [All claims](../../CLAIMS.md)",
        f"- [Errata](../errata/{paper.key}.md){_differences(paper)}, [constants](../constants/{paper.key}.md),"
        f" [sentences that no claim tests](../not_tested/{paper.key}.md),"
        f" [tutorial](../tutorials/{paper.key}.md)",
        "",
        "To object to a verdict, open an issue with the claim and your setting.",
    ]
    return "\n".join(lines).rstrip() + "\n"


_READ = (
    "“We see” is at our defaults. Percentages are shares of all settings, brackets 95 % intervals. A ratio of"
    " regrets below 1 favours its first method. A comparison holds where the first method leads by the smallest effect"
    " that matters ([rules](../results.md#how-a-reading-is-judged))."
)
"""The sentences on reading the tables of the figures."""


def _figures(mine: Sequence[ClaimEntry], paper: Paper, headlines: Collection[str]) -> list[str]:
    """The figures of the paper with their sentences, each sentence and each finding once; supplements have their names
    alone."""
    specs = [one for one in figures().values() if one.id.startswith(f"{paper.key}.")]
    lines, told = ["## Figures", "", f"`make figures ONLY={paper.letter}` draws the figures. {_READ}", ""], set[str]()
    for spec in (one for one in specs if one.as_printed):
        readings = [one for one in readings_of(spec, mine, specs) if one.claim.id not in told]
        told |= {one.claim.id for one in readings}
        lines += [f"### {spec.number}", "", f"<!-- figure {spec.id} -->", ""]
        lines += [*(readings_table(readings, headlines) or ["No sentence on its own."]), ""]
    others = [one for one in specs if not one.as_printed]
    rest = [one for one in mine if one.claim.kind is Kind.EXPERIMENT and one.claim.id not in told]
    if rows := readings_table(rest, headlines):
        lines += ["### Other sentences on experiments", "", *rows, ""]
    if others:
        lines += ["### Further drawings", "", *(f"- <!-- link {one.id} -->{cell(_named(one))}" for one in others), ""]
    return lines


def _named(spec: FigureSpec) -> str:
    """A further drawing by its number; one of no figure of the paper with the title of its study."""
    title = STUDIES[spec.study].title
    return spec.number if spec.numbers else f"{spec.number}: {title[0].lower()}{title[1:]}"


def _charitable(entries: Sequence[ClaimEntry], paper: Paper) -> list[str]:
    found = charitable(entries, paper)
    if found is None:
        return []
    text = sentence(found)
    words = (
        f"{text[0].upper()}{text[1:]} ([the most charitable setting](../charitable.md)).",
        by_setting(entries, paper),
    )
    return [" ".join(filter(None, words)), ""]


def _differences(paper: Paper) -> str:
    """The number of differences between the paper's experiments and ours in the errata, by subject."""
    count = len({one.subject for one in records(paper) if one.report})
    return f" (we differ in {count} points)" if count else ""
