"""One page a figure: the picture, the paper's sentences with our findings, the comparisons behind them, the command."""

from collections.abc import Collection, Sequence

from experiments.data import skipped
from experiments.engine.registry import STUDIES
from experiments.groups import GROUPS
from paper_figures.claims import ClaimEntry
from paper_figures.draw import Drawn
from paper_figures.figure import FigureSpec
from paper_figures.site.markdown import cell, fold, grid, in_words, prose, table
from paper_figures.site.places import own_page
from paper_figures.site.seen import seen
from paper_figures.table import percent, seconds
from theory_checks.ledger import Kind, Origin, Outcome

__all__ = ["figure_page", "readings_table", "title", "verdict_link"]


def title(spec: FigureSpec) -> str:
    """A figure's name with its paper's letter: "A, Figure 6"."""
    letter = next(group.letter for group in GROUPS if group.key == spec.id.split(".")[0])
    return f"{letter}, {spec.number}"


def readings_table(entries: Sequence[ClaimEntry], above: Collection[str] = ()) -> list[str]:
    """The paper's sentences with our findings, one row a sentence; variants stand on the page of their sentence.

    Args:
        entries: claims on experiments, in order.
        above: ids of the claims whose finding the page tells above.
    """
    rows, before = [], ""
    for entry in entries:
        if entry.claim.repairs:
            continue
        says = prose(in_words(entry.claim.statement))
        told = f"Ours: {says}" if entry.claim.origin is Origin.HERE else f"“{says}”"
        told, before = ("The same sentence." if told == before else told), told
        found = seen(entry)
        declared = found.startswith(("Ratio", "Difference"))
        if entry.claim.id in above:
            rows.append((f"[{entry.badge}](../{own_page(entry.claim.id)})", told, "As above."))
        else:
            rows.append((verdict_link(entry, declared), told, prose(found)))
    return grid(("Verdict", "The paper says", "We see"), rows) if rows else []


def verdict_link(entry: ClaimEntry, declared: bool = True) -> str:
    """The verdict as a link to the claim's page, then its weight in short, for a page in a folder beside `claims`.
    Where fresh seeds change a verdict, the cell also has the earlier verdict.

    Args:
        entry: the claim.
        declared: whether the state of the default setting is told, which a count of its comparisons tells too.
    """
    weight = entry.weight.removeprefix(entry.badge)
    if entry.claim.kind is Kind.EXPERIMENT:
        found = entry.numbers.get("shares", {}) if entry.shares else {}
        words = {"holds": "hold", "opposite": "opposite"}
        shares = [f"{percent(found[one])} {word}" for one, word in words.items() if found.get(one)]
        open_ = (Outcome.UNDETERMINED, Outcome.UNDECIDED)  # other verdicts say what the default setting shows
        state = f"default: {entry.declared}" if found and declared and entry.verdict in open_ else ""
        before = entry.fresh if entry.fresh.startswith("was ") and entry.fresh != f"was {Outcome.UNDECIDED}" else ""
        before = before.replace("was", "before fresh seeds", 1)
        told = "; ".join(filter(None, (state, ", ".join(shares), "" if found else entry.undecided, before)))
        weight = f" ({told})" if told else ""
    return f"[{entry.badge}](../{own_page(entry.claim.id)}){weight}"


def figure_page(item: Drawn, scale: str, readings: Sequence[ClaimEntry]) -> str:
    """The page."""
    spec, data = item.spec, item.data
    paper = spec.id.split(".")[0]
    lines = [f"# {cell(title(spec))}", "", f"[Paper page](../papers/{paper}.md)", ""]
    if item.image is None:
        lines += [f"Not drawn: {prose(item.reason)}", ""]
    else:
        lines += [f"[![{spec.number}]({spec.filename}.png)]({spec.filename}.png)", ""]
    lines += [prose(spec.caption), "", *readings_table(readings), ""]
    if data is not None:
        cells = f"{len(data.results)} of {len(data.results) + data.missing} cells"
        cost = seconds(sum(float(one.metadata.get("cpu_seconds") or 0.0) for one in data.results))
        lines += [f"Results: {spec.provenance(data)}; {cells}, {cost} of one core.", ""]
    if (data is None or data.source == "local") and spec.study in STUDIES:
        lines += [f"- {prose(one)}" for one in skipped(STUDIES[spec.study], scale)] + [""]
    at = f" SCALE={data.scale}" if data else ""
    lines += ["```sh", f"make experiments figures ONLY={spec.study}{at}", "```", ""]
    for one in spec.tables(data) if data else ():
        lines += fold(one.title, table(one))
    return "\n".join(lines).rstrip() + "\n"
