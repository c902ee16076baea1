"""Atomic writing of files, removal of the scratch files of killed writers, and a check that a folder can be written."""

import os
import time
import uuid
from pathlib import Path

from experiments.engine.command_line import check_folder

__all__ = ["ABANDONED", "check_writable", "clear_abandoned", "write_whole"]

ABANDONED = 86_400.0
"""The age in seconds of an abandoned scratch file: writing one takes less than a minute."""


def write_whole(path: Path, content: bytes, *, durable: bool = True) -> Path:
    """Writes a file whole or not at all; makes its folder. Returns the path.

    Args:
        path: where the content appears, under this name only when it is whole.
        content: all of it.
        durable: whether it must survive a power cut. Waiting for the disk costs milliseconds: many small files that
            can be computed again do without.

    Raises:
        OSError: the folder cannot be made or written; nothing is left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")  # threads and hosts share process numbers
    try:
        with open(scratch, "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)
    if durable:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return path


def clear_abandoned(folder: Path, age: float = ABANDONED) -> int:
    """Removes the scratch files that writers killed in the midst have left anywhere below a folder.

    Args:
        folder: the folder to search; it need not exist.
        age: seconds since a file was last written. Younger ones may be another process's, at work now.

    Returns:
        The number of files removed.
    """
    removed = 0
    for pattern in (".*.tmp", ".probe-*"):
        for path in folder.rglob(pattern):
            try:
                if not path.is_symlink() and path.is_file() and time.time() - path.stat().st_mtime > age:
                    path.unlink()
                    removed += 1
            except OSError:  # another process was faster, or may do more here than this one
                continue
    return removed


def check_writable(folder: Path) -> None:
    """Raises OSError, with the reason, unless results can be stored in a folder (which is made if absent)."""
    probe = folder / f".probe-{uuid.uuid4().hex}"
    try:
        check_folder(folder)
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise OSError(f"cannot write results into {folder}: {error.strerror or error}") from error
