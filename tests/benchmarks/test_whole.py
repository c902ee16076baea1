"""The benchmark of whole runs: the commands that it runs, its counts, and its page."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.whole import measure as whole
from benchmarks.whole import page
from benchmarks.whole.measure import STAGES, Stage
from tests.benchmarks.runs import as_run

SPIN = "import time; t = time.process_time()\nwhile time.process_time() < t + 0.3: pass"
PARENT = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {SPIN!r}]).returncode)"


def test_the_targets_are_the_ones_announced() -> None:
    assert {stage.name: stage.target for stage in STAGES if stage.target < float("inf")} == {
        "scale smoke": 180.0,
        "tests, less the slow files": 120.0,
        "tests": 480.0,
        "scale quick": 1200.0,
    }


def test_seconds_count_the_processes_of_a_process(tmp_path: Path) -> None:
    spent, status = whole.run(Stage("a", (sys.executable, "-c", PARENT)), tmp_path)
    assert status == 0
    assert 0.3 <= spent.processor < 3.0
    assert spent.wall >= 0.3


def test_a_stage_starts_without_what_another_left_and_says_how_it_ended(tmp_path: Path) -> None:
    left = tmp_path / "results" / "local" / "a.npz"
    left.parent.mkdir(parents=True)
    left.touch()
    script = "import os, sys; print('said'); sys.exit(3 if os.path.exists('results/local') else 4)"
    assert whole.run(Stage("a", (sys.executable, "-c", script)), tmp_path)[1] == 4
    assert (tmp_path / "a.log").read_text() == "said\n"


def test_programs_compiled_here_are_not_lent_to_the_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "/somewhere")
    script = "import os, sys; sys.exit('JAX_COMPILATION_CACHE_DIR' in os.environ)"
    assert whole.run(Stage("a", (sys.executable, "-c", script)), tmp_path)[1] == 0


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("status", [0, 5])
def test_stages_run_in_a_clone_that_stays_where_one_fails(
    status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = tmp_path / "origin"
    for command in (["init", "-q", str(origin)], ["-C", str(origin), "config", "user.name", "a"],
                    ["-C", str(origin), "config", "user.email", "a@b.c"]):  # fmt: skip
        subprocess.run(["git", *command], check=True)
    (origin / "committed").touch()
    subprocess.run(["git", "-C", str(origin), "add", "committed"], check=True)
    subprocess.run(["git", "-C", str(origin), "commit", "-q", "-m", "a"], check=True)
    (origin / "not committed").touch()
    monkeypatch.setattr(whole, "ROOT", origin)
    monkeypatch.setattr(whole.tempfile, "mkdtemp", lambda prefix: str(tmp_path / "made"))
    (tmp_path / "made").mkdir()
    script = f"import os, sys; sys.exit({status} if os.path.exists('committed') else 1)"
    last = "import os, sys; sys.exit(os.path.exists('not committed'))"
    stages = [Stage("first", (sys.executable, "-c", script), 60.0), Stage("last", (sys.executable, "-c", last))]
    found = whole.measure(whole.SETTINGS, lambda words: None, stages)
    assert [row["status"] for row in found["rows"]] == [status, 0]
    assert [(one["name"], one["met"]) for one in found["targets"]] == [("first, wall seconds", True)]
    assert (tmp_path / "made").exists() == bool(status)


def test_the_section_shows_what_was_measured_and_what_was_missed() -> None:
    row = {"stage": "tests", "command": "make test", "status": 0, "wall": 612.0, "processor": 1200.0, "commit": "c"}
    target = {"name": "tests, wall seconds", "target": 480.0, "reached": 612.0, "met": False}
    part: dict[str, Any] = {"settings": whole.SETTINGS.config(), "rows": [row], "targets": [target]}
    text = page.section(as_run(whole=part))
    assert "| tests | `make test` | 15 to 17 min | 10.2 min | 20.0 | 0 | c |" in text
    assert "**no**" in text
