"""The report page, one self-contained file: claims, figures with comparisons, constants, assumptions, run times."""

import base64
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from experiments.data import skipped
from experiments.engine.files import write_whole
from experiments.engine.registry import STUDIES
from experiments.papers import BY_KEY, PAPERS
from paper_figures.audit import audit_tables
from paper_figures.claims import BADGES, ORIGINS, VERDICT_MEANINGS, ClaimEntry, ledger_note, places, repairs_of
from paper_figures.claims_markdown import flat_numbers
from paper_figures.constants import constants_tables
from paper_figures.deviations import deviations
from paper_figures.draw import Drawn
from paper_figures.runtime import machines, studies_table
from paper_figures.table import seconds

DOTS_PER_INCH = 200  # of the PNG files, as in the style sheet
PAGE_PIXELS_PER_INCH = 146  # a figure of the text width, 7 in, fills the page's column

TEMPLATES = Path(__file__).with_name("templates")


def write_report(drawn: Sequence[Drawn], claims: Sequence[ClaimEntry], scale: str, results: Path, path: Path) -> Path:
    """Write the page to `path` (its folder is made). Raises `OSError` where it cannot be written."""
    return write_whole(path, render(drawn, claims, scale, results).encode())


def render(drawn: Sequence[Drawn], claims: Sequence[ClaimEntry], scale: str, results: Path) -> str:
    """The page as text; equal results give equal text. Constants, assumptions and deviations: of the papers shown."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = _code
    shown = {entry.claim.paper for entry in claims} | {BY_KEY[item.spec.id.split(".")[0]].letter for item in drawn}
    papers = [paper for paper in PAPERS if paper.letter in shown]
    counts = {verdict: sum(entry.verdict == verdict for entry in claims) for verdict in BADGES}
    return environment.get_template("report.html.j2").render(
        scale=scale,
        figures=[_figure(item, scale) for item in drawn],
        claims=[_claim(entry, claims) for entry in claims],
        counts=[(BADGES[name][0], name, count) for name, count in counts.items() if count],
        meanings=[(BADGES[name][0], name, words) for name, words in VERDICT_MEANINGS.items()],
        claim_places=places(claims),
        ledger_note=ledger_note(),
        constants=[table for paper in papers for table in constants_tables(paper)],
        audit=[table for paper in papers for table in audit_tables(paper)],
        studies=studies_table(scale, results),
        deviations=[deviations(paper) for paper in papers],
        machines=list(dict.fromkeys(name for item in drawn if item.data for name in machines(item.data))),
    )


def _code(text: str) -> Markup:
    """Text with `...` set as code, everything else escaped."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _skipped(study: str, scale: str) -> list[str]:
    """What a study leaves out on this machine for want of data."""
    return skipped(STUDIES[study], scale) if study in STUDIES else []


def _figure(item: Drawn, scale: str) -> dict[str, Any]:
    image, width = "", 0
    if item.image is not None:
        content = item.image.read_bytes()
        image = "data:image/png;base64," + base64.b64encode(content).decode()
        pixels = int.from_bytes(content[16:20], "big")  # the PNG header's width
        width = round(pixels / DOTS_PER_INCH * PAGE_PIXELS_PER_INCH)
    return {
        "id": item.spec.id,
        "number": item.spec.number,
        "caption": item.spec.caption,
        "image": image,
        "width": width,
        "reason": item.reason,
        "skipped": [] if item.data and item.data.source == "reference" else _skipped(item.spec.study, scale),
        "tables": list(item.spec.tables(item.data)) if item.data else [],
    }


def _claim(entry: ClaimEntry, claims: Sequence[ClaimEntry]) -> dict[str, Any]:
    stored = entry.stored or {}
    return {
        "id": entry.claim.id,
        "number": entry.claim.number,
        "paper": entry.claim.paper,
        "verdict": entry.verdict,
        "sign": BADGES[entry.verdict][0],
        "summary": entry.summary,
        "severity": entry.cost,
        "whose": ORIGINS[entry.claim.origin][1],
        "statement": entry.claim.statement,
        "hypotheses": entry.claim.hypotheses,
        "rule": entry.claim.rule,
        "amended": entry.claim.amended,
        "control": entry.claim.control_statement,
        "positive": entry.claim.positive_statement,
        "needs": entry.claim.needs,
        "repairs": entry.claim.repairs,
        "repaired_by": [(repair.claim.id, repair.verdict) for repair in repairs_of(claims, entry.claim.id)],
        "numbers": flat_numbers(stored.get("numbers", {})),
        "replay": entry.replay,
        "place": f"{entry.scale}, {entry.source}" if entry.stored else "",
        "seconds": seconds(float(stored["seconds"])) if entry.stored else "",
    }
