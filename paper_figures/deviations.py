"""The differences of our experiments from a paper's, with reasons, from the records of `theory_checks.errata`."""

import re

from experiments.papers import Paper
from paper_figures.table import Table
from theory_checks.errata.records import Kind, Record, records

_EMPHASIS = re.compile(r"(?<!\w)\*(\w[^*]*)\*(?!\w)")


def deviations(paper: Paper) -> Table:
    """The differences between the paper's experiments, or its public code, and our experiments."""
    rows = tuple(_row(record) for record in records(paper) if record.report)
    return Table(f"Where we differ from Paper {paper.letter}", ("Subject", "Paper or its public code", "Here"), rows)


def _row(record: Record) -> tuple[str, str, str]:
    told = "; ".join(text for text in (record.printed, record.why) if text)
    if record.kind == Kind.CODE and "public code" not in told:
        told = f"the public code: {told}"
    subject = record.subject[0].upper() + record.subject[1:] if record.kind == Kind.CONSTANT else record.subject
    return subject, _EMPHASIS.sub(r"\1", told), _EMPHASIS.sub(r"\1", record.ours)
