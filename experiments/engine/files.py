"""Writing files whole or not at all, and whether a folder can be written."""

import os
import uuid
from pathlib import Path

from experiments.engine.command_line import check_folder

__all__ = ["check_writable", "write_whole"]


def write_whole(path: Path, content: bytes, *, durable: bool = True) -> Path:
    """Writes a file so that it is never seen in part; makes its folder. Returns the path.

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
