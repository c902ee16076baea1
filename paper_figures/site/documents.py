"""The documents of the repository on the site: the page of each, and the split of a long document into one page a
section.

The site writes the pages of `make publish` again from the evidence that it shows.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from experiments.engine.store import ROOT
from experiments.papers import PAPERS
from paper_figures.claims import ClaimEntry
from paper_figures.publish import PAGES

__all__ = ["SECTIONS", "Document", "Page", "outside_code", "pages_of", "slug"]

REPOSITORY = ROOT.parent
FENCE = re.compile(r"(^```.*?^```[ \t]*$)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Document:
    """A Markdown file of the repository.

    Attributes:
        source: its path in the repository.
        target: its page, or the folder of its parts.
        parts: True makes each section of the second level a page of its own.
        named: the name in the navigation; "" for the page's own heading.
    """

    source: str
    target: str
    parts: bool = False
    named: str = ""


@dataclass(frozen=True)
class Page:
    """A page of the site.

    Attributes:
        target: path on the site.
        title: name in the navigation.
        text: Markdown, with links relative to `source`.
        source: path of the document in the repository, "" for a page that only the site has.
        anchors: the anchors of `source` on this page.
    """

    target: str
    title: str
    text: str
    source: str = ""
    anchors: frozenset[str] = field(default_factory=frozenset)


def _with_pages_of_papers(name: str) -> list[Document]:
    """A document of the reference with one page for each paper below it."""
    pages = [
        Document(f"docs/{name}/{one.key}.md", f"reference/{name}/{one.key}.md", named=f"{one.letter}: {one.subject}")
        for one in PAPERS
    ]
    return [Document(f"docs/{name}.md", f"reference/{name}/index.md"), *pages]


SECTIONS: Mapping[str, Sequence[Document]] = {
    "Use": (
        Document("docs/use.md", "use", parts=True),
        Document("docs/which_policy.md", "use/which_policy.md"),
        Document("docs/policy_evidence.md", "use/policy_evidence.md"),
        Document("docs/ecosystem.md", "use/ecosystem", parts=True),
        *(Document(f"docs/tutorials/{one.key}.md", f"use/tutorials/{one.key}.md") for one in PAPERS),
    ),
    "Papers": tuple(
        Document(f"docs/papers/{one.key}.md", f"papers/{one.key}.md", named=f"{one.letter}: {one.subject}")
        for one in PAPERS
    ),
    "Claims": (Document("CLAIMS.md", "claims/index.md", named="All claims"),),
    "Reproduce": (
        Document("docs/artifact.md", "reproduce/artifact.md"),
        Document("docs/results.md", "reproduce/results.md"),
        Document("docs/run_times.md", "reproduce/run_times.md"),
        Document("docs/cluster.md", "reproduce/cluster.md"),
    ),
    "Reference": (
        Document("docs/notation.md", "reference/notation.md"),
        Document("docs/glossary.md", "reference/glossary.md"),
        *_with_pages_of_papers("errata"),
        *_with_pages_of_papers("constants"),
        *_with_pages_of_papers("not_tested"),
        Document("docs/charitable.md", "reference/charitable.md"),
        Document("docs/protocol.md", "reference/protocol.md"),
        Document("docs/certificates.md", "reference/certificates.md"),
        Document("docs/rule_history.md", "reference/rule_history.md"),
    ),
    "Engineering": (
        Document("docs/benchmarks.md", "engineering/benchmarks", parts=True),
        Document("docs/peers.md", "engineering/peers.md"),
        Document("docs/faults.md", "engineering/faults.md"),
        Document("docs/matrix.md", "engineering/matrix.md"),
        Document("CONTRIBUTING.md", "engineering/contributing.md"),
        *(
            Document(f"docs/contributing/{name}.md", f"engineering/contributing/{name}.md")
            for name in ("methods", "claims", "readings", "figures", "tests")
        ),
        Document("docs/style.md", "engineering/style.md"),
        Document("CHANGELOG.md", "engineering/changelog.md", named="Changelog"),
    ),
}
"""The documents of each section of the navigation, in order. A missing document is left out."""


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site name it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def text_of(source: str, entries: Sequence[ClaimEntry]) -> str:
    """The Markdown of a document: the file's, or a generated page by the evidence given; "" for a missing file."""
    path = REPOSITORY / source
    if source in PAGES:
        return PAGES[source](entries)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def pages_of(document: Document, entries: Sequence[ClaimEntry]) -> list[Page]:
    """The pages of a document: one page, or an index and one page a section."""
    text = re.sub(r"<!-- Written by .*?-->\n*", "", text_of(document.source, entries), flags=re.DOTALL)
    if not text:
        return []
    if not document.parts:
        return [Page(document.target, document.named or _title(text), text, document.source, _anchors(text))]
    first, *sections = _split(text)
    pages = []
    for section in sections:
        title = _title(section)
        promoted = outside_code(lambda part: re.sub(r"^#(#+ )", r"\1", part, flags=re.MULTILINE), section)
        name = slug(title).strip("-")
        pages.append(Page(f"{document.target}/{name}.md", title, promoted, document.source, _anchors(section)))
    listed = [f"- [{page.title}](#{slug(page.title)})" for page in pages]
    index = "\n".join([first.rstrip(), "", *listed, ""])
    return [
        Page(f"{document.target}/index.md", document.named or _title(first), index, document.source, _anchors(first)),
        *pages,
    ]


def _split(text: str) -> list[str]:
    """The text before the first heading of the second level, then each section. Blocks of code are not split."""
    pieces: list[str] = [""]
    for index, part in enumerate(FENCE.split(text)):
        if index % 2:
            pieces[-1] += part
            continue
        first, *others = re.split(r"^(?=## )", part, flags=re.MULTILINE)
        pieces[-1] += first
        pieces += others
    return pieces


def outside_code(change: Callable[[str], str], text: str) -> str:
    """The text with its prose changed and its blocks of code unchanged."""
    parts = FENCE.split(text)
    parts[::2] = [change(part) for part in parts[::2]]
    return "".join(parts)


def _title(text: str) -> str:
    found = re.search(r"^#+ (.*)$", text, re.MULTILINE)
    return re.sub(r"[`*]", "", found[1]) if found else ""


def _anchors(text: str) -> frozenset[str]:
    heads = re.findall(r"^#+ (.*)$", "".join(FENCE.split(text)[::2]), re.MULTILINE)
    return frozenset(map(slug, heads)) | set(re.findall(r'(?:id|name)="([^"]+)"', text))
