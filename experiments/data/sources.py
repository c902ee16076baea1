"""The place of a data file: the user's folder, the cache, or the public source; and the message when it is nowhere.

Nothing is downloaded while cells are listed or computed: :func:`present` and :func:`table` look on disk only.
``python -m experiments run`` obtains what its studies need (`experiments.data.studies`), ``python -m experiments.data
fetch`` what it is told. ``KERNELBO_OFFLINE=1`` forbids downloads.
"""

import http.client
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np

from experiments.data.catalogue import DataFile, entry
from experiments.data.formats import (
    UNREADABLE,
    DataCorrupted,
    Table,
    array_digest,
    parse_arrays,
    parse_images,
    parse_table,
    write_arrays,
    write_table,
)
from experiments.engine.files import write_whole
from experiments.engine.source import PROJECT
from experiments.engine.study import all_data

__all__ = [
    "OFFLINE",
    "VARIABLE",
    "DataUnavailable",
    "arrays",
    "available",
    "cache_folder",
    "how_to_get",
    "locate",
    "obtain",
    "present",
    "table",
]

VARIABLE = "KERNELBO_DATA"
OFFLINE = "KERNELBO_OFFLINE"
OPENML = "https://api.openml.org/api/v1/json/data"
TIMEOUT_SECONDS = 20.0


class DataUnavailable(FileNotFoundError):
    """A data file that is neither in the user's folder nor in the cache, and could not be downloaded."""


def cache_folder(kind: str = "data") -> Path:
    """The folder of downloads, in the layout of the user's folder (and other kinds). ``KERNELBO_CACHE`` moves it."""
    return Path(os.environ.get("KERNELBO_CACHE") or PROJECT / ".cache") / kind


def present(name: str) -> Path | None:
    """The file on this machine, the user's folder before the cache; None where there is none. Not read, not checked."""
    folder = os.environ.get(VARIABLE, "")
    candidates = [Path(folder).expanduser() / entry(name).name] if folder else []
    return next((path for path in (*candidates, cache_folder() / name) if path.is_file()), None)


def available(name: str) -> bool:
    """True where the file is on this machine, or cells are listed as on a machine with all data."""
    return all_data.get() or present(name) is not None


def how_to_get(name: str) -> str:
    """A sentence on a file, its source and the way to get it."""
    file = entry(name)
    folder = f"set {VARIABLE} to a folder that holds it"
    command = f"`python -m experiments.data fetch {name}`, or {folder}" if file.urls else folder
    return f"{name} is missing ({file.content}; source: {file.source}): {command}"


def locate(name: str) -> Path:
    """The file, its content checked.

    Raises:
        KeyError: not in the catalogue.
        DataUnavailable: not on this machine; the message says where it comes from and how to get it.
        DataCorrupted: there, but not what the catalogue says.
    """
    path = present(name)
    if path is None:
        raise DataUnavailable(how_to_get(name))
    _read(name, path, path.stat().st_mtime_ns)
    return path


def table(name: str) -> Table:
    """A table of the catalogue; raises as :func:`locate`."""
    path = locate(name)
    content = _read(name, path, path.stat().st_mtime_ns)
    if not isinstance(content, Table):
        raise TypeError(f"{name} holds arrays, not a table")
    return content


def arrays(name: str) -> dict[str, np.ndarray]:
    """The arrays of a .npz file of the catalogue; raises as :func:`locate`."""
    path = locate(name)
    content = _read(name, path, path.stat().st_mtime_ns)
    if isinstance(content, Table):
        raise TypeError(f"{name} holds a table, not arrays")
    return dict(content)


@lru_cache(maxsize=16)
def _read(name: str, path: Path, modified: int) -> Table | dict[str, np.ndarray]:
    """The content of a file, checked once a process (`modified` keys the cache)."""
    return _checked(entry(name), [path.read_bytes()], str(path))


def _checked(file: DataFile, contents: list[bytes], where: str) -> Table | dict[str, np.ndarray]:
    """The content of the bytes. Raises DataCorrupted unless it is the catalogue's."""
    remedy = f"put the right file there, or remove it. {file.name}: {file.content}; source: {file.source}"
    try:
        if file.is_table:
            found: Table | dict[str, np.ndarray] = parse_table(contents[0], file.columns)
        else:
            found = parse_images(*contents) if len(contents) == 2 else parse_arrays(contents[0])
    except UNREADABLE as error:
        raise DataCorrupted(f"{where} cannot be read ({error}): {remedy}") from error
    digest = found.digest if isinstance(found, Table) else array_digest(found)
    if digest != file.digest:
        size = (
            f"{len(found.target)} rows" if isinstance(found, Table) else f"{sum(map(np.size, found.values()))} numbers"
        )
        reason = f"checksum of its content ({size}) is {digest[:12]}…, expected {file.digest[:12]}…"
        raise DataCorrupted(f"{where} is partial or altered ({reason}): {remedy}")
    return found


def obtain(names: Iterable[str], report: Callable[[str], None] = lambda message: None) -> list[str]:
    """Downloads the files that are not on this machine into the cache; returns the names that are still missing.

    Every file that stays missing is reported in a sentence that says why and what to do. After a file none of whose
    addresses could be reached, no further download is tried.
    """
    missing, refused = [], "downloads are switched off" if os.environ.get(OFFLINE) else ""
    for name in dict.fromkeys(names):
        if present(name) is not None:
            continue
        file = entry(name)
        reasons = [refused] if refused else []
        unreachable = 0
        for url in () if refused else file.urls:
            try:
                _download(file, url)
            except DataCorrupted as error:
                reasons.append(str(error))
            except (OSError, ValueError, KeyError, http.client.HTTPException) as error:
                reasons.append(f"{url}: {error}")
                unreachable += isinstance(error, urllib.error.URLError) and not isinstance(
                    error, urllib.error.HTTPError
                )
            else:
                report(f"{name}: downloaded from {url} into {cache_folder()}")
                break
        else:
            missing.append(name)
            report(f"skipped: data: {how_to_get(name)} [{'; '.join(reasons) or 'it has no public address'}]")
            if unreachable and unreachable == len(file.urls):
                refused = "no network"
    return missing


def _download(file: DataFile, url: str) -> None:
    """Fetches, checks, and only then stores, in the canonical form, whole or not at all."""
    contents = [_fetch(address) for address in url.split()]
    found = _checked(file, contents, f"what {url} gave")
    path = cache_folder() / file.name
    write_whole(path, write_table(found) if isinstance(found, Table) else write_arrays(found))


def _fetch(url: str) -> bytes:
    """The bytes at an address; "openml:54" is looked up first."""
    scheme, _, number = url.partition(":")
    if scheme == "openml":
        url = json.loads(_fetch(f"{OPENML}/{number}"))["data_set_description"]["url"]
    request = urllib.request.Request(url, headers={"User-Agent": "kernelbo"})
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
        content: bytes = answer.read()
    return content
