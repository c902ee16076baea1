"""The pages of the lists: docs/not_tested.md, and a page a paper below it."""

from experiments.papers import PAPERS, Paper
from theory_checks.errata.pages import MADE, index, markdown_table
from theory_checks.not_tested.sentences import sentences

__all__ = ["not_tested", "not_tested_index"]

_INTRODUCTION = """
# Sentences that no claim tests

Sentences of the four papers with a testable content that no claim of the ledger ([CLAIMS.md](../CLAIMS.md)) tests, in
the order of the paper, each with the reason. The [errata](errata.md) have misprints and false steps. A testable
sentence that stands in none of the three was overlooked. Names in code are claims, studies or records of the errata.
Sentences in quotation marks are the paper's; the others are ours, for a formula or a passage.
Places in Paper A are those of its earlier version, with the later version's in brackets.
"""


def not_tested_index() -> str:
    """The text of docs/not_tested.md."""
    return index("not_tested", _INTRODUCTION, {paper: f"{len(sentences(paper))} sentences" for paper in PAPERS})


def not_tested(paper: Paper) -> str:
    """The text of docs/not_tested/<paper>.md."""
    rows = [
        (one.place, one.sentence if one.paraphrase else f"“{one.sentence}”", one.reason) for one in sentences(paper)
    ]
    blocks = [
        MADE.format(f"not_tested/{paper.key}.toml"),
        f"# Sentences of Paper {paper.letter} that no claim tests",
        f"{len(rows)} sentences of Paper {paper.letter}, {paper.subject}.",
        markdown_table(("where", "sentence", "why no claim tests it"), rows),
    ]
    return "\n\n".join(blocks) + "\n"
