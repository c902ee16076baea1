"""The list of papers agrees with the citation file and with the packages."""

import re
from pathlib import Path

import pytest

from experiments.papers import BY_KEY, BY_LETTER, PAPERS

ROOT = Path(__file__).parents[2]


def test_citations_and_titles_are_those_of_the_citation_file():
    entries = re.findall(r"^@\w+\{(\w+),\s+title\s*= \{(.*)\},$", (ROOT / "CITATION.bib").read_text(), re.MULTILINE)
    assert [(paper.citation, paper.title) for paper in PAPERS] == entries


def test_letters_follow_the_order():
    assert list(BY_LETTER) == ["A", "B", "C", "D"]
    assert [paper.key for paper in BY_LETTER.values()] == list(BY_KEY)


@pytest.mark.parametrize("layer", ["experiments", "theory_checks", "paper_figures"])
def test_every_paper_has_its_package_in_every_layer(layer: str):
    assert all((ROOT / layer / paper.key / "__init__.py").is_file() for paper in PAPERS)
