"""Files are written whole or not at all."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from experiments.engine.files import ABANDONED, clear_abandoned, write_whole


@pytest.mark.parametrize("durable", [True, False])
def test_folders_are_made_and_nothing_else_is_left(tmp_path: Path, durable: bool):
    path = tmp_path / "a" / "b" / "file"
    assert write_whole(path, b"one", durable=durable) == path
    assert write_whole(path, b"two", durable=durable).read_bytes() == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_an_interrupted_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_threads_that_write_one_file_leave_one_whole(tmp_path: Path):
    path = tmp_path / "file"
    contents = [bytes([65 + i]) * 100_000 for i in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda content: write_whole(path, content, durable=False), contents * 4))
    assert path.read_bytes() in contents
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_folder_that_is_a_file(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"in the way")
    with pytest.raises(OSError, match="file"):
        write_whole(tmp_path / "file" / "inside", b"")


def test_scratch_files_of_killed_writers_are_cleared(tmp_path: Path):
    kept, young, old = tmp_path / "a.npz", tmp_path / ".a.npz.1.tmp", tmp_path / "study" / ".b.npz.2.tmp"
    old.parent.mkdir()
    before = time.time() - 2 * ABANDONED
    for path in (kept, young, old):
        path.touch()
    for path in (kept, old):
        os.utime(path, (before, before))
    assert clear_abandoned(tmp_path) == 1
    assert kept.exists()
    assert young.exists()
    assert not old.exists()
    assert clear_abandoned(tmp_path / "absent") == 0
