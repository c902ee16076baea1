"""The hand-written pages name only code that exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from experiments.engine.source import PROJECT
from theory_checks.references import resolve

NOTATION = (PROJECT / "docs" / "notation.md").read_text(encoding="utf-8")
PACKAGES = ("core", "experiments", "theory_checks")


@cache
def names() -> frozenset[str]:
    """Every identifier that the packages define: modules, classes, functions, arguments, fields, names in quotes."""
    found = set()
    for package in PACKAGES:
        for path in (PROJECT / package).rglob("*.py"):
            found |= set(path.relative_to(PROJECT).with_suffix("").parts)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    found.add(node.name)
                elif isinstance(node, ast.arg):
                    found.add(node.arg)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    found.add(node.id)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
                    found.add(node.value)
    return frozenset(found)


def test_dotted_names_of_the_notation_resolve():
    dotted = {name for name in re.findall(r"`([\w.]+)", NOTATION) if name.split(".")[0] in PACKAGES}
    assert len(dotted) > 10
    for name in sorted(dotted):
        resolve(name)


def test_other_names_of_the_notation_exist():
    """Arguments, fields, policies and functions without their module."""
    quoted = " ".join(re.findall(r"`([^`]+)`", NOTATION))
    words = {word for name in re.findall(r"[A-Za-z_][\w.]*", quoted) for word in name.split(".") if word}
    assert words - names() <= {"True"}


def test_equations_of_the_notation_are_cited_with_their_paper():
    letter = ""
    for line in NOTATION.splitlines():
        letter = line.split()[2].rstrip(":") if line.startswith("## Paper") else letter
        rest = re.sub(rf"\b{letter} \(\w+\)(?:(?:–|, | and )\(\w+\))*", "", line) if letter else line
        assert not re.search(r"(?:^|[\s|])\([A-B]?\d{1,2}\)", rest), line


DOCUMENTS = sorted(
    path
    for folder in (".", "docs", "docs/claims/*", "docs/contributing", "docs/papers", "docs/tutorials")
    for path in PROJECT.glob(f"{folder}/*.md")
)


def anchors(page: Path) -> set[str]:
    """The anchors of a page: its headings as GitHub names them, and its own."""
    text = page.read_text(encoding="utf-8")
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in heads} | set(
        re.findall(r'(?:id|name)="([^"]+)"', text)
    )


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(PROJECT)))
def test_links_of_documents_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\((?!https?:|mailto:|<)([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or target.suffix != ".md" or anchor in anchors(target), link


def test_the_first_page_for_contributors_is_short():
    """Longer recipes stand in docs/contributing."""
    assert len((PROJECT / "CONTRIBUTING.md").read_bytes()) <= 5000


def test_paths_and_modules_for_contributors_exist():
    pages = [PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs" / "contributing").glob("*.md")]
    rooms = "core|experiments|theory_checks|paper_figures|benchmarks|kernelbo|tests|docs"
    quoted = {path for page in pages for path in re.findall(rf"`((?:{rooms})/[\w/.]*)`", page.read_text("utf-8"))}
    assert len(quoted) > 20
    for path in sorted(quoted):
        assert (PROJECT / path).exists(), path
