"""The drawing loop and the command line, on made-up results; tables of constants, deviations and assumptions."""

import dataclasses
import re
import sys
import types
from collections.abc import Mapping
from typing import Any

import pytest

from cli import figures as command
from experiments.engine.source import PROJECT
from experiments.engine.store import ROOT
from experiments.papers import BY_LETTER, PAPERS
from paper_figures import audit, draw
from paper_figures.deviations import deviations
from paper_figures.figure import figures
from paper_figures.load import MissingResults
from theory_checks.errata.records import records

PACKAGE = PROJECT / "paper_figures"


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
    changed = dataclasses.replace(result, arrays={**result.arrays, "y": result.arrays["y"] + 1e-3})
    assert draw.fingerprint(spec, data) == draw.fingerprint(spec, dataclasses.replace(data))
    assert draw.fingerprint(spec, data) != draw.fingerprint(spec, dataclasses.replace(data, results=(changed,)))
    assert draw.fingerprint(spec, data) != draw.fingerprint(spec, dataclasses.replace(data, source="local"))


def test_a_figure_is_drawn_anew_where_its_measures_change_and_not_for_a_page():
    sources = {path.relative_to(PROJECT).as_posix() for path in draw._sources()}
    drawing = [path for paper in (*(one.key for one in PAPERS), "common") for path in PACKAGE.glob(f"{paper}/*.py")]
    texts = [path.read_text(encoding="utf-8") for path in drawing]
    used = {
        name for text in texts for name in re.findall(r"^from experiments\.measures\.(\w+) import", text, re.MULTILINE)
    }
    assert used
    assert {f"experiments/measures/{name}.py" for name in used} <= sources
    assert {path.relative_to(PROJECT).as_posix() for path in drawing} <= sources
    pages = {f"paper_figures/{name}.py" for name in draw._PAGES}
    assert all((PROJECT / page).is_file() for page in pages)
    assert not pages & sources


def arguments(tmp_path) -> list[str]:
    return ["--results", str(tmp_path / "results"), "--figures", str(tmp_path / "figures")]


def test_command_line(few, tmp_path, capsys):
    assert command.main(["draw", "--only", "fig1,fig6", *arguments(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert "boke.fig6: skipped, no results of boke.fig6" in output
    assert (tmp_path / "figures" / "boke_fig1.pdf").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["figures"], "nothing else is written"


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
