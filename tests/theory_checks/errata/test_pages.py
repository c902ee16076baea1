"""The committed pages are what the records give."""

import re

import pytest

from theory_checks.errata.pages import CONSTANTS, ERRATA, markdown_table, pages


@pytest.mark.parametrize("path", [ERRATA, CONSTANTS], ids=lambda path: path.name)
def test_the_committed_page_is_made_from_the_records(path):
    assert path.read_text(encoding="utf-8") == pages()[path], "run `python -m theory_checks.errata`"


def test_equations_are_cited_with_their_paper():
    """Never "eq. (5)": "A (5)", and "A (10) and (11)" for several; a quotation stays as it is."""
    for path, text in pages().items():
        assert re.findall(r"\b[Ee]qs?\. \(\d+\).", text) in ([], ['Eq. (16)"']), path


def test_a_table_escapes_bars():
    table = markdown_table(("a", "b"), [("|x|", "")])
    assert table == "| a | b |\n|---|---|\n| \\|x\\| |  |"
