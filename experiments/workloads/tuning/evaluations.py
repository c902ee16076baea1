"""Evaluations on disk: one small file a configuration and fold, shared by methods, seeds, runs and processes.

A file appears under its name only when it is whole; two processes that compute the same evaluation write the same
numbers. A file that a power cut lost, or that cannot be read, is computed again. Failures are not kept: they are tried
again in the next run.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments.engine.files import write_whole

__all__ = ["EvaluationFailed", "Evaluations", "Score"]

FORMAT = 1


class EvaluationFailed(RuntimeError):
    """A model that could not be fitted or scored; the message says what happened with which hyperparameters."""


class Score(NamedTuple):
    """The score of one fold, the CPU seconds that it took when it was computed, and whether it was read from disk."""

    value: float
    seconds: float
    known: bool


class Evaluations:
    """The evaluations below one folder.

    Attributes:
        folder: made when the first one is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, description: Mapping[str, Any]) -> Path:
        """The file of an evaluation: the name is a hash of everything that decides its outcome."""
        canonical = json.dumps({"format": FORMAT, **description}, sort_keys=True, allow_nan=False)
        name = hashlib.sha256(canonical.encode()).hexdigest()[:32]
        return self.folder / name[:2] / f"{name}.json"

    def get(self, description: Mapping[str, Any], compute: Callable[[], float]) -> Score:
        """The stored score of a description, or the score computed now, which is then stored.

        Raises EvaluationFailed where `compute` raises or gives no finite number; nothing is stored then.
        """
        path = self.path(description)
        stored = _read(path)
        if stored is not None:
            return stored
        begin = time.process_time()
        try:
            value = float(compute())
        except Exception as error:
            raise EvaluationFailed(f"{type(error).__name__}: {error}, with {json.dumps(description)}") from error
        if not np.isfinite(value):
            raise EvaluationFailed(f"the score is {value}, with {json.dumps(description)}")
        seconds = time.process_time() - begin
        record = json.dumps({"score": value, "seconds": seconds, **description})
        write_whole(path, record.encode(), durable=False)
        return Score(value, seconds, False)


def _read(path: Path) -> Score | None:
    try:
        record = json.loads(path.read_text())
        value, seconds = float(record["score"]), float(record["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Score(value, seconds, True) if np.isfinite(value) else None
