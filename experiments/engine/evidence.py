"""Evidence on claims on disk: one JSON file a claim where it is computed, one a paper and scale where it is committed.

    <root>/claims/<scale>/<claim id>.json
    <root>/claims/<paper>.<scale>.json

A committed file has a line for each field and each number, so that a difference shows the change. Under "made by" it
lists once the commits, versions and machines of several entries.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from experiments.engine.files import write_whole

__all__ = ["claims", "keep", "kept_path", "path_of", "raw", "source"]

PROVENANCE, MAKERS = "provenance", "made by"
MADE_BY = ("commit", "versions", "machine", "platform", "xla_flags")
"""The fields of the provenance of an entry."""


def path_of(claim: str, scale: str, root: Path) -> Path:
    """The place of the computed evidence on one claim under a results root."""
    return root / "claims" / scale / f"{claim}.json"


def kept_path(claim: str, scale: str, root: Path) -> Path:
    """The place of the committed evidence on the claims of a claim's paper."""
    return root / "claims" / f"{claim.partition('.')[0]}.{scale}.json"


def source(claim: str, scale: str, root: Path) -> Path:
    """The file that :func:`raw` reads."""
    own = path_of(claim, scale, root)
    return own if own.is_file() else kept_path(claim, scale, root)


def claims(root: Path, scale: str) -> list[str]:
    """The claims with evidence of a scale under a results root."""
    own = {path.stem for path in (root / "claims" / scale).glob("*.json")}
    return sorted(own.union(*(_kept(path) for path in (root / "claims").glob(f"*.{scale}.json"))))


def raw(claim: str, scale: str, root: Path) -> Any:
    """The evidence as it is stored; None without evidence. Raises OSError or ValueError for a damaged file."""
    own = path_of(claim, scale, root)
    if own.exists():
        return json.loads(own.read_text(encoding="utf-8"))
    path = kept_path(claim, scale, root)
    found = _kept(path).get(claim) if path.is_file() else None
    return found if found is None else dict(found)


def keep(entries: Iterable[Mapping[str, Any]], scale: str, root: Path) -> None:
    """Puts entries into the committed files of their papers; an entry replaces the older one on the same claim."""
    by_path: dict[Path, dict[str, Any]] = {}
    for entry in entries:
        path = kept_path(entry["id"], scale, root)
        by_path.setdefault(path, dict(_kept(path)) if path.is_file() else {})[entry["id"]] = entry
    for path, known in by_path.items():
        makers = {_digest(entry[PROVENANCE]): entry[PROVENANCE] for entry in known.values()}
        short = {name: {**entry, PROVENANCE: _digest(entry[PROVENANCE])} for name, entry in known.items()}
        write_whole(path, (_lines({MAKERS: makers, **short}, 3) + "\n").encode())


def _digest(maker: Any) -> str:
    return hashlib.sha256(json.dumps(maker, sort_keys=True).encode()).hexdigest()[:10]


def _lines(value: Any, depth: int, indent: str = "") -> str:
    """JSON with a line for each key of mappings down to a depth."""
    if depth == 0 or not isinstance(value, Mapping) or not value:
        return json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":"))
    inner = indent + " "
    rows = [f"{inner}{json.dumps(key)}: {_lines(value[key], depth - 1, inner)}" for key in sorted(value)]
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


def _kept(path: Path) -> Mapping[str, Any]:
    status = path.stat()
    return _read(path, status.st_mtime_ns, status.st_ino)


@lru_cache(maxsize=32)
def _read(path: Path, modified: int, inode: int) -> Mapping[str, Any]:
    """The entries of a committed file; `modified` and `inode` key the cache, because the file is replaced
    as a whole."""
    found = json.loads(path.read_text(encoding="utf-8"))
    try:
        makers = found.pop(MAKERS)
        return {name: {**entry, PROVENANCE: makers[entry[PROVENANCE]]} for name, entry in found.items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not evidence on claims") from error
