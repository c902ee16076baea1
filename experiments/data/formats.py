"""The reading of data files, and the checksum of their content.

The same table comes in several wrappings: commas or semicolons, with or without a header, ARFF from OpenML, an archive
from StatLib. So the checksum is that of the content, not of the bytes: all cells in a canonical spelling (numbers as
``repr(float)``, words without quotes), and for arrays their names, types, shapes and bytes.
"""

import csv
import gzip
import hashlib
import io
import tarfile
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

__all__ = [
    "DataCorrupted",
    "Table",
    "array_digest",
    "parse_arrays",
    "parse_images",
    "parse_table",
    "write_arrays",
    "write_table",
]

UNREADABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, tarfile.TarError)


class DataCorrupted(ValueError):
    """A data file that is there but does not hold what the catalogue says: truncated, altered, or another file."""


@dataclass(frozen=True)
class Table:
    """A table whose last column is the target of the prediction.

    Attributes:
        features: shape (n, d).
        target: the last column, n canonical cells.
    """

    features: np.ndarray
    target: tuple[str, ...]

    @property
    def numeric_target(self) -> np.ndarray:
        """The target as numbers; ValueError where it has words."""
        return np.asarray(self.target, dtype=float)

    @property
    def numbers(self) -> np.ndarray:
        """All columns, the target last, shape (n, d + 1); ValueError where the target has words."""
        return np.column_stack([self.features, self.numeric_target])

    @property
    def classes(self) -> np.ndarray:
        """The target as integers 0, 1, ... in the order of the sorted names."""
        return np.unique(np.asarray(self.target), return_inverse=True)[1]

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical cells."""
        text = "".join(
            ",".join((*map(_cell, row), label)) + "\n" for row, label in zip(self.rows, self.target, strict=True)
        )
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def rows(self) -> list[list[float]]:
        """The features, row by row."""
        rows: list[list[float]] = self.features.tolist()
        return rows


def _cell(value: object) -> str:
    """The canonical spelling of a cell."""
    try:
        return repr(float(str(value)) + 0.0)
    except ValueError:
        return str(value).strip().strip("\"'")


def parse_table(content: bytes, columns: int) -> Table:
    """The last `columns` columns of a table: CSV (commas, semicolons, blanks), ARFF, or an archive of one of these.

    A first row of words, or of the column numbers 1, 2, ..., is a header.

    Raises:
        ValueError: no table of that many columns, or features that are not numbers.
    """
    lines = [line.strip() for line in _text(content).splitlines()]
    starts = [index for index, line in enumerate(lines) if line.lower() == "@data"]
    if starts:
        lines = [line for line in lines[starts[0] + 1 :] if not line.startswith("%")]
    lines = [line for line in lines if line]
    if not lines:
        raise ValueError("it is empty")
    delimiter = next((mark for mark in ",;" if mark in lines[0]), " ")
    rows = [list(map(_cell, row)) for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True)]
    if _is_header(rows[0]):
        rows = rows[1:]
    widths = {len(row) for row in rows}
    if len(widths) != 1 or min(widths) < columns:
        raise ValueError(f"expected {columns} columns in every row, got {', '.join(map(str, sorted(widths)))}")
    features = np.array([[float(cell) for cell in row[-columns:-1]] for row in rows])
    return Table(features, tuple(row[-1] for row in rows))


def _is_header(row: Sequence[str]) -> bool:
    try:
        numbers = [float(cell) for cell in row[:-1]]
    except ValueError:
        return True
    return len(numbers) > 2 and numbers == list(range(1, len(numbers) + 1))


def _text(content: bytes) -> str:
    """The text in a file, or in the first `.data` or `.csv` file of a (compressed) tar archive."""
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    if content[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            names = [name for name in archive.getnames() if name.endswith((".data", ".csv"))]
            if not names or (member := archive.extractfile(names[0])) is None:
                raise ValueError(f"an archive without a table: {', '.join(archive.getnames())}")
            content = member.read()
    return content.decode("utf-8")


def write_table(table: Table) -> bytes:
    """The table as canonical CSV, without a header."""
    lines = (",".join((*map(_cell, row), label)) for row, label in zip(table.rows, table.target, strict=True))
    return ("\n".join(lines) + "\n").encode()


def parse_arrays(content: bytes) -> dict[str, np.ndarray]:
    """The arrays of a .npz file; a damaged one raises one of `UNREADABLE`."""
    with np.load(io.BytesIO(content), allow_pickle=False) as data:
        return {name: np.asarray(data[name]) for name in data.files}


def write_arrays(arrays: Mapping[str, np.ndarray]) -> bytes:
    """The arrays as a .npz file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(arrays):
            entry = io.BytesIO()
            np.lib.format.write_array(entry, np.ascontiguousarray(arrays[name]), allow_pickle=False)
            archive.writestr(f"{name}.npy", entry.getvalue())
    return buffer.getvalue()


def parse_images(images: bytes, labels: bytes) -> dict[str, np.ndarray]:
    """Arrays ``x`` (n, pixels) and ``y`` (n,) of two (compressed) IDX files, MNIST's own format."""
    found = []
    for content, dimensions in ((images, 3), (labels, 1)):
        raw = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        if raw[:4] != bytes((0, 0, 8, dimensions)):
            raise ValueError(f"not an IDX file of bytes in {dimensions} dimensions")
        shape = np.frombuffer(raw, ">i4", dimensions, 4)
        found.append(
            np.frombuffer(raw, np.uint8, offset=4 + 4 * dimensions).reshape(shape[0], *([-1] * (dimensions > 1)))
        )
    return {"x": found[0], "y": found[1]}


def array_digest(arrays: Mapping[str, np.ndarray]) -> str:
    """SHA-256 of named arrays."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name}|{array.dtype.str}|{array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
