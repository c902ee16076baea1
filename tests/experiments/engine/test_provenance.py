"""The commit in a result tells whether the code was that of the commit."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from experiments.engine import provenance


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository of two files, code and a committed result, that stands in for this one."""
    for name in ("experiments/engine/provenance.py", "results/reference/boke.fig1/quick/cell.npz"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("as committed")
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    monkeypatch.setattr(provenance, "__file__", str(tmp_path / "experiments/engine/provenance.py"))
    provenance.git_commit.cache_clear()
    yield tmp_path
    provenance.git_commit.cache_clear()


def test_code_that_differs_from_the_commit_is_marked(repository: Path) -> None:
    (repository / "experiments/engine/provenance.py").write_text("edited")
    assert provenance.git_commit().endswith("-dirty")


def test_results_replaced_while_others_run_are_not_code(repository: Path) -> None:
    (repository / "results/reference/boke.fig1/quick/cell.npz").write_text("another")
    (repository / "a_new_file.py").write_text("not tracked")
    head = subprocess.run(["git", "-C", str(repository), "rev-parse", "HEAD"], capture_output=True, text=True)
    assert provenance.git_commit() == head.stdout[:12]


def test_what_is_kept_names_a_commit_that_has_its_code(repository: Path) -> None:
    (repository / "results/reference/boke.fig1/quick/cell.npz").write_text("another")
    assert provenance.committed() == provenance.git_commit()
    (repository / "new.py").write_text("not tracked")
    with pytest.raises(OSError, match="commit it first, then keep"):
        provenance.committed()
    (repository / "new.py").unlink()
    (repository / "experiments/engine/provenance.py").write_text("edited")
    provenance.git_commit.cache_clear()
    with pytest.raises(OSError, match="commit it first, then keep"):
        provenance.committed()


def test_without_git_the_commit_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "__file__", str(tmp_path / "experiments/engine/provenance.py"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    provenance.git_commit.cache_clear()
    assert provenance.git_commit() == "unknown"
    provenance.git_commit.cache_clear()
