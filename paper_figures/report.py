"""The report page, one self-contained file: claims, figures with comparisons, constants, assumptions, run times."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from experiments.engine.files import write_whole
from experiments.groups import GROUPS
from experiments.papers import PAPERS
from paper_figures.audit import audit_tables
from paper_figures.claims import BADGES, VERDICT_MEANINGS, ClaimEntry, ledger_note, places
from paper_figures.constants import constants_tables
from paper_figures.deviations import deviations
from paper_figures.draw import Drawn
from paper_figures.figure import FigureSpec
from paper_figures.first_screen import READING, cards, foundations, tallies
from paper_figures.images import embedded, thumbnail
from paper_figures.mathml import with_mathematics
from paper_figures.page_claims import filters, shown_claim
from paper_figures.page_figures import shown_figure
from paper_figures.runtime import machines, studies_table

TEMPLATES = Path(__file__).with_name("templates")
NEEDLESS = re.compile(
    r"</t[dh]>(?=\s*(?:<t[dh][ >]|</tr>))|</tr>(?=\s*(?:<tr[ >]|</tbody>|</thead>|</table>))"
    r"|</dt>(?=\s*<d[dt][ >])|</dd>(?=\s*(?:<d[dt][ >]|</dl>))|</li>(?=\s*(?:<li[ >]|</[ou]l>))"
)
"""The end tags of cells, rows, terms, their descriptions and items before the next of their kind or before the end of
what they are in."""


def write_report(drawn: Sequence[Drawn], claims: Sequence[ClaimEntry], scale: str, results: Path, path: Path) -> Path:
    """Write the page to `path` (its folder is made). Raises `OSError` where it cannot be written."""
    return write_whole(path, light(render(drawn, claims, scale, results)).encode())


def light(page: str) -> str:
    """The page without end tags, of tables and lists, that HTML lets one leave out: a thirtieth of its size."""
    return NEEDLESS.sub("", page)


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
    environment.filters["mathematics"] = with_mathematics
    groups = [group for group in GROUPS if any(item.spec.id.split(".")[0] == group.key for item in drawn)]
    shown = {entry.claim.paper for entry in claims} | {group.letter for group in groups}
    papers = [paper for paper in PAPERS if paper.letter in shown]
    by_study: dict[str, list[FigureSpec]] = {}
    for item in drawn:
        by_study.setdefault(item.spec.study, []).append(item.spec)
    with ThreadPoolExecutor(1) as pool:  # pictures are encoded meanwhile, and found ready below
        for item in drawn:
            if item.image is not None:
                pool.submit(embedded, item.image)
                pool.submit(thumbnail, item.image)
        audit = [table for paper in papers for table in audit_tables(paper)]
    return environment.get_template("report.html.j2").render(
        scale=scale,
        papers=papers,
        beyond=[group for group in groups if group not in PAPERS],
        cards=cards(claims),
        reading=READING,
        tallies=tallies(claims),
        signs={name: sign for name, (sign, _) in BADGES.items()},
        foundations=foundations(claims) if claims else "",
        filters=filters(claims),
        figures=[shown_figure(item, scale, claims) for item in drawn],
        claims=[shown_claim(entry, claims, by_study) for entry in claims],
        meanings={
            str(kind): [(BADGES[name][0], name, words) for name, words in of.items()]
            for kind, of in VERDICT_MEANINGS.items()
        },
        claim_places=places(claims),
        ledger_note=ledger_note(),
        constants=[table for paper in papers for table in constants_tables(paper)],
        audit=audit,
        studies=studies_table(scale, results),
        deviations=[deviations(paper) for paper in papers],
        machines=list(dict.fromkeys(name for item in drawn if item.data for name in machines(item.data))),
    )


def _code(text: str) -> Markup:
    """Text with `...` set as code, everything else escaped."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))
