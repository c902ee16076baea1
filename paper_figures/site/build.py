"""Writes the site's Markdown into a folder of its own and runs mkdocs on this folder."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.engine.provenance import git_commit
from experiments.engine.standing import in_words
from experiments.groups import BEYOND
from experiments.papers import PAPERS
from paper_figures.audit import audit_tables
from paper_figures.claims import ClaimEntry, own, places, tally
from paper_figures.deviations import deviations
from paper_figures.draw import Drawn
from paper_figures.first_screen_markdown import readme
from paper_figures.publish import single_pages
from paper_figures.runtime import studies_table
from paper_figures.sentences import readings_of
from paper_figures.site.claim_page import with_numbers
from paper_figures.site.documents import REPOSITORY, SECTIONS, Page, pages_of
from paper_figures.site.figure_page import figure_page
from paper_figures.site.interface import interface_pages
from paper_figures.site.links import Finisher
from paper_figures.site.markdown import table
from paper_figures.site.places import figure_page as figure_place
from theory_checks.ledger import Kind

__all__ = ["build_site"]

THEME = Path(__file__).with_name("theme")


def build_site(
    drawn: Sequence[Drawn],
    entries: Sequence[ClaimEntry],
    scale: str,
    results: Path,
    site: Path,
    *,
    interface: bool = True,
) -> Path:
    """Make the site in a folder; returns its first page.

    Args:
        drawn: the figures.
        entries: the claims with their evidence.
        scale: the scale shown.
        results: holds `local/` and `reference/`.
        site: the folder, made anew.
        interface: True makes the pages of the programming interface.

    Raises:
        OSError: a folder cannot be written.
        RuntimeError: mkdocs finds a fault: a link without a target, an unreadable page.
    """
    site = site.resolve()
    with tempfile.TemporaryDirectory(prefix="kernelbo-site-") as name:
        folder = Path(name)
        navigation = write_sources(drawn, entries, scale, results, folder / "docs", interface=interface)
        settings = {
            "INHERIT": str(REPOSITORY / "mkdocs.yml"),
            "docs_dir": str(folder / "docs"),
            "site_dir": str(folder / "site"),
            "site_name": f"kernelbo {version()}",
            "copyright": facts(entries),
            "nav": navigation,
        }
        config = folder / "mkdocs.yml"
        config.write_text(json.dumps(settings, ensure_ascii=False), encoding="utf-8")
        run = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(config)],
            cwd=REPOSITORY,
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
            capture_output=True,
            text=True,
        )
        if run.returncode:
            raise RuntimeError(f"mkdocs: {(run.stderr or run.stdout).strip()}")
        _replace(folder / "site", site)
    return site / "index.html"


def version() -> str:
    """The package's version."""
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def facts(entries: Sequence[ClaimEntry]) -> str:
    """ "kernelbo 1.0 · commit 1a2b3c4 of 2026-11-27 · evidence: scale paper, reference; ... · this program"."""
    commit = git_commit()
    parts = [f"kernelbo {version()}"]
    if commit != "unknown":
        day = subprocess.run(["git", "log", "-1", "--format=%cs"], cwd=REPOSITORY, capture_output=True, text=True)
        changed = ", with uncommitted changes" if commit.endswith("-dirty") else ""
        parts.append(f"commit {commit[:7]} of {day.stdout.strip()}{changed}")
    parts.append(f"evidence: {places(entries) or 'none'}")
    parts.append(f"code of the evidence: {in_words(one.standing for one in entries if one.stored) or 'none'}")
    return " · ".join(parts)


