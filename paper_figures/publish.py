"""The pages in the repository, written from committed results alone.

A run writes no tracked file; `make publish` writes these. The evidence is that of `results/reference`, for each claim
at the highest scale that stands there, so that a look at a low scale never replaces what is known from a higher one.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from experiments.engine.files import write_whole
from experiments.papers import PAPERS
from paper_figures import charitable_page, protocol_page
from paper_figures.claims import ClaimEntry
from paper_figures.claims_markdown import Page, claim_files, overview
from paper_figures.first_screen_markdown import readme, use
from paper_figures.site.paper_page import paper_page
from theory_checks import changes, history
from theory_checks.certificates.page import certificates_page
from theory_checks.errata.pages import constants, errata
from theory_checks.not_tested.page import not_tested
from theory_checks.references import filled_in

__all__ = ["PAGES", "write_pages"]


def prose(name: str) -> str:
    """A page written by hand, `templates/<name>.md`, its references filled in."""
    path = Path(__file__).parent / "templates" / f"{name}.md"
    return filled_in(path.read_text(encoding="utf-8"), f"{name}.md")


PAGES: Mapping[str, Page] = {
    "CLAIMS.md": overview,
    "README.md": readme,
    "docs/use.md": use,
    **{f"docs/papers/{paper.key}.md": partial(paper_page, paper=paper) for paper in PAPERS},
    "docs/charitable.md": charitable_page.page,
    "docs/protocol.md": protocol_page.page,
    "docs/verdict_changes.md": lambda entries, path: changes.page({one.claim.id: one.verdict for one in entries}),
    "docs/rule_history.md": lambda entries, path: history.page(),
    "docs/errata.md": lambda entries, path: errata(),
    "docs/constants.md": lambda entries, path: constants(),
    "docs/not_tested.md": lambda entries, path: not_tested(),
    "docs/certificates.md": lambda entries, path: certificates_page(),
    "docs/which_policy.md": lambda entries, path: prose("which_policy"),
    "docs/run_times.md": lambda entries, path: prose("run_times"),
    "docs/policy_evidence.md": lambda entries, path: prose("policy_evidence"),
}
"""Pages that `make publish` writes, by their path in the repository; each claim has a page in `docs/claims` too."""


def write_pages(pages: Mapping[str, Page], entries: Sequence[ClaimEntry], folder: Path) -> list[Path]:
    """Write pages, and those of the claims in place of what `docs/claims` holds; returns their paths.

    Raises `OSError` where the folder cannot be written.
    """
    folder = folder.resolve()
    texts = {folder / name: page(entries, folder / name) for name, page in pages.items()}
    texts |= {folder / "docs" / name: text for name, text in claim_files(entries)}
    written = [write_whole(path, text.encode()) for path, text in texts.items()]
    for path in (folder / "docs" / "claims").rglob("*.*"):
        if path not in texts:
            path.unlink()
    return written
