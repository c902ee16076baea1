"""The committed results of a study: one ZIP archive, each result a member that is read by itself.

    <root>/<study id>.zip: <scale>/<problem>-<policy>-<seeds>-<configuration hash>-<code hash>

A member is a JSON line (configuration, seconds, name, type and shape of each array) and then the bytes of the arrays in
that order, compressed by LZMA; where that is shorter, "planes": the first bytes of all entries of an array, the second
ones, and so on. The archive does not compress its members again. A new member leaves the bytes of the others unchanged,
so that git stores little more than the new member. `made_by.json` says once for all members which commits, versions and
machines made them.
"""

import hashlib
import io
import json
import lzma
import zipfile
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from experiments.engine.files import write_whole
from experiments.engine.result_file import Result

__all__ = ["Archive"]

FORMAT = "kernelbo results 2"
MAKERS = "made_by.json"
SHARED = ("commit", "kept at", "left_out", "machine", "platform", "versions", "xla_flags")
"""The metadata that many results have in common."""
WHOLE, PLANES = "whole", "planes"
CODECS = {
    order: [{"id": lzma.FILTER_LZMA1, "preset": 9, "dict_size": 2**22, "lc": 0, "lp": bits, "pb": bits}]
    for order, bits in ((WHOLE, 2), (PLANES, 0))
}
"""The codecs: LZMA for numbers of four bytes, and for single bytes."""
HEAD = 2**14
"""The number of bytes unpacked at a time in search of the end of the JSON line."""


