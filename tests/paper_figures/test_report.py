"""The page, the drawing loop and the command line, on made-up results."""

import dataclasses
import html.parser
import re
import sys
import types
from collections.abc import Mapping
from typing import Any

import pytest

from cli import figures as command
from core.policies import constants
from experiments.engine.store import ROOT
from experiments.papers import BY_LETTER, PAPERS
from paper_figures import audit, draw
from paper_figures.claims import ClaimEntry
from paper_figures.constants import constants_tables
from paper_figures.deviations import deviations
from paper_figures.figure import figures
from paper_figures.load import MissingResults
from paper_figures.report import light, render, write_report
from theory_checks.errata.records import records
from theory_checks.ledger import Claim, Evidence, Verdict


@pytest.fixture
def few(monkeypatch, study_results):
    """Only Figures 1 and 3 have results."""

    def load(study: str, scale: str, results: Any, *, local: bool, shows: Mapping[str, Any]) -> Any:
        assert local
        assert shows == {}
        if study in ("boke.fig1", "boke.fig3"):
            return study_results(study)
        raise MissingResults(f"no results of {study}: run `make experiments SCALE={scale} ONLY={study}`")

    monkeypatch.setattr(draw, "load", load)


def refuted() -> ClaimEntry:
    def check(scale: str) -> Evidence:
        return Evidence(Verdict.SUPPORTED, "")

    claim = Claim(
        "boke.x", "A", "A title", "Theorem 1 [1.1]", "a < b & c", ("h > 0",), "Rule.", check, {"k": 1},
        "False variant.", repairs="boke.y",
    )  # fmt: skip
    stored = {
        "id": "boke.x", "verdict": "refuted", "summary": "At `x = 1`, a > b.", "numbers": {"gap": 0.5},
        "seconds": 2.0, "counterexample": {"x": 1}, "scale": "quick",
    }  # fmt: skip
    return ClaimEntry(claim, stored, "local")


