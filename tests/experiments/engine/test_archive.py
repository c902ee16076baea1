"""Archives of committed results return their contents, keep old members beside new ones, and report damage."""

import dataclasses
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest

from experiments.engine.archive import Archive
from experiments.engine.carry import differences
from experiments.engine.files import write_whole
from experiments.engine.manifest import manifest
from experiments.engine.result_file import UNREADABLE, Result
from experiments.engine.slim import Kept, slimmed
from experiments.engine.store import Store
from experiments.engine.stored import Stored
from experiments.engine.study import Cell, Study
from experiments.engine.verify import verify

MADE_BY = {"commit": "abc", "machine": {"cores": 2}, "platform": "cpu", "versions": {"jax": "1"}}


def result(rng: np.random.Generator, number: int = 0) -> Result:
    arrays = {
        "count": np.asarray(7),
        "empty": np.zeros((3, 0)),
        "flags": rng.random((3, 2)) < 0.5,
        "names": np.asarray(["a", "bé"]),
        "not finite": np.asarray([np.nan, np.inf, -0.0]),
        "regret": rng.random((3, 40)),
        "single": rng.random((3, 401, 2)).astype(np.float32),
        "small": np.arange(6, dtype=np.int16).reshape(2, 3).T,
    }
    config = {"study": "toy.study", "problem": "p", "policy": "q", "seeds": [number], "scale": "quick", "options": {}}
    return Result(config, arrays, {**MADE_BY, "code": "0123456789", "wall_seconds": 1.5 + number})


def same(one: Result, other: Result) -> bool:
    return (one.config, one.metadata, set(one.arrays)) == (other.config, other.metadata, set(other.arrays)) and all(
        (array.dtype, array.shape, array.tobytes())
        == (other.arrays[name].dtype, other.arrays[name].shape, other.arrays[name].tobytes())
        for name, array in one.arrays.items()
    )


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "toy.study.zip")


def test_what_is_put_in_comes_out(archive: Archive):
    rng = np.random.default_rng(0)
    smooth = dataclasses.replace(result(rng), arrays={"a": np.cumsum(np.full((2, 4000), 0.1), axis=1)})  # as planes
    put = {"quick/a": result(rng), "quick/b": smooth}
    archive.update(put)
    assert archive.names() == archive.names("quick") == ["quick/a", "quick/b"]
    assert archive.names("paper") == []
    for name, one in put.items():
        assert same(archive.load(name), one)
        assert archive.metadata(name) == {**one.metadata, "config": one.config}
        assert archive.load(name).arrays["a" if name == "quick/b" else "regret"].flags.writeable


def test_members_stay_byte_by_byte_beside_new_ones_and_equal_archives_are_equal(archive: Archive, tmp_path: Path):
    rng = np.random.default_rng(1)
    first, second, third = (result(rng, number) for number in range(3))
    archive.update({"quick/b": first})
    packed = archive.packed("quick/b")
    archive.update({"quick/a": second})
    assert archive.packed("quick/b") == packed
    assert packed in archive.path.read_bytes()
    other = Archive(tmp_path / "other" / "toy.study.zip")
    other.update({"quick/c": third, "quick/b": first, "quick/a": second})
    other.update({}, ["quick/c"])
    assert other.path.read_bytes() == archive.path.read_bytes()
    with zipfile.ZipFile(archive.path) as opened:
        assert opened.testzip() is None


def test_a_cell_more_adds_about_its_size_to_a_repository(archive: Archive):
    def packed_size() -> int:
        git("add", "-A")
        git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "results")
        git("repack", "-a", "-d", "-f", "--quiet", "--window=50")
        return sum(path.stat().st_size for path in (folder / ".git" / "objects" / "pack").glob("*.pack"))

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)

    folder = archive.path.parent
    git("init", "--quiet")
    rng = np.random.default_rng(2)
    archive.update({f"quick/{number:03d}": result(rng, number) for number in range(0, 120, 2)})
    before = packed_size()
    archive.update({"quick/061": result(rng, 61)})
    cell = len(archive.packed("quick/061"))
    assert before > 30 * cell
    assert packed_size() - before < cell + 3000  # the directory of the archive, and git's own objects


def test_damage_is_told(archive: Archive):
    archive.update({"quick/a": result(np.random.default_rng(3))})
    store = Store(archive.path.parent, any_code=True, report=(told := []).append)
    whole = archive.path.read_bytes()
    write_whole(archive.path, whole[:200] + bytes([whole[200] ^ 255]) + whole[201:])
    with pytest.raises(UNREADABLE):
        archive.load("quick/a")
    assert store.results("toy.study", "quick") == []
    write_whole(archive.path, whole[: len(whole) // 2])
    assert store.results("toy.study", "quick") == []
    assert len(told) == 2
    write_whole(archive.path, whole)
    with pytest.raises(ValueError, match="no place for a result of toy.study"):
        archive.update({"paper/a": result(np.random.default_rng(4))})
    with pytest.raises(ValueError, match="Python objects"):
        archive.update({"quick/a": dataclasses.replace(result(np.random.default_rng(5)), arrays={"a": np.array([{}])})})


def test_the_manifest_has_a_line_a_member(archive: Archive):
    archive.update({f"quick/{name}": result(np.random.default_rng(6)) for name in "ba"})
    heads, *lines = manifest(archive.path.parent).splitlines()
    assert heads.split("\t") == ["study", "member", "sha256", "commit"]
    assert [line.split("\t")[:2] for line in lines] == [["toy.study", "quick/a"], ["toy.study", "quick/b"]]
    assert lines[0].endswith("\tabc")


DESIGN = Study(
    "experiments.boke.fig1", "title", "caption", lambda scale: [Cell("p", "q", (0, 1, 2, 3))], lambda cell: {}
)


@pytest.mark.parametrize(("shift", "deviates"), [(0.0, 0), (1e-6, 1)])
def test_a_design_in_single_precision_is_compared_in_single_precision(tmp_path: Path, shift: float, deviates: int):
    """A design of double precision agrees with the same one in single precision; one that is off by 1e-6 does not."""
    studies = {DESIGN.id: DESIGN}
    rng = np.random.default_rng(7)
    (cell,) = DESIGN.cells("quick")
    arrays = {"initial_size": np.asarray(3), "x": rng.random((4, 6, 2)), "regret": rng.standard_normal((4, 6))}
    local, reference = (
        Store(tmp_path / "here", studies=studies),
        Store(tmp_path / "there", any_code=True, studies=studies),
    )
    whole = Result(cell.config(), arrays, {"code": "0123456789", "kept at": "abc"})
    kept = slimmed(whole, Kept())
    assert kept.arrays["x"].dtype == kept.arrays["regret"].dtype == np.float32
    reference.archive(DESIGN.id).update({reference.member(cell): kept})
    shifted = arrays["x"].copy()
    shifted[2, 1, 0] += shift
    local.write(cell, {**arrays, "x": shifted}, {})
    found = verify([DESIGN], "quick", local, reference)
    assert (found.count("deviates"), found.count("undecided"), found.alone) == (deviates, 0, ())
    fresh = Stored(local.path(cell)).load()
    assert len(differences(kept, fresh, False, Kept()).sentences) == deviates
