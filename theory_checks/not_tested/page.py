"""The page that the lists give: docs/not_tested.md."""

from experiments.papers import PAPERS
from theory_checks.errata.pages import markdown_table
from theory_checks.not_tested.sentences import sentences

__all__ = ["not_tested"]

_INTRODUCTION = """
<!-- Written by `make publish` from theory_checks/not_tested/*.toml: edit those. -->

# Sentences that no claim tests

Sentences of the four papers with a testable content that no claim of the ledger ([CLAIMS.md](../CLAIMS.md)) tests, in
the order of the paper, with the reason. The [errata](errata.md) have misprints and steps that are false. A testable
sentence that stands in none of the three was overlooked. Names in code are claims, studies or records of the errata.
Places in Paper A are those of its earlier version, the later version's in brackets.
"""


def not_tested() -> str:
    """The text of docs/not_tested.md."""
    blocks = [_INTRODUCTION.strip()]
    for paper in PAPERS:
        rows = [(one.place, f"“{one.sentence}”", one.reason) for one in sentences(paper)]
        blocks += [
            f"## Paper {paper.letter}: {paper.subject}",
            f"{len(rows)} sentences.",
            markdown_table(("where", "sentence", "why no claim tests it"), rows),
        ]
    return "\n\n".join(blocks) + "\n"
