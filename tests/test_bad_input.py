"""Every command line refuses hostile calls in words, with exit status 2, before any computation."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import benchmarks.__main__ as benchmarks
import cli.experiments as experiments
import cli.figures as paper_figures
import cli.theory as theory_checks
import experiments.data.__main__ as data
from experiments.engine import compare
from experiments.engine.archive import Archive
from experiments.engine.result_file import encode
from experiments.engine.store import Store
from experiments.engine.study import Cell, Study
from paper_figures import draw
from paper_figures.figure import FigureSpec
from paper_figures.load import load

STUDY = Study(
    "experiments.engine.study",  # any module with a source file
    "Toy",
    "A toy.",
    lambda scale: [Cell("line", "p", (seed,)) for seed in (0, 1)],
    lambda cell: {},
)
STUDIES = {STUDY.id: STUDY}

COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "experiments": lambda arguments: experiments.main(arguments, STUDIES),
    "theory_checks": theory_checks.main,
    "paper_figures": paper_figures.main,
    "benchmarks": benchmarks.main,
    "data": data.main,
    "compare": compare.main,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory with hostile entries: a file, links in a circle, a link to nothing."""
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "circle").symlink_to(tmp_path / "circle_back")
    (tmp_path / "circle_back").symlink_to(tmp_path / "circle")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


LONG = "a" * 300
CALLS = [
    ("experiments run --workers -1", "'-1' is not a whole number of at least 0"),
    ("experiments run --workers 1.5", "'1.5' is not a whole number"),
    ("experiments run --workers many", "'many' is not a whole number"),
    ("experiments run --scheduler tcp://host:1", "SCHEDULER needs EXECUTOR=dask"),
    ("experiments run --results file", "cannot write results into file"),
    ("experiments run --results circle", "Too many levels of symbolic links"),
    ("experiments run --results dangling", "dangling is not there"),
    (f"experiments run --results {LONG}", "File name too long"),
    ("experiments run --scale huge", "unknown scale 'huge'"),
    ("experiments list --only ,", "',' names nothing"),
    ("experiments list --results file", "file is not a folder"),
    ("experiments status --results circle", "circle: Too many levels of symbolic links"),
    (f"experiments status --results {LONG}", "File name too long"),
    ("experiments keep --results file/below", "file/below: Not a directory"),
    ("experiments keep --reference file --results empty", "file is not a folder"),
    ("experiments keep --results empty --reference empty", "empty is the reference already"),
    ("theory_checks run --workers -1", "'-1' is not a whole number of at least 0"),
    ("theory_checks run boke.square --json empty --results empty", "empty is a folder, not a file"),
    ("theory_checks run boke.square --json file/x.json --results empty", "cannot write results into file"),
    ("theory_checks run boke.prop1 --results circle", "cannot write results into circle"),
    ("theory_checks list ,", "',' names nothing"),
    ("theory_checks pin --results file", "file is not a folder"),
    ("theory_checks keep --results circle", "circle: Too many levels of symbolic links"),
    ("theory_checks show boke.square --results file", "file is not a folder"),
    ("paper_figures draw --figures file", "file is not a folder"),
    ("paper_figures draw --figures circle", "circle: Too many levels of symbolic links"),
    ("paper_figures draw --figures dangling", "dangling is not there"),
    ("paper_figures draw --results circle", "circle: Too many levels of symbolic links"),
    ("paper_figures report --report file", "file is not a folder"),
    ("paper_figures publish --repository circle", "circle: Too many levels of symbolic links"),
    ("paper_figures publish --results file", "file is not a folder"),
    ("benchmarks --only ,", "unknown benchmark ','"),
    ("benchmarks --rounds -3", "--rounds must be at least 1"),
    ("benchmarks --document --keep", "--document stands alone"),
    ("benchmarks --document --only nonsense", "unknown benchmark 'nonsense'"),
    ("data fetch nonsense", "unknown data file 'nonsense'"),
    ("data list ,", "unknown data file ','"),
    ("compare nothing empty", "nothing is not there"),
    ("compare empty file", "file is not a folder"),
    ("compare empty empty", "empty holds nothing at this scale"),
    ("compare circle empty", "circle: Too many levels of symbolic links"),
]


@pytest.mark.parametrize(("call", "message"), CALLS, ids=[call[:40] for call, _ in CALLS])
def test_refused_in_words(folder: Path, capsys: pytest.CaptureFixture[str], call: str, message: str) -> None:
    program, *arguments = call.split()
    try:
        status = COMMANDS[program](arguments)
    except SystemExit as stopped:  # argparse, with its usage
        status = stopped.code
    said = capsys.readouterr().err
    assert status == 2
    assert message in said
    assert "[Errno" not in said
    assert "Traceback" not in said
    assert list((folder / "empty").iterdir()) in ([], [folder / "empty" / "claims"])


def put(store: Store, cell: Cell, **arrays: float) -> Path:
    return store.write(cell, {name: np.asarray(value) for name, value in arrays.items()}, {"wall_seconds": 1.0})


def keep() -> int:
    return experiments.main(["keep", "--results", "results", "--reference", "reference"], STUDIES)


def test_keep_refuses_what_is_truncated_and_leaves_the_reference(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store("results", studies=STUDIES)
    paths = [put(store, cell, mean=1.0) for cell in STUDY.cells("quick")]
    assert keep() == 0
    kept = folder / "reference"
    before = {path.name: path.read_bytes() for path in kept.iterdir()}
    assert set(before) == {f"{STUDY.id}.zip", "manifest.tsv"}  # and nothing temporary
    assert Archive(kept / f"{STUDY.id}.zip").names("quick") == sorted(f"quick/{path.stem}" for path in paths)
    paths[1].write_bytes(paths[1].read_bytes()[:-40])
    assert keep() == 2
    assert f"not complete at scale quick: {STUDY.id}" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == before


@pytest.mark.parametrize("source", ["local", "reference"])
def test_a_result_of_another_study_is_passed_over(
    folder: Path, capsys: pytest.CaptureFixture[str], source: str
) -> None:
    store = Store(folder / source, studies=STUDIES)
    first, second = (put(store, cell, mean=1.0) for cell in STUDY.cells("quick"))
    stranger = Cell("line", "p", (0,), study="another.study", scale="quick")
    first.write_bytes(encode(stranger.config(), {"median": np.zeros(3)}, {}))
    if source == "local":
        put(Store(folder / "reference", studies=STUDIES), STUDY.cells("quick")[1], mean=2.0)
    data = load(STUDY.id, "quick", folder, STUDIES)
    assert [result.config["seeds"] for result in data.results] == [[1]]
    assert "holds a result of another.study at scale quick" in capsys.readouterr().err
    assert second.exists()


def test_results_that_lack_what_a_figure_shows_are_named(folder: Path) -> None:
    store = Store(folder / "local", studies=STUDIES)
    for cell in STUDY.cells("quick"):
        put(store, cell, median=1.0)
    data = load(STUDY.id, "quick", folder, STUDIES)
    spec = FigureSpec("boke.toy", STUDY.id, "Figure 0", "A toy.", lambda data: data.array("mean"))  # type: ignore
    with pytest.raises(KeyError, match=r"boke\.toy cannot be drawn from its results at scale quick \(local\).*mean"):
        draw._draw_one(spec, data, (), folder / "figures")


def test_a_benchmark_reference_that_is_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmarks, "REFERENCE", folder)
    (folder / "context.json").write_text('{"context": 3}')
    assert benchmarks.main(["--document"]) == 2
    assert "context.json is not a run of the benchmark 'context'" in capsys.readouterr().err
