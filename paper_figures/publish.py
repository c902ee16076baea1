"""The pages in the repository, written from committed results alone.

A run writes no tracked file; `make publish` writes these. The evidence is that of `results/reference`, for each claim
at the highest scale that stands there, so that a look at a low scale never replaces what is known from a higher one.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from experiments.engine.files import write_whole
from experiments.engine.store import ROOT
from experiments.papers import PAPERS
from paper_figures import charitable_page, history_page, protocol_page
from paper_figures.claims import ClaimEntry
from paper_figures.claims_markdown import Page, claim_files, overview
from paper_figures.common.practice import paragraph
from paper_figures.first_screen_markdown import readme
from paper_figures.site.certificate_page import certificate_pages, certificates_page
from paper_figures.site.paper_page import paper_page
from theory_checks.errata.pages import constants, constants_index, errata, errata_index
from theory_checks.not_tested.page import not_tested, not_tested_index
from theory_checks.references import filled_in

__all__ = ["PAGES", "single_pages", "write_pages"]


def _of_no_claim(made: Callable[..., str], *arguments: Any) -> Page:
    """A page that the evidence on claims does not change."""
    return lambda entries: made(*arguments)


def prose(name: str) -> str:
    """A page written by hand, `templates/<name>.md`, with its references filled in."""
    path = Path(__file__).parent / "templates" / f"{name}.md"
    return filled_in(path.read_text(encoding="utf-8"), f"{name}.md")


PAGES: Mapping[str, Page] = {
    "CLAIMS.md": overview,
    "README.md": readme,
    **{f"docs/papers/{paper.key}.md": partial(paper_page, paper=paper) for paper in PAPERS},
    "docs/charitable.md": charitable_page.page,
    "docs/protocol.md": protocol_page.page,
    "docs/rule_history.md": history_page.page,
    "docs/certificates.md": _of_no_claim(certificates_page),
    **{
        f"docs/{name}.md": _of_no_claim(made)
        for name, made in (("errata", errata_index), ("constants", constants_index), ("not_tested", not_tested_index))
    },
    **{
        f"docs/{name}/{paper.key}.md": _of_no_claim(made, paper)
        for name, made in (("errata", errata), ("constants", constants), ("not_tested", not_tested))
        for paper in PAPERS
    },
    "docs/which_policy.md": _of_no_claim(prose, "which_policy"),
    "docs/run_times.md": _of_no_claim(prose, "run_times"),
    "docs/policy_evidence.md": lambda entries: prose("policy_evidence").replace("<!-- study -->", paragraph(ROOT)),
}
"""The pages that `make publish` writes, by their path in the repository; :func:`single_pages` are among them."""


def single_pages(entries: Sequence[ClaimEntry]) -> dict[str, str]:
    """The pages of claims with their pictures, and the pages of certificates, by their path below `docs`."""
    known = {one.claim.id for one in entries}
    return {**dict(claim_files(entries)), **dict(certificate_pages(known))}


def write_pages(pages: Mapping[str, Page], entries: Sequence[ClaimEntry], folder: Path) -> list[Path]:
    """Write the pages, and replace the contents of the folders of claims and certificates. Returns the paths.

    Raises `OSError` where the folder cannot be written.
    """
    folder = folder.resolve()
    texts = {folder / name: page(entries) for name, page in pages.items()}
    texts |= {folder / "docs" / name: text for name, text in single_pages(entries).items()}
    written = [write_whole(path, text.encode()) for path, text in texts.items()]
    for name in ("claims", "certificates"):
        for path in (folder / "docs" / name).rglob("*.*"):
            if path not in texts:
                path.unlink()
    return written
