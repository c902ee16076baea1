"""The constants of each paper's methods and studies, from the records of `theory_checks.errata`."""

from experiments.papers import Paper
from paper_figures.table import Table
from theory_checks.errata.pages import constants_rows
from theory_checks.errata.records import parts


def constants_tables(paper: Paper) -> tuple[Table, ...]:
    """A table per part of the paper's constants: name, value, and what it means or where it comes from."""
    made = []
    for part in parts(paper):
        header, rows = constants_rows(part)
        if part.page == "constants" and rows:
            headings = tuple(name.capitalize() for name in header)
            made.append(
                Table(f"Paper {paper.letter}: {part.title}", headings, tuple(rows), " ".join(part.text.split()))
            )
    return tuple(made)
