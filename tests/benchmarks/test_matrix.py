"""The matrix names the lines that it cannot run, and its page lists the lines that ran."""

import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.matrix import __main__ as matrix
from benchmarks.matrix.lines import LINES, PYTHONS, Line, interpreter

HERE = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}


def test_every_supported_python_is_a_line() -> None:
    assert [line.python for line in LINES if line.python] == list(PYTHONS)
    text = (Path(matrix.ROOT) / "pyproject.toml").read_text()
    assert all(f"Python :: {version}" in text for version in PYTHONS)


def test_obstacles_are_told() -> None:
    assert interpreter(next(iter(HERE)), HERE) == sys.executable
    assert Line("a", python="9.9").obstacle({}) == "no Python 9.9 on this machine"
    assert "no-such-program" in Line("a", needs=("no-such-program",)).obstacle(HERE)


def test_what_cannot_be_run_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(matrix, "LINES", (Line("old", python="9.9"), Line("other", python="9.9")))
    monkeypatch.setattr(matrix, "RECORD", tmp_path / "matrix.json")
    monkeypatch.setattr(matrix, "DOCUMENT", tmp_path / "matrix.md")
    assert matrix.main(["--only", "old", "--write"]) == 0
    assert matrix.main(["--only", "other", "--write"]) == 0
    assert matrix.DOCUMENT.read_text().count("not run: no Python 9.9 on this machine") == 2
    assert matrix.main(["--only", "none of these"]) == 2
    assert "no line is called" in capsys.readouterr().err


def test_the_page_has_the_lines_in_their_order() -> None:
    entry: dict[str, Any] = {"line": "Python 3.12", "python": "3.12.1", "tests": "tests", "date": "d", "commit": "c"}
    more = {"outcome": "passed: 3 passed", "install_seconds": 60, "test_seconds": 9}
    text = matrix.page({"Python 3.12": {**entry, **more}})
    assert "| Python 3.12 | 3.12.1 | tests | passed: 3 passed | 60 | 9 | d, c |" in text


@pytest.mark.skipif(not matrix.RECORD.is_file(), reason="nothing has been recorded")
def test_the_committed_page_shows_what_was_recorded() -> None:
    assert matrix.DOCUMENT.read_text() == matrix.page(matrix.json.loads(matrix.RECORD.read_text()))
