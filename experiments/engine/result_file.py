"""The file of one result: a .npz (numpy reads it) with the arrays and one JSON entry that records their origin.

Equal results are equal bytes.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = "kernelbo result 1"
METADATA = "metadata.json"
# What reading a truncated, foreign or damaged file can raise.
UNREADABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError)


@dataclass(frozen=True)
class Result:
    """A finished cell: its configuration (`Cell.config()`), its arrays by name, and the record of their origin."""

    config: dict[str, Any]
    arrays: dict[str, np.ndarray]
    metadata: dict[str, Any]


def encode(config: Mapping[str, Any], arrays: Mapping[str, np.ndarray], metadata: Mapping[str, Any]) -> bytes:
    """The bytes of a result file: entries in alphabetical order, without dates, so that equal results are equal files.

    Raises ValueError for arrays of Python objects and for metadata that JSON cannot hold.
    """
    record = {"format": FORMAT, "config": dict(config), **metadata}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        _add(archive, METADATA, json.dumps(record, sort_keys=True, indent=1, allow_nan=False).encode())
        for name in sorted(arrays):
            entry = io.BytesIO()
            np.lib.format.write_array(entry, np.asarray(arrays[name], order="C"), allow_pickle=False)
            _add(archive, f"{name}.npy", entry.getvalue())
    return buffer.getvalue()


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)


def load(path: Path) -> Result:
    """Reads a whole result file and verifies every checksum. Raises one of `UNREADABLE` for any other file."""
    with zipfile.ZipFile(path) as archive:
        metadata = _record(archive)
        arrays = {}
        for name in archive.namelist():
            if name.endswith(".npy"):
                arrays[name.removesuffix(".npy")] = np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
    return Result(metadata.pop("config"), arrays, metadata)


def load_metadata(path: Path) -> dict[str, Any]:
    """The JSON entry of a result file alone, configuration included."""
    with zipfile.ZipFile(path) as archive:
        return _record(archive)


def _record(archive: zipfile.ZipFile) -> dict[str, Any]:
    if METADATA not in archive.namelist():
        raise ValueError("it does not say what made it")
    record = json.loads(archive.read(METADATA))
    if not isinstance(record, dict) or record.get("format") != FORMAT or not isinstance(record.get("config"), dict):
        raise ValueError(f"it is not in the format {FORMAT!r}")
    return record