class Archive:
    """The archive at a path, which need not exist; members have names."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def names(self, scale: str = "") -> list[str]:
        """The members, of one scale or all, in alphabetical order. Raises BadZipFile for a damaged archive."""
        names = _opened(*_version(self.path)).namelist() if self.path.is_file() else []
        return sorted(name for name in names if name != MAKERS and name.startswith(f"{scale}/" if scale else ""))

    def packed(self, name: str) -> bytes:
        """The bytes of a member, whose checksum is verified. Raises KeyError for an unknown name, BadZipFile where the
        archive is damaged."""
        return _read(name, *_version(self.path))

    def load(self, name: str) -> Result:
        """The result of a member. Raises one of `experiments.engine.result_file.UNREADABLE` where it is damaged."""
        line, _, content = _unpacked(self.packed(name)).partition(b"\n")
        record, arrays, start = self._record(name, line), {}, 0
        order = record.pop("order")
        for array, kind, shape in record.pop("arrays"):
            size = np.dtype(kind).itemsize * int(np.prod(shape, dtype=int))
            arrays[array] = _array(content[start : start + size], kind, order).reshape(shape)
            start += size
        if start != len(content):
            raise ValueError(f"{len(content) - start} bytes too many")
        return Result(record.pop("config"), arrays, record)

    def metadata(self, name: str) -> dict[str, Any]:
        """The record of what made a member, configuration included; the arrays stay packed."""
        record = self._record(name, _head(self.packed(name)))
        return {key: value for key, value in record.items() if key not in ("arrays", "order")}

    def _record(self, name: str, line: bytes) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(line)
        record |= self._makers()[record.pop("made by")]
        if record.pop("format", None) != FORMAT:
            raise ValueError(f"it is not in the format {FORMAT!r}")
        config = {"study": self.path.stem, "scale": name.partition("/")[0], **record["config"]}
        return {**record, "config": config}

    def _makers(self) -> dict[str, dict[str, Any]]:
        return dict(_makers(*_version(self.path))) if self.path.is_file() else {}

    def update(self, add: Mapping[str, Result], drop: Collection[str] = ()) -> None:
        """Adds results under their names, which replace members of these names, and drops others; all or nothing. An
        archive that has no result left is removed.

        Raises OSError where the archive cannot be written.
        """
        makers = self._makers()
        members = {name: self.packed(name) for name in self.names() if name not in drop}
        for name, result in add.items():
            if (result.config["study"], result.config["scale"]) != (self.path.stem, name.partition("/")[0]):
                raise ValueError(f"{name} of {self.path} is no place for a result of {result.config['study']}")
            members[name] = _pack(result, makers)
        if not members:
            self.path.unlink(missing_ok=True)
            return
        used = {json.loads(_head(content))["made by"] for content in members.values()}
        listed = {digest: one for digest, one in makers.items() if digest in used}
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name in sorted(members):
                archive.writestr(_entry(name), members[name])
            archive.writestr(_entry(MAKERS), json.dumps(listed, indent=1, sort_keys=True) + "\n")
        write_whole(self.path, buffer.getvalue())


def _entry(name: str) -> zipfile.ZipInfo:
    """An entry without a date, so that equal results are equal archives."""
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.external_attr = 0o644 << 16
    return entry


def _pack(result: Result, makers: dict[str, dict[str, Any]]) -> bytes:
    """The bytes of a member; what made it is added to the makers that are known."""
    maker = {"format": FORMAT, **{name: result.metadata[name] for name in SHARED if name in result.metadata}}
    digest = hashlib.sha256(json.dumps(maker, sort_keys=True).encode()).hexdigest()[:10]
    makers[digest] = maker
    arrays = {name: np.asarray(array) for name, array in sorted(result.arrays.items())}
    if any(array.dtype.hasobject for array in arrays.values()):
        raise ValueError("arrays of Python objects cannot be stored")
    record = {
        **{name: value for name, value in result.metadata.items() if name not in (*SHARED, "format")},
        "made by": digest,
        "config": {name: value for name, value in result.config.items() if name not in ("study", "scale")},
        "arrays": [[name, array.dtype.str, array.shape] for name, array in arrays.items()],
    }
    packed = []
    for order, filters in CODECS.items():
        line = json.dumps({**record, "order": order}, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
        line += b" " * (-len(line) - 1 & 3) + b"\n"  # the arrays begin at a multiple of four bytes
        content = line + b"".join(_bytes(array, order) for array in arrays.values())
        packed.append(lzma.compress(content, format=lzma.FORMAT_ALONE, filters=filters))
    return min(packed, key=len)


def _bytes(array: np.ndarray, order: str) -> bytes:
    if order == WHOLE or not array.nbytes:
        return array.tobytes()
    return np.frombuffer(array.tobytes(), np.uint8).reshape(-1, array.dtype.itemsize).T.tobytes()


def _array(content: bytes, kind: str, order: str) -> np.ndarray:
    """The content that :func:`_bytes` was given, flat."""
    if order == PLANES and content:
        content = np.frombuffer(content, np.uint8).reshape(np.dtype(kind).itemsize, -1).T.tobytes()
    return np.frombuffer(content, kind).copy()


def _unpacked(content: bytes) -> bytes:
    try:
        return lzma.decompress(content, format=lzma.FORMAT_ALONE)
    except lzma.LZMAError as error:
        raise ValueError(f"it is damaged: {error}") from error


def _head(content: bytes) -> bytes:
    """The JSON line of a member."""
    unpacker, found = lzma.LZMADecompressor(lzma.FORMAT_ALONE), b""
    try:
        while b"\n" not in found and not unpacker.eof:
            found += unpacker.decompress(b"" if found else content, HEAD)
    except lzma.LZMAError as error:
        raise ValueError(f"it is damaged: {error}") from error
    return found.partition(b"\n")[0]


def _version(path: Path) -> tuple[Path, tuple[int, ...]]:
    """The key of the caches: an archive is replaced and never changed in place."""
    status = path.stat()
    return path, (status.st_mtime_ns, status.st_ino, status.st_size)


@lru_cache(maxsize=16)
def _opened(path: Path, version: tuple[int, ...]) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise _damaged(path, error) from error


def _read(name: str, path: Path, version: tuple[int, ...]) -> bytes:
    try:
        return _opened(path, version).read(name)
    except zipfile.BadZipFile as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: zipfile.BadZipFile) -> zipfile.BadZipFile:
    return zipfile.BadZipFile(f"{path} is damaged: {error}")


@lru_cache(maxsize=64)
def _makers(path: Path, version: tuple[int, ...]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(_read(MAKERS, path, version))
    return found
