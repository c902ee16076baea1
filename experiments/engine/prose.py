"""The arguments of a call that hold words for people; they do not count in the normal form of code.

The title of a study, the rule of a claim and the text of an error change nothing that is computed.
"""

from collections.abc import Mapping

__all__ = ["MESSAGES", "PROSE", "PROSE_OF", "prose_of"]

PROSE = frozenset(("caption", "hypotheses", "statement", "amended", "control_statement", "positive_statement"))
"""The keywords, of a call or a mapping, that hold words for people."""

PROSE_OF: Mapping[str, frozenset[str]] = {
    "Study": frozenset(("title", "caption")),
    "Paper": frozenset(("title", "subject", "citation")),
    "claim": frozenset(
        (*PROSE, "said", "rule", "number", "severity", "origin", "control", "positive", "replay", "repairs", "tests")
    ),
}
"""Further keywords of the calls whose name ends so. The keywords of "claim", which also hold for `reading` and
`declared`, include controls and replay, because the evidence on the claim does not depend on them."""

MESSAGES: Mapping[str, int] = {"require": 1, "error_if": 2}
"""The functions whose arguments are the text of an error, with the position of the first such argument."""


def prose_of(called: str) -> frozenset[str]:
    """The keywords that hold words in a call of a function, by the function's name."""
    if called in ("reading", "declared"):
        return PROSE | PROSE_OF["claim"]
    return PROSE.union(*(more for name, more in PROSE_OF.items() if called.endswith(name)))
