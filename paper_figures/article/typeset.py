"""`make article`: draws the figures from committed results and typesets the article by Typst, to the same bytes."""

import json
import re
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import typst

from experiments.engine.files import write_whole
from paper_figures.article.content import content, figure_ids
from paper_figures.claims import load_published
from paper_figures.draw import draw_all
from paper_figures.figure import figures

__all__ = ["citations", "compiled", "typeset"]

PROJECT = Path(__file__).resolve().parents[2]
TEMPLATE = Path(__file__).with_name("article.typ")
TITLE = "Four papers on kernel-based Bayesian optimisation, reproduced and judged claim by claim"
AVAILABILITY = (
    "Code, results, evidence, counterexamples and certificates stand in the repository of kernelbo. `make reproduce` "
    "runs every experiment, check and figure; `python -m theory_checks show ID` prints a claim with its evidence, and "
    "`python -m theory_checks replay ID` evaluates its counterexample; `make certify` verifies the certificates; `make "
    "article` typesets this article. An author who objects to a verdict names the claim and the setting that they "
    "would run: a declaration with that setting is judged on seeds that nobody has seen."
)


def typeset(results: Path, target: Path, workers: int = 1) -> Path:
    """Write the article of the committed results; returns its path.

    The bytes depend on the results, the code and Typst's version alone: no date, no fonts of the system.

    Args:
        results: holds `reference/`.
        target: the PDF.
        workers: processes that draw figures.

    Raises:
        ValueError: results of a figure, or evidence, are missing.
        RuntimeError: Typst cannot compile the template; the message says where.
        OSError: the target cannot be written.
    """
    known, entries = figures(), load_published(results)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        shown = [known[name] for name in figure_ids()]  # without sentences: the article has a table of these
        drawn = draw_all(shown, "quick", results, scratch, local=False, workers=workers)
        told = content(entries, drawn, citations((PROJECT / "CITATION.bib").read_text("utf-8")))
        (pdf,) = compiled(told, scratch)
    return write_whole(target, pdf)


def compiled(told: Mapping[str, Any], folder: Path, form: Literal["pdf", "svg"] = "pdf") -> list[bytes]:
    """The article as one PDF, or as one picture a page ("svg"), made of the content and of the figures in the folder.

    Raises RuntimeError where Typst cannot compile the template.
    """
    (folder / "content.json").write_text(json.dumps(_head() | dict(told), ensure_ascii=False), encoding="utf-8")
    (folder / TEMPLATE.name).write_bytes(TEMPLATE.read_bytes())
    made = typst.compile(folder / TEMPLATE.name, root=folder, ignore_system_fonts=True, format=form, timestamp=0)
    return made if isinstance(made, list) else [made]


def _head() -> dict[str, str]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "title": TITLE,
        "authors": ", ".join(one["name"] for one in project["authors"]),
        "version": project["version"],
        "licence": project["license"],
        "paths": "made from results/reference",
        "availability": AVAILABILITY,
    }


def citations(bibliography: str) -> dict[str, str]:
    """ "Authors (year). Title. Venue, arXiv:number." of every entry of CITATION.bib, by key."""
    found = {}
    for key, body in re.findall(r"@\w+\{(\w+),\n(.*?)\n\}", bibliography, re.DOTALL):
        field = dict(re.findall(r"(\w+)\s*=\s*\{(.*?)\},?\n?$", body, re.MULTILINE))
        names = [" ".join(reversed(one.split(", "))) for one in field["author"].split(" and ")]
        venue = ", ".join(
            filter(None, (field.get("booktitle", ""), field.get("series", ""), f"arXiv:{field.get('eprint', '')}"))
        )
        found[key] = f"{', '.join(names)} ({field['year']}). {field['title']}. {venue}."
    return found
