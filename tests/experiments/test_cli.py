"""The experiments' command line: its lists and its refusals."""

import importlib.util
from dataclasses import replace

import pytest

from cli.experiments import main
from experiments.engine import provenance
from experiments.engine.archive import Archive
from experiments.engine.result_file import Result
from tests.experiments.engine.toy import Toy


def _main(toy: Toy, *arguments: str) -> int:
    folders = ["--results", str(toy.store.root), "--reference", str(toy.folder / "reference")]
    return main([*arguments, *folders], toy.studies)


@pytest.mark.parametrize("command", ["run", "keep"])
def test_a_misspelt_scale(toy: Toy, capsys: pytest.CaptureFixture[str], command: str):
    assert _main(toy, command, "--scale", "quik") == 2
    assert "unknown scale 'quik'; did you mean 'quick'" in capsys.readouterr().err
    assert not toy.store.root.exists()


@pytest.mark.parametrize("command", ["run", "list", "status", "keep"])
def test_a_misspelt_study(toy: Toy, capsys: pytest.CaptureFixture[str], command: str):
    assert _main(toy, command, "--only", "toy.cuont") == 2
    assert "unknown study 'toy.cuont'; did you mean 'toy.count'" in capsys.readouterr().err


def test_an_unwritable_folder_stops_before_computing(toy: Toy):
    (toy.folder / "file").write_text("in the way")
    done = toy.run("run", "--only", "count", results=toy.folder / "file" / "results")
    assert done.returncode == 2
    assert "cannot write results into" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(toy.folder.glob("pid-*")) == []


def test_list_and_status(toy: Toy, capsys: pytest.CaptureFixture[str]):
    assert _main(toy, "list") == 0
    assert "toy.count" in capsys.readouterr().out
    cell = toy.studies["toy.count"].cells("quick")[0]
    toy.store.write(cell, {}, {"wall_seconds": 1.0})
    assert _main(toy, "status", "--only", "count") == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "quick" in line)
    assert [part.strip() for part in line.split("│")[3:6]] == ["4", "1", "0"]


def test_keep_replaces_the_reference(toy: Toy, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    assert _main(toy, "keep", "--only", "count") == 2
    assert "not complete at scale quick: toy.count" in capsys.readouterr().err
    for cell in toy.studies["toy.count"].cells("quick"):
        toy.store.write(cell, {}, {"wall_seconds": 1.0})
    kept = Archive(toy.folder / "reference" / "toy.count.zip")
    kept.update({"quick/line-p9-0123456789-abcdef0123": Result({"study": "toy.count", "scale": "quick"}, {}, {})})
    with monkeypatch.context() as changed:
        changed.setattr(provenance, "git_commit", lambda: "0123456789ab-dirty")
        assert _main(toy, "keep", "--only", "count") == 2
    assert _main(toy, "keep", "--only", "count") == 0
    local = toy.store.folder("toy.count", "quick")
    assert kept.names() == sorted(f"quick/{path.stem}" for path in local.iterdir())
    assert _main(toy, "repack", "--only", "count") == 0
    size = f"{kept.path.stat().st_size:,} bytes"
    assert capsys.readouterr().out.splitlines()[-1] == f"1 archives: {size} before, {size[:-6]} now"


@pytest.mark.parametrize("command", ["keep", "repack"])
def test_a_damaged_archive_is_named_and_left(toy: Toy, capsys: pytest.CaptureFixture[str], command: str):
    for cell in toy.studies["toy.count"].cells("quick"):
        toy.store.write(cell, {}, {"wall_seconds": 1.0})
    assert _main(toy, "keep", "--only", "count") == 0
    path = toy.folder / "reference" / "toy.count.zip"
    half = path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(half)
    assert _main(toy, command, "--only", "count") == 2
    assert f"{path} is damaged" in capsys.readouterr().err
    assert path.read_bytes() == half


def test_keep_without_the_data_of_a_study_would_lose_results(
    toy: Toy, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("KERNELBO_DATA", str(toy.folder))
    monkeypatch.setenv("KERNELBO_CACHE", str(toy.folder))
    study = toy.studies["toy.count"]
    for cell in study.cells("quick"):
        toy.store.write(cell, {}, {"wall_seconds": 1.0})
    monkeypatch.setitem(toy.studies, "toy.count", replace(study, data=("wilt.csv",)))
    assert _main(toy, "keep", "--only", "count") == 2
    assert "results that need wilt.csv would be lost" in capsys.readouterr().err
    assert _main(toy, "keep", "--only", "count", "--partial") == 0


def test_dask_needs_an_address(toy: Toy, capsys: pytest.CaptureFixture[str]):
    assert _main(toy, "run", "--only", "count", "--executor", "dask") == 2
    assert "SCHEDULER=tcp://host:port" in capsys.readouterr().err


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="dask is installed")
def test_dask_needs_its_extra(toy: Toy, capsys: pytest.CaptureFixture[str]):
    assert _main(toy, "run", "--only", "count", "--executor", "dask", "--scheduler", "tcp://nowhere:1") == 2
    assert "needs the extra [cluster]" in capsys.readouterr().err


@pytest.mark.skipif(importlib.util.find_spec("jax_cuda12_plugin") is not None, reason="the CUDA plugin is installed")
def test_a_gpu_needs_its_extra(toy: Toy, capsys: pytest.CaptureFixture[str]):
    assert _main(toy, "run", "--only", "count", "--platform", "gpu") == 2
    assert "needs the extra [gpu]" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["run", "--executor", "slurm"], ["run", "--workers", "two"], ["walk"], []])
def test_other_words_show_the_usage(toy: Toy, capsys: pytest.CaptureFixture[str], arguments: list[str]):
    with pytest.raises(SystemExit) as exit_:
        main(arguments, toy.studies)
    assert exit_.value.code == 2
    assert "usage:" in capsys.readouterr().err
