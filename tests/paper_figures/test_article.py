"""The article's text holds no typed result, its numbers are the evidence's, and its bytes are always the same."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

from experiments.engine.source import PROJECT
from experiments.engine.store import ROOT
from paper_figures.article import content as article
from paper_figures.article.content import content, figure_ids, prose
from paper_figures.article.typeset import TEMPLATE, citations, compiled
from paper_figures.claims import BADGES, ClaimEntry, load_published
from paper_figures.draw import Drawn
from paper_figures.figure import figures
from paper_figures.headlines import headlines
from paper_figures.load import StudyResults

NAMED = re.compile(
    r"\$\{[^}]*\}|\b(?:Figures?|Tables?|section) \d+(?: \(\w\))?(?:(?:, \d+)* (?:and|to) \d+)?"
    r"|VGG-16|ResNet50|FC3|EXP3|\bh1\b"
)
"""Digits that are names: of figures, statements and networks, and references."""
CITED = citations((PROJECT / "CITATION.bib").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def entries() -> list[ClaimEntry]:
    return load_published(ROOT)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Drawn]]:
    """Empty pictures in the place of the figures, with results of no run."""
    folder = tmp_path_factory.mktemp("article")
    items = []
    for name in figure_ids():
        spec = figures()[name]
        path = folder / f"{spec.filename}.pdf"
        figure = plt.figure(figsize=(7, 4))
        figure.savefig(path, metadata={"CreationDate": None})
        plt.close(figure)
        items.append(Drawn(spec, StudyResults(spec.study, "quick", "quick", "reference", ()), (path,)))
    return folder, items


@pytest.fixture(scope="module")
def told(entries: list[ClaimEntry], drawn: tuple[Path, list[Drawn]]) -> dict[str, Any]:
    return content(entries, drawn[1], CITED)


def texts(record: object) -> list[str]:
    if isinstance(record, str):
        return [record]
    parts = record.values() if isinstance(record, dict) else record if isinstance(record, list) else ()
    return [text for part in parts for text in texts(part)]


def test_no_number_and_no_verdict_is_typed():
    records = prose()
    for record in records.values():
        if isinstance(record, dict):
            record.pop("figures", None)
    words = [*texts(records), *(one for record in headlines() for one in record.open)]
    for text in words:
        assert not re.search(r"\d", NAMED.sub("", text)), text
    for name in ("boke", "cei", "ctx", "uhe"):
        for text in texts(records[name]):
            assert not re.search(rf"\b({'|'.join(BADGES)}|ahead|behind|better|worse)\b", text), text


def test_no_number_stands_in_the_template():
    """Lengths, colours and the numbering of pages and headings apart."""
    sizes = r"//.*|-?\d+(?:\.\d+)?(?:pt|em|cm|fr|%)|luma\(\d+\)"
    code = re.sub(rf'{sizes}|level: \d|"1(?:\.1)?"|"a4"|ties [>-] 1', "", TEMPLATE.read_text(encoding="utf-8"))
    assert not re.search(r"\d", code), re.findall(r".*\d.*", code)


def test_verdicts_and_numbers_are_those_of_the_evidence(entries, drawn, told, monkeypatch):
    """A change of the evidence, and nothing else, changes the row."""
    joint = iter([one["charitable"] for one in told["papers"]])
    monkeypatch.setattr(article, "_charitable", lambda *_: next(joint))  # of readings, which are as they were
    name = headlines()[0].headline[0].claim
    changed = [
        replace(one, stored={**one.stored, "verdict": "vacuous", "summary": "planted"}) if one.claim.id == name else one
        for one in entries
    ]
    other = content(changed, drawn[1], CITED)
    assert other["papers"][0]["headlines"][0]["verdict"] == "○ vacuous"
    assert other["papers"][0]["headlines"][0]["number"] == "planted"
    assert other["papers"][0]["headlines"][1:] == told["papers"][0]["headlines"][1:]
    assert other["papers"][1:] == told["papers"][1:]
    theory, before = other["tallies"][0], told["tallies"][0]
    column = theory["verdicts"].index("○ vacuous")
    assert theory["rows"][-1][1][column] == before["rows"][-1][1][column] + 1


def test_what_is_missing_is_said(entries, drawn):
    with pytest.raises(ValueError, match="no results of boke.fig6"):
        content(entries, drawn[1][1:], CITED)


def test_the_article_is_whole_and_always_the_same(drawn, told):
    folder, _ = drawn
    (first,), (second,) = compiled(told, folder), compiled(told, folder)
    assert first == second
    assert first.startswith(b"%PDF")
    pages = compiled(told, folder, "svg")
    assert 8 <= len(pages) <= 12


def test_citations_name_authors_year_title_and_number():
    assert CITED["zhu2025boke"].startswith("Tansheng Zhu, Hongyu Zhou")
    assert CITED["ha2023provably"].endswith("Unknown Gaussian Process Hyperparameter Estimation. arXiv:2306.06844.")
    assert len(CITED) == 4
