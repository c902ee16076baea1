"""A log of a run that survives whatever ends the run: Ctrl-C, ``kill -9``, a power failure.

The log has one line of JSON for each evaluation, after a first line with the identity of the run. A line is on the disk
(``fsync``) before the next evaluation starts. Besides the point and the observation, a line holds the policy's state
after its latest proposal, which alone determines the next proposal: a run that continues from its log makes the
proposals that the killed run would have made. Evaluations that were running at the kill are not in the log, and are
made again.

A killed process leaves a last line without an end, which is dropped. Any other line that cannot be read, or a first
line of another run, is refused with an error that says what differs.
"""

import fcntl
import json
import os
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core.environment import owned
from core.optimizer.checkpoint import arrays_of_state, difference, digest, state_of
from core.optimizer.optimizer import Optimizer
from core.optimizer.record import Progress, Record
from core.policies import Policy

__all__ = ["RunLog", "initial_size_of"]

FORMAT, VERSION = "kernelbo.log", 1


class RunLog:
    """A log that is open for adding to; see the module's docstring."""

    def __init__(self, file: BinaryIO, end: int, count: int) -> None:
        self._file = file
        # the length of the whole lines and their evaluations, given ones included: both change at once
        self._whole = (end, count)

    @staticmethod
    @owned
    def open(path: str | PathLike[str], optimizer: Optimizer) -> "RunLog":
        """Open the log of a run: begin a new log, or bring the optimizer to the end of the present one.

        Raises:
            OSError: a file that cannot be opened or written.
            ValueError: a file that is no log, or the log of another run; a line that cannot be read.
        """
        if not str(path):
            raise ValueError("log names no file")
        path = Path(path)
        first = {
            "format": FORMAT,
            "version": VERSION,
            "given": digest(optimizer.progress.history),
            **optimizer.settings.identity(),
        }
        file = _locked(path)
        try:
            return RunLog._opened(file, path, first, optimizer)
        except BaseException:
            file.close()
            raise

    @staticmethod
    def _opened(file: BinaryIO, path: Path, first: dict[str, Any], optimizer: Optimizer) -> "RunLog":
        content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if content and not whole and not _begins(content):
            raise ValueError(f"{path} is no log of a run")
        if whole:
            _resume(path, whole.decode("utf-8", "replace").splitlines(), first, optimizer)
        log = RunLog(file, len(whole), len(optimizer.progress.history))
        if not whole:
            log._write(first, log._whole[1])
            _make_durable(path.parent)
        return log

    def add(self, optimizer: Optimizer) -> None:
        """Add the evaluations told since; on return they are on the disk."""
        while self._whole[1] < len(optimizer.progress.history):
            self._write(_line(optimizer.progress, self._whole[1]), self._whole[1] + 1)

    def __enter__(self) -> "RunLog":
        """Itself; the file is closed at the end of the block."""
        return self

    def __exit__(self, *stopped: object) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, line: dict[str, Any], count: int) -> None:
        self._file.seek(self._whole[0])  # overwrites the rest of an interrupted write
        self._file.truncate()
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._whole = self._file.tell(), count


def _line(progress: Progress, number: int) -> dict[str, Any]:
    """One evaluation, and the policy's state after its latest proposal."""
    history = progress.history
    line: dict[str, Any] = {"x": history.x[number].tolist()}
    if history.space is not None:
        line["point"] = history.point(history.x[number])
    if number in history.failures:
        line["failure"] = history.failures[number]
    else:
        line["y"] = float(history.y[number])
        if history.noise_variance is not None:
            line["noise_variance"] = float(history.noise_variance[number])
        if history.context is not None:
            line["context"] = history.context[number].tolist()
    if progress.carried is not None:
        line["carried"] = [_packed(kind, leaf) for kind, leaf in arrays_of_state(progress.carried)]
    return line


def initial_size_of(path: str | PathLike[str]) -> int | None:
    """The initial size of a log's run; None where there is no such log."""
    try:
        with open(path, "rb") as file:
            size = json.loads(file.readline())["initial_size"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return size if isinstance(size, int) and size >= 1 else None


def _locked(path: Path) -> BinaryIO:
    """Open the file for this run alone, or make it; another run that writes the file is refused, on this machine or
    another."""
    file = open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")  # noqa: SIM115  closed by close()
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise ValueError(f"{path} is being written by another run that has not ended") from error
    except OSError:
        pass  # a file system without locks
    return file


def _begins(content: bytes) -> bool:
    """Return True where the text may be the beginning of a first line."""
    start = json.dumps({"format": FORMAT}).encode()[:-1]
    return content.startswith(start[: len(content)])


def _resume(path: Path, lines: list[str], first: dict[str, Any], optimizer: Optimizer) -> None:
    """Tell the optimizer the content of the log."""
    try:
        stored = json.loads(lines[0])
        named = stored["format"], stored["version"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is no log of a run") from error
    if named != (FORMAT, VERSION):
        raise ValueError(
            f"{path} is {named[0]} of version {named[1]}; this library reads {FORMAT} of version {VERSION}"
        )
    settings, other = optimizer.settings, difference(stored, first)
    began = replace(settings, policy_name=stored.get("policy_name"), transform=stored.get("transform"))
    if began.transforms != settings.transforms:
        other = other or f"transform was {began.transforms}, and is {settings.transforms}"
    if other is not None:
        raise ValueError(f"{path} is the log of another run: {other}")
    history, carried = optimizer.progress.history, None
    for number, text in enumerate(lines[1:], 2):
        try:
            line = json.loads(text)
            history = _with_line(history, line)
            carried = _unpacked(settings.policy, line["carried"]) if "carried" in line else None
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}, line {number} cannot be read: {error}") from error
    if len(lines) > 1:
        before = optimizer.progress
        optimizer.progress = Progress(history, state=before.state, shown=-1, carried=carried)


def _with_line(history: Record, line: dict[str, Any]) -> Record:
    x = np.asarray(line["x"], float)
    if x.shape != (len(history.bounds),):
        raise ValueError(f"a point of shape {x.shape}")
    if "failure" in line:
        return history.append(x, failure=str(line["failure"]))
    context = np.asarray(line["context"], float) if "context" in line else None
    return history.append(x, float(line["y"]), line.get("noise_variance"), context)


def _packed(kind: str, leaf: np.ndarray) -> list[Any]:
    return [kind, str(leaf.dtype), list(leaf.shape), leaf.ravel().tolist()]


def _unpacked(policy: Policy, leaves: list[Any]) -> Any:
    return state_of(policy, [(kind, np.asarray(data, dtype).reshape(shape)) for kind, dtype, shape, data in leaves])


def _make_durable(folder: Path) -> None:
    """Makes a new file's entry in its folder durable, on systems where folders can be synced."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
