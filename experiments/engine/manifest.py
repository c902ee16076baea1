"""The list of the committed results: `manifest.tsv`, one line a result, so that a change of an archive can be read.

Columns: study; member, whose name has scale, problem, policy, seeds, configuration and code; SHA-256 of its bytes;
commit that computed it.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from experiments.engine.archive import Archive
from experiments.engine.files import write_whole

__all__ = ["MANIFEST", "manifest", "write_manifest"]

MANIFEST = "manifest.tsv"
COLUMNS = ("study", "member", "sha256", "commit")


def manifest(root: Path) -> str:
    """The lines of all archives in a folder."""
    return "".join("\t".join(row) + "\n" for row in (COLUMNS, *_rows(root)))


def _rows(root: Path) -> Iterator[tuple[str, ...]]:
    for path in sorted(root.glob("*.zip")):
        archive = Archive(path)
        for name in archive.names():
            digest = hashlib.sha256(archive.packed(name)).hexdigest()[:16]
            yield path.stem, name, digest, archive.metadata(name).get("commit", "unknown")


def write_manifest(root: Path) -> Path:
    """Writes the manifest of the archives in a folder."""
    return write_whole(root / MANIFEST, manifest(root).encode())
