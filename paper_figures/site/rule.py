"""A claim's rule in Markdown: a paragraph on the computation, then a point for each verdict or part."""

import itertools
import re
from collections.abc import Sequence

from paper_figures.site.markdown import in_words, name_in_words, prose
from theory_checks.ledger import Claim, Kind

__all__ = ["rule_points"]

_CUTS = {
    Kind.THEORY: re.compile(
        r"(?<=[.;:]) (?=(?:refuted|supported|vacuous|undecided|depends|otherwise)\b)"
        r"|, (?=(?:refuted|supported|otherwise)\b)"
        r"|(?<=\.) (?=(?-i:[A-Z]))",
        re.IGNORECASE,
    ),
    Kind.EXPERIMENT: re.compile(
        r"(?<=\.) (?=(?:Measures, the|Orders \(|Open in the|Peers behind|A setting asks|Level of opposite)\b)"
    ),
}
"""The places where a rule can be cut: between sentences, before a verdict, and before each part of a reading's
declaration."""
_POINT = re.compile(
    r"(?:refuted|supported|vacuous|undecided|depends|otherwise)\b"
    r"|(?:Measures, the|Orders \(|Open in the|Peers behind|A setting asks|Level of opposite)",
    re.IGNORECASE,
)
"""The words that begin a point."""

_SYMBOL = re.compile(r"[a-z]+[_^(]|[a-z]'?(?: ?[=<>≤≥~*/+-]| and [a-z]\b|[,;:])|(?!a )[a-z]'? ")
"""A piece that begins with the name of a quantity, whose first letter stays small."""


def rule_points(claim: Claim) -> list[str]:
    """Lines of Markdown with all words of the rule, in their order. Words that several measures or orders share stand
    once."""
    lines: list[str] = []
    told = in_words(_shared(claim)).replace("GP-UCB, refitted", "refitted GP-UCB")  # no comma in a list
    for piece in _CUTS[claim.kind].split(told):
        first = piece[0] if _SYMBOL.match(piece) else piece[0].upper()
        text = f"{prose(first + piece[1:]).rstrip(';,.:')}."
        listed = bool(lines) and lines[-1].startswith("- ")
        if _POINT.match(piece):
            lines += [f"- {text}"] if listed or not lines else ["", f"- {text}"]
        elif lines and not listed:
            lines[-1] += f" {text}"
        else:
            lines += ["", text] if lines else [text]
    return lines


_MEASURE = re.compile(r"(?:; )?(.+?) (\((?:smallest effect that matters|margin): [^()]+\))")
"""A measure of a rule: its name, then the size that matters and the test."""
_ORDER = re.compile(r"(\S+) ([^()]+) (\S+) (\(.+\))")
"""An order of a rule: a method, "ahead of" or the like, another method, and the problems."""


def _shared(claim: Claim) -> str:
    """The rule; a reading's measures with one size and test stand together, and so do its orders that share methods."""
    rule = claim.rule
    if found := re.search(r"(?<=Measures, the plotted one first: ).*?(?=\. Orders \()", rule):
        rule = rule.replace(found[0], _measures(_MEASURE.findall(found[0])))
    if found := re.search(r"(?<=by itself: |al weight: )\S+ [^()]+ \S+ \(.*?\)(?=\. )", rule):
        rule = rule.replace(found[0], _orders([_ORDER.findall(order)[0] for order in found[0].split("; ")]))
    return rule


def _measures(measures: Sequence[tuple[str, str]]) -> str:
    """Measures in words; neighbours with one size and test have both after the last of them."""
    groups = [(end, [name for name, _ in those]) for end, those in itertools.groupby(measures, key=lambda one: one[1])]
    return "; ".join(
        f"{'; '.join(names)} {end.replace('(', '(each: ', 1) if len(names) > 1 else end}" for end, names in groups
    )


def _orders(orders: Sequence[tuple[str, str, str, str]]) -> str:
    """Orders in words: "each of A, B ahead of each of C, D (problems)" stands for all four pairs."""
    seconds: dict[tuple[str, str, str], list[str]] = {}
    for first, kind, second, problems in orders:
        seconds.setdefault((first, kind, problems), []).append(second)
    firsts: dict[tuple[str, str, str], list[str]] = {}
    for (first, kind, problems), behind in seconds.items():
        firsts.setdefault((kind, _each(behind), problems), []).append(first)
    return "; ".join(f"{_each(ahead)} {kind} {behind} {problems}" for (kind, behind, problems), ahead in firsts.items())


def _each(methods: Sequence[str]) -> str:
    labels = [name_in_words(method) for method in methods]
    return labels[0] if len(labels) == 1 else f"each of {', '.join(labels)}"
