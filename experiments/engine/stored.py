"""One stored result, which a root folder holds as a file or an archive as a member; its name says what it is."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.engine.archive import Archive
from experiments.engine.result_file import Result, load, load_metadata

__all__ = ["Stored"]


@dataclass(frozen=True)
class Stored:
    """A stored result: a file, or a member of an archive."""

    path: Path
    member: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.member}" if self.member else str(self.path)

    def load(self, study: str = "", scale: str = "") -> Result:
        """The whole result, every checksum included.

        Raises one of `UNREADABLE` for any other file, or for a result of another study or scale than its place names.
        """
        result = Archive(self.path).load(self.member) if self.member else load(self.path)
        found = (result.config.get("study"), result.config.get("scale"))
        if study and found != (study, scale):
            raise ValueError(f"it holds a result of {found[0]} at scale {found[1]}")
        return result

    def metadata(self) -> dict[str, Any]:
        """The record of what made the result, configuration included; the arrays are not read."""
        return Archive(self.path).metadata(self.member) if self.member else load_metadata(self.path)

    @property
    def scale(self) -> str:
        """The scale of the result, by its place."""
        return self.member.partition("/")[0] or self.path.parent.name

    @property
    def digest(self) -> str:
        """The digest of the configuration, by the name."""
        return self._name.rpartition("-")[0].rpartition("-")[2]

    @property
    def first_seed(self) -> int | None:
        """The first of the result's seeds, by the name; None for a result without seeds."""
        found = re.search(r"-s(\d+)to\d+-[0-9a-f]+-[0-9a-f]+$", self._name)
        return int(found[1]) if found else None

    @property
    def code(self) -> str:
        """The version of the code in the name."""
        return self._name.rpartition("-")[2]

    @property
    def _name(self) -> str:
        return self.member.rpartition("/")[2] if self.member else self.path.stem

    @property
    def modified(self) -> int:
        """The time at which the file was written, in nanoseconds; 0 for a missing file, or a link without a target."""
        try:
            return self.path.stat().st_mtime_ns
        except OSError:
            return 0
