"""The committed pages follow from the records."""

import re
from functools import partial

import pytest

from experiments.engine.source import PROJECT
from experiments.papers import PAPERS
from paper_figures.publish import PAGES, prose
from theory_checks.errata.pages import constants, constants_index, errata, errata_index, markdown_table
from theory_checks.not_tested.page import not_tested, not_tested_index

INDEXES = {"docs/errata.md": errata_index, "docs/constants.md": constants_index, "docs/not_tested.md": not_tested_index}
RECORDS = {
    f"docs/{name}/{paper.key}.md": partial(made, paper)
    for name, made in (("errata", errata), ("constants", constants), ("not_tested", not_tested))
    for paper in PAPERS
}
MADE = {
    **INDEXES,
    **RECORDS,
    **{f"docs/{name}.md": partial(prose, name) for name in ("which_policy", "run_times")},
    "docs/policy_evidence.md": lambda: PAGES["docs/policy_evidence.md"]([]),
}


@pytest.mark.parametrize("name", MADE)
def test_the_committed_page_is_made_from_the_records(name):
    committed = (PROJECT / name).read_text(encoding="utf-8")
    assert committed == MADE[name](), "run `make publish`"
    assert committed == PAGES[name]([])


@pytest.mark.parametrize("name", RECORDS)
def test_equations_are_cited_with_their_paper(name):
    """Never "eq. (5)": "A (5)", and "A (10) and (11)" for several; a quotation stays as it is."""
    assert re.findall(r"\b[Ee]qs?\. \(\d+\).", MADE[name]()) in ([], ['Eq. (16)"'])


def test_a_table_escapes_bars():
    table = markdown_table(("a", "b"), [("|x|", "")])
    assert table == "| a | b |\n|---|---|\n| \\|x\\| |  |"
