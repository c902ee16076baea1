"""A claim's rule in Markdown: a paragraph on the computation, then a point for each verdict or part."""

import re

from paper_figures.site.markdown import in_words, prose
from theory_checks.ledger import Claim, Kind

__all__ = ["rule_points"]

_CUTS = {
    Kind.THEORY: re.compile(
        r"(?<=[.;:]) (?=(?:refuted|supported|vacuous|undecided|depends|otherwise)\b)"
        r"|, (?=(?:refuted|supported|otherwise)\b)"
        r"|(?<=\.) (?=[A-Z])",
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


def rule_points(claim: Claim) -> list[str]:
    """Lines of Markdown with all words of the rule, in their order."""
    lines: list[str] = []
    for piece in _CUTS[claim.kind].split(in_words(claim.rule)):
        text = f"{prose(piece[0].upper() + piece[1:]).rstrip(';,.:')}."
        listed = bool(lines) and lines[-1].startswith("- ")
        if _POINT.match(piece):
            lines += [f"- {text}"] if listed or not lines else ["", f"- {text}"]
        elif lines and not listed:
            lines[-1] += f" {text}"
        else:
            lines += ["", text] if lines else [text]
    return lines
