"""The bytes that each of four readers has to read: a reviewer, a practitioner, a reader and an author of one paper."""

import re

import pytest

from experiments.engine.source import PROJECT
from paper_figures.headlines import Headlines, headlines
from paper_figures.site.places import own_page

PAPERS = pytest.mark.parametrize("record", headlines(), ids=lambda record: record.paper.letter)


def kilobytes(*pages: str) -> float:
    """Sizes of pages in all, without the parts that are folded."""
    texts = [(PROJECT / page).read_text(encoding="utf-8") for page in pages]
    return sum(len(re.sub(r"<details.*?</details>", "", text, flags=re.DOTALL).encode()) for text in texts) / 1024


def test_a_reviewer() -> None:
    assert kilobytes("README.md", "docs/artifact.md") <= 13


def test_a_practitioner() -> None:
    assert kilobytes("README.md", "docs/use.md", "docs/which_policy.md") <= 14


@PAPERS
def test_a_reader_of_one_paper(record: Headlines) -> None:
    """A reader takes README, the artifact appendix, the paper's page, and the pages of its headline claims."""
    claims = [f"docs/{own_page(one.claim)}" for one in record.headline]
    assert len(claims) >= 3
    assert kilobytes("README.md", "docs/artifact.md", f"docs/papers/{record.paper.key}.md", *claims) <= 35


@PAPERS
def test_its_author(record: Headlines) -> None:
    """An author reads the paper's page, its errata, and the constants that it leaves open."""
    assert kilobytes(*(f"docs/{page}/{record.paper.key}.md" for page in ("papers", "errata", "constants"))) <= 45