class Structure(html.parser.HTMLParser):
    """Checks that tags are balanced and collects what the page refers to."""

    VOID = frozenset({"meta", "img", "br", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.alternatives: list[str | None] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if tag not in self.VOID:
            self.open.append(tag)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if "href" in values else []
        self.sources += [values["src"] or ""] if "src" in values else []
        if tag == "img":
            self.alternatives.append(values["alt"])

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page(few, tmp_path):
    """Self-contained and well formed; figures, tables, claims and gaps are all there; equal results, equal page."""
    specs = [figures()[name] for name in ("boke.fig1", "boke.fig3", "boke.fig6")]
    drawn = draw.draw_all(specs, "quick", tmp_path, tmp_path / "figures")
    page = render(drawn, [refuted()], "quick", tmp_path)
    assert render(draw.draw_all(specs, "quick", tmp_path, tmp_path / "figures"), [refuted()], "quick", tmp_path) == page
    structure = Structure()
    structure.feed(page)
    assert structure.open == []
    assert len(set(structure.ids)) == len(structure.ids)
    assert [source[:23] for source in structure.sources] == ["data:image/webp;base64,"] * 4
    assert [bool(words) for words in structure.alternatives] == [False, False, True, True]  # the index, then figures
    assert all(link.startswith("#") for link in structure.links)
    assert {"#boke.x", "#claims", "#figures"} <= set(structure.links)
    text = re.sub(r"\s+", " ", page)
    assert '<span aria-hidden="true">✘</span> refuted' in text
    assert "<h4>A · Figure 1</h4>" in text
    assert text.count('loading="lazy"') == 4
    assert "make experiments figures ONLY=boke.fig1 SCALE=" in text
    assert "a &lt; b &amp; c" in text
    assert "At <code>x = 1</code>, a &gt; b." in text
    assert "✘ Not drawn: no results of boke.fig6" in text
    assert "Density exploration against the other designs" in text
    for heading in ("Claims", "Figures", "Constants", "Assumptions", "Deviations", "Run times"):
        assert f"<h2>{heading}</h2>" in text


def test_only_end_tags_that_html_lets_one_leave_out_are_left_out():
    """Those of cells, rows and items before the next or before the end of theirs, see the standard, 13.1.2.4."""
    table = "<table><tr><th>a</th>\n<td>b</td></tr>\n<tr class='x'><td>c</td></tr></table><p>d</td>e</p>"
    assert light(table) == "<table><tr><th>a\n<td>b\n<tr class='x'><td>c</table><p>d</td>e</p>"
    terms = "<dl><dt>a</dt><dd>b</dd><dt>c</dt>\n<dd class='x'>d</dd></dl><ul><li>e</li><li>f</li></ul><p>g</li></p>"
    assert light(terms) == "<dl><dt>a<dd>b<dt>c\n<dd class='x'>d</dl><ul><li>e<li>f</ul><p>g</li></p>"


def test_page_without_anything(tmp_path):
    path = write_report([], [], "smoke", tmp_path, tmp_path / "report" / "index.html")
    assert "No claims are registered" in path.read_text()
    assert [item.name for item in path.parent.iterdir()] == ["index.html"]


def test_figures_are_drawn_once(few, tmp_path, monkeypatch):
    """A second run draws nothing; a lost file or other results draw again; files are the same bytes."""
    specs = [figures()[name] for name in ("boke.fig1", "boke.fig6")]
    first = draw.draw_all(specs, "quick", tmp_path, tmp_path / "figures")
    assert [item.fresh for item in first] == [True, False]
    assert first[1].data is None
    assert draw.summary(first) == "figures: 1 drawn, 1 without results"
    before = first[0].image.read_bytes()
    again = draw.draw_all(specs, "quick", tmp_path, tmp_path / "figures")
    assert draw.summary(again) == "figures: 0 drawn, 1 up to date, 1 without results"
    first[0].image.unlink()
    redrawn = draw.draw_all(specs, "quick", tmp_path, tmp_path / "figures")
    assert redrawn[0].fresh
    assert redrawn[0].image.read_bytes() == before
    (tmp_path / "figures" / draw.MANIFEST).write_text("not JSON")
    assert draw.draw_all(specs, "quick", tmp_path, tmp_path / "figures")[0].fresh


def test_fingerprint_sees_the_results(study_results):
    spec, data = figures()["boke.fig1"], study_results("boke.fig1")
    result = data.results[0]
    changed = dataclasses.replace(result, arrays={**result.arrays, "y": result.arrays["y"] + 1e-9})
    assert draw.fingerprint(spec, data) == draw.fingerprint(spec, dataclasses.replace(data))
    assert draw.fingerprint(spec, data) != draw.fingerprint(spec, dataclasses.replace(data, results=(changed,)))
    assert draw.fingerprint(spec, data) != draw.fingerprint(spec, dataclasses.replace(data, source="local"))


def arguments(tmp_path) -> list[str]:
    return [
        "--results", str(tmp_path / "results"), "--figures", str(tmp_path / "figures"),
        "--report", str(tmp_path / "report"),
    ]  # fmt: skip


def test_command_line(few, tmp_path, capsys):
    assert command.main(["draw", "--only", "fig1,fig6", *arguments(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert "boke.fig6: skipped, no results of boke.fig6" in output
    assert (tmp_path / "figures" / "boke_fig1.pdf").is_file()
    assert command.main(["report", "--only", "fig1", *arguments(tmp_path)]) == 0
    assert "<h4>A · Figure 1</h4>" in (tmp_path / "report" / "index.html").read_text()
    assert "# Claims" in (tmp_path / "report" / "CLAIMS.md").read_text()
    assert (tmp_path / "report" / "claims" / "boke.md").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figures", "report"], "nothing else is written"


def test_report_of_one_claim(few, tmp_path, capsys):
    assert command.main(["report", "--only", "thm2_adaptive", *arguments(tmp_path)]) == 0
    page = (tmp_path / "report" / "index.html").read_text()
    assert 'id="boke.thm2_adaptive"' in page
    assert page.count('<details class="claim"') == 1
    assert "<figure" not in page


def test_command_line_without_results(tmp_path, capsys):
    assert command.main(["draw", "--only", "fig1", *arguments(tmp_path)]) == 1
    assert "no results of boke.fig1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (["draw", "--only", "fig66"], r"unknown study, claim, figure or paper 'fig66'.*fig6"),
        (["draw", "--scale", "quik"], r"unknown scale 'quik'.*quick"),
        (["drow"], r"invalid choice: 'drow'"),
    ],
)
def test_bad_input(tmp_path, capsys, bad, message):
    try:
        code = command.main([*bad, *arguments(tmp_path)])
    except SystemExit as error:
        code = int(error.code or 0)
    assert code == 2
    assert re.search(message, capsys.readouterr().err, re.DOTALL)


def test_unwritable_folder(few, tmp_path, capsys):
    (tmp_path / "figures").write_text("a file, not a folder")
    assert command.main(["draw", "--only", "fig1", *arguments(tmp_path)]) == 2
    assert "error:" in capsys.readouterr().err


def test_constants_are_read_from_the_code():
    table = constants_tables(BY_LETTER["A"])[0]
    rows = {row[0]: row for row in table.rows}
    assert float(rows["`BANDWIDTH`"][1]) == constants.BANDWIDTH
    assert all(row[2] for row in table.rows), "every constant explains itself"


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_deviations_are_records(paper):
    """A row a record that is for the report, without Markdown's emphasis."""
    table = deviations(paper)
    shown = [item.subject for item in records(paper) if item.report]
    assert [row[0].lower() for row in table.rows] == [subject.lower() for subject in shown]
    assert all(all(row) for row in table.rows)
    assert not any(re.search(r"(?<!\w)\*\w+\*", cell) for row in table.rows for cell in row)


def test_audit(monkeypatch):
    """Keys become columns; truth values are words, not colours."""
    module = types.ModuleType("theory_checks.audits.boke")
    records = [
        {"kernel": "gaussian", "assumption3": False, "missing": ("compact_support",)},
        {"kernel": "uniform", "assumption3": True},
    ]
    module.table = lambda: records  # type: ignore[attr-defined]
    module.kernel_table = lambda: [{"radius": float("inf")}]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "theory_checks.audits.boke", module)
    table, kernels = audit.audit_tables(BY_LETTER["A"])
    assert table.header == ("Kernel", "Assumption 3", "Missing")
    assert table.rows == (("gaussian", "✘ fails", "compact support"), ("uniform", "✔ holds", ""))
    assert kernels.rows == (("∞",),)
    records.clear()
    assert len(audit.audit_tables(BY_LETTER["A"])) == 1


def test_reference_folder_is_the_default(monkeypatch):
    """`make figures` needs no options."""
    parsed = command.parser().parse_args(["draw"])
    assert parsed.scale == "quick"
    assert parsed.results == ROOT


def test_processes_draw_the_same_bytes(few, tmp_path, monkeypatch):
    """Two studies on two processes, as in this one."""
    specs = [figures()[name] for name in ("boke.fig1", "boke.fig3", "boke.fig6")]
    monkeypatch.setattr(draw, "WORTH_PROCESSES", 2)
    seen: list[str] = []
    apart = draw.draw_all(specs, "quick", tmp_path, tmp_path / "apart", lambda one: seen.append(one.spec.id), workers=2)
    here = draw.draw_all(specs, "quick", tmp_path, tmp_path / "here")
    assert sorted(seen) == [spec.id for spec in specs]
    assert draw.summary(apart) == draw.summary(here) == "figures: 2 drawn, 1 without results"
    for ours, theirs in zip(apart[:2], here[:2], strict=True):
        assert [path.read_bytes() for path in ours.files] == [path.read_bytes() for path in theirs.files]
    again = draw.draw_all(specs, "quick", tmp_path, tmp_path / "apart", workers=2)
    assert draw.summary(again) == "figures: 0 drawn, 2 up to date, 1 without results"