def write_sources(
    drawn: Sequence[Drawn], entries: Sequence[ClaimEntry], scale: str, results: Path, docs: Path, *, interface: bool
) -> list[Any]:
    """Write every page in Markdown, with pictures, styles and scripts; returns the navigation."""
    sections: dict[str, list[Page]] = {name: [] for name in SECTIONS}
    for name, documents in SECTIONS.items():
        for document in documents:
            sections[name] += pages_of(document, entries)
    sections["Papers"].append(_beyond(drawn))
    sections["Reference"] += [
        _tables(
            "reference/assumptions.md",
            "Assumptions in each study",
            [one for paper in PAPERS for one in audit_tables(paper)],
        )
    ]
    sections["Reference"] += [
        _tables("reference/deviations.md", "Where we differ from the papers", [deviations(paper) for paper in PAPERS])
    ]
    sections["Engineering"].append(
        _tables("engineering/studies.md", "Studies and their run times", [studies_table(scale, results)])
    )
    if interface:
        sections["Use"] += interface_pages()
    home = Page("index.md", "Home", _home(entries), "README.md")
    known = {one.claim.id: one for one in entries}
    single = single_pages(entries)
    hidden = [
        Page(name, name, with_numbers(text, known), f"docs/{name}")
        for name, text in single.items()
        if name.endswith(".md")
    ]
    certificates = [page for page in hidden if page.target.startswith("certificates/")]
    hidden += _figures(drawn, entries, scale)
    finisher = Finisher(
        [home, *(page for pages in sections.values() for page in pages), *certificates],
        {name: one.claim for name, one in known.items()},
        frozenset(item.spec.id for item in drawn),
        frozenset(item.spec.id for item in drawn if item.image),
        facts(entries),
        {},
    )
    for page in (home, *(page for pages in sections.values() for page in pages), *hidden):
        _write(docs / page.target, finisher.finished(page))
    for source, place in finisher.assets.items():
        _copy(source, docs / place)
    for item in drawn:
        if item.image is not None:
            _copy(item.image, docs / "figures" / f"{item.spec.filename}.png")
    for name, text in single.items():
        if name.endswith(".svg"):
            _write(docs / name, text)
    for path in THEME.iterdir():
        _copy(path, docs / "theme" / path.name)
    return [{"Home": "index.md"}, *({name: _listed(pages)} for name, pages in sections.items() if pages)]


def _home(entries: Sequence[ClaimEntry]) -> str:
    """README with its generated part by the evidence given, facts and tallies below its first paragraph."""
    text = readme(entries)
    head, first, rest = re.sub(r"<!-- Written by .*?-->\n*", "", text).split("\n\n", 2)
    kinds = (("Theory", Kind.THEORY), ("experiments", Kind.EXPERIMENT))
    told = "; ".join(f"{name}: {tally(own(entries, kind))}" for name, kind in kinds if own(entries, kind))
    return f"{head}\n\n{first}\n\n<!-- facts -->\n\n{told}.\n\n{rest}"


def _beyond(drawn: Sequence[Drawn]) -> Page:
    specs = [item.spec for item in drawn if item.spec.id.startswith(f"{BEYOND.key}.")]
    lines = [f"# {BEYOND.title}", ""]
    for spec in specs:
        lines += [f"## {spec.number}", "", f"<!-- figure {spec.id} -->", "", spec.caption, ""]
    return Page(f"papers/{BEYOND.key}.md", "Beyond the papers", "\n".join(lines))


def _tables(target: str, title: str, tables: Sequence[Any]) -> Page:
    lines = [f"# {title}", ""]
    for one in tables:
        lines += [f"## {one.title}", "", *table(one), ""]
    return Page(target, title, "\n".join(lines))


def _figures(drawn: Sequence[Drawn], entries: Sequence[ClaimEntry], scale: str) -> list[Page]:
    specs = [item.spec for item in drawn]
    return [
        Page(figure_place(item.spec.id), item.spec.id, figure_page(item, scale, readings_of(item.spec, entries, specs)))
        for item in drawn
    ]


def _listed(pages: Sequence[Page]) -> list[Any]:
    """The navigation of a section: the pages of a folder below it stand together under the name of their first page."""
    listed: list[Any] = []
    groups: dict[str, list[Any]] = {}
    for page in pages:
        folder = page.target.rpartition("/")[0]
        entry: Mapping[str, str] | str = {page.title: page.target}
        if page.target.endswith("/index.md"):
            groups[folder] = [page.target]
            listed.append({page.title: groups[folder]})
        elif folder in groups:
            groups[folder].append(entry)
        else:
            listed.append(entry)
    return listed


def _replace(made: Path, site: Path) -> None:
    """Replaces the pages in a folder by the new ones; the article stays."""
    site.mkdir(parents=True, exist_ok=True)
    for path in site.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.suffix != ".pdf":
            path.unlink()
    shutil.copytree(made, site, dirs_exist_ok=True)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(source: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, path)
