"""Results on disk: one file a cell where they are computed, one archive a study where they are committed.

    <root>/<study id>/<scale>/<problem>-<policy>-<seeds>-<configuration hash>-<code hash>.npz
    <root>/<study id>.zip (`archive.py` beside this module)

A root may hold both. A file appears under its name only when it is whole: a present file is a finished cell, whatever
interrupted the run. A file that cannot be read, or whose content does not fit its name, is never trusted and never
deleted: it is reported and moved aside to `<name>.corrupt-1`, `-2`, ... Equal arrays and metadata give equal bytes.
"""

import dataclasses
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.engine.archive import Archive
from experiments.engine.files import check_writable, write_whole
from experiments.engine.protocol import SCALE, Piece, read
from experiments.engine.registry import STUDIES
from experiments.engine.result_file import UNREADABLE, Result, encode, load
from experiments.engine.scale import SCALES
from experiments.engine.stored import Stored
from experiments.engine.study import Cell, Study
from experiments.engine.task import CellTask, Task

ROOT = Path(__file__).resolve().parents[2] / "results"
LOCAL = Path(os.environ.get("KERNELBO_RESULTS") or ROOT / "local")
"""The folder of this machine's results; the environment variable KERNELBO_RESULTS names another folder."""
REFERENCE = ROOT / "reference"


def local_of(root: Path) -> Path:
    """The folder of this machine's results beside the reference in `root`: `LOCAL` for this checkout's own."""
    return LOCAL if root == ROOT else root / "local"


class StoreError(Exception):
    """The results folder cannot be used."""


def to_stderr(message: str) -> None:
    print(message, file=sys.stderr)


class Store:
    """The results under one root folder.

    Args:
        root: `LOCAL`, `REFERENCE`, or any folder of that layout.
        studies: the studies by id (all registered ones unless told otherwise).
        any_code: accept results of other code versions, and of configurations that the studies no longer list. This
            serves `REFERENCE`, whose files name the commit that made them.
        report: called with a message about every file that is moved aside or passed over.
    """

    def __init__(
        self,
        root: Path | str = LOCAL,
        *,
        studies: Mapping[str, Study] = STUDIES,
        any_code: bool = False,
        report: Callable[[str], None] = to_stderr,
    ) -> None:
        self.root = Path(root)
        self.studies = studies
        self.any_code = any_code
        self.report = report
        self._codes: dict[Cell, str] = {}

    def folder(self, study: str, scale: str) -> Path:
        """The folder of the results of a study at a scale."""
        return self.root / study / scale

    def path(self, cell: Cell) -> Path:
        """The path of the result of a finished cell."""
        return self.folder(cell.study, cell.scale) / f"{_stem(cell)}-{self.code(cell)}.npz"

    def member(self, cell: Cell) -> str:
        """The name of a cell's result in the archive of its study."""
        return f"{cell.scale}/{self.path(cell).stem}"

    def code(self, cell: Cell) -> str:
        """The version of the code that computes this cell (found once, so that one run keeps to one version)."""
        key = dataclasses.replace(cell, seeds=())
        if key not in self._codes:
            self._codes[key] = self.task(cell).version()
        return self._codes[key]

    def task(self, cell: Cell) -> Task:
        """The task by which a worker computes a cell."""
        return CellTask(self.studies[cell.study].module, cell)

    def done(self, cell: Cell) -> bool:
        """True where the result of a cell, by the present code, is stored."""
        return self.path(cell).exists()

    def archive(self, study: str) -> Archive:
        """The archive of the committed results of a study."""
        return Archive(self.root / f"{study}.zip")

    def stored(self, study: str, scale: str) -> list[Stored]:
        """All stored results of a study at a scale, by any version of the code, in the order of their names."""
        archive = self.archive(study)
        try:
            members = archive.names(scale)
        except UNREADABLE as error:
            self.report(f"{archive.path}: not a usable archive ({error}); passed over")
            members = []
        files = sorted(self.folder(study, scale).glob("*.npz"))
        return [*(Stored(path) for path in files), *(Stored(archive.path, name) for name in members)]

    def current(self, study: str, scale: str) -> list[Stored]:
        """The valid results of a study at a scale: the fresh results of its piece of the protocol where all of them are
        stored, the earlier results until then; outside the protocol all stored results."""
        fresh, earlier = self._by_seeds(study, scale)
        piece = self._piece(study, scale)
        if piece is None:
            return fresh
        if not self._whole(piece):
            return earlier
        return fresh if piece.studies[study].look == 1 or self._has_all(study, scale) else []

    def superseded(self, study: str, scale: str) -> list[Stored]:
        """The results of earlier seeds that nothing reads any more, because the piece's fresh results stand."""
        piece = self._piece(study, scale)
        earlier = self._by_seeds(study, scale)[1] if piece and self._whole(piece) else []
        return [one for one in earlier if one.first_seed is not None]

    def _piece(self, study: str, scale: str) -> Piece | None:
        return read().piece(study) if scale == SCALE and study in self.studies else None

    def _by_seeds(self, study: str, scale: str) -> tuple[list[Stored], list[Stored]]:
        """The stored results on fresh seeds, and those on earlier seeds; outside the protocol all are fresh."""
        piece = self._piece(study, scale)
        first = read().first_of(piece) if piece else 0
        stored = self.stored(study, scale)
        fresh = [one for one in stored if one.first_seed is None or one.first_seed >= first]
        return fresh, [one for one in stored if one.first_seed is None or one.first_seed < first]

    def _whole(self, piece: Piece) -> bool:
        """True where every cell of a piece's first look has a result."""
        return all(self._has_all(study, SCALE) for study, plan in piece.studies.items() if plan.look == 1)

    def _has_all(self, study: str, scale: str) -> bool:
        """True where every cell of a study has a stored result, by any version of the code, whatever data are here."""
        wanted = {cell.digest for cell in self.studies[study].every_cell(scale)}
        return wanted <= {one.digest for one in self.stored(study, scale)}

    def everything(self) -> list[Stored]:
        """All stored results, those of removed studies included."""
        folders = {path.parent.parent.name for path in self.root.glob("*/*/*.npz")}
        names = sorted(folders | {path.stem for path in self.root.glob("*.zip")})
        return [one for name in names for scale in SCALES for one in self.stored(name, scale)]

    def of_cell(self, cell: Cell) -> list[Stored]:
        """The stored results of a cell, by any version of the code, the latest first."""
        found = [one for one in self.stored(cell.study, cell.scale) if one.digest == cell.digest]
        return sorted(found, key=lambda one: one.modified, reverse=True)

    def error_path(self, cell: Cell) -> Path:
        """The path of the traceback of a cell's last failure."""
        return self.folder(cell.study, cell.scale) / f"{_stem(cell)}.error.txt"

    def read(self, cell: Cell) -> Result | None:
        """The stored result of a cell, or None. A file that cannot be trusted is reported and moved aside."""
        path = self.path(cell)
        if not path.exists():
            return None
        try:
            result = load(path)
            self._check(result, cell)
            return result
        except UNREADABLE as error:
            moved = move_aside(path)
            self.report(f"{path}: not a usable result ({error}); {f'moved to {moved.name}' if moved else 'now gone'}")
            return None

    def _check(self, result: Result, cell: Cell) -> None:
        """Raises ValueError unless a result belongs to a cell, and to the code that its file names."""
        if result.config != cell.config():
            raise ValueError("it holds another cell's result")
        made_by = result.metadata.get("code")
        if not self.any_code and made_by != self.code(cell):
            raise ValueError(f"it was made by the code {made_by}")

    def write(self, cell: Cell, arrays: Mapping[str, np.ndarray], metadata: Mapping[str, Any]) -> Path:
        """Stores the result of a cell, whole or not at all. Raises StoreError when the folder cannot be written."""
        path = self.path(cell)
        content = encode(cell.config(), arrays, {**metadata, "code": self.code(cell)})
        try:
            write_whole(path, content)
        except OSError as error:
            raise StoreError(f"cannot write results into {path.parent}: {error.strerror or error}") from error
        return path

    def results(self, study: Study | str, scale: str) -> list[Result]:
        """The readable results of a study at a scale, in the order of its cells; files passed over are reported."""
        study_id = study if isinstance(study, str) else study.id
        stored: dict[Stored, Cell | None]
        if self.any_code:
            stored = dict.fromkeys(self.current(study_id, scale))
        else:
            cells = self.studies[study_id].cells(scale)
            stored = {Stored(path): cell for cell in cells if (path := self.path(cell)).exists()}
        found = []
        for one, cell in stored.items():
            try:
                result = one.load(study_id, scale)
                if cell is not None:
                    self._check(result, cell)
                found.append(result)
            except UNREADABLE as error:
                self.report(f"{one}: not a usable result ({error}); passed over")
        return found

    def missing(self, study: Study | str, scale: str) -> list[Cell]:
        """The cells of a study at a scale without a stored result by the present code."""
        study_id = study if isinstance(study, str) else study.id
        here = {path.stem.rpartition("-")[0] for path in self.folder(study_id, scale).glob("*.npz")}
        cells = self.studies[study_id].cells(scale)
        return [cell for cell in cells if _stem(cell) not in here or not self.path(cell).exists()]

    def seconds(self, cell: Cell) -> float | None:
        """The seconds that this configuration once took on an idle machine, by any version of the code; None where no
        result is stored.

        A cell uses one core. On a CPU the seconds are its processor time, which other work on the machine does not
        stretch, where this time is shorter; otherwise they are its wall time.
        """
        for one in self.of_cell(cell):
            try:
                metadata = one.metadata()
                wall = float(metadata["wall_seconds"])
                on_cpu = metadata.get("platform", "cpu") == "cpu"
                return min(wall, float(metadata.get("cpu_seconds", wall))) if on_cpu else wall
            except (*UNREADABLE, TypeError):
                continue
        return None

    def check_writable(self) -> None:
        """Raises StoreError unless files can be made under the root folder (made if absent)."""
        try:
            check_writable(self.root)
        except OSError as error:
            raise StoreError(str(error)) from error


def _stem(cell: Cell) -> str:
    """The part of a file's name that the configuration fixes."""
    names = [re.sub(r"[^A-Za-z0-9_.]+", "_", name) for name in (cell.problem, cell.policy) if name]
    seeds = [f"s{cell.seeds[0]}to{cell.seeds[-1]}"] if cell.seeds else []
    return "-".join([*names, *seeds, cell.digest])


def move_aside(path: Path) -> Path | None:
    """Renames a file; None where another run has renamed it at this moment."""
    number = 1
    while (target := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    try:
        return path.rename(target)
    except FileNotFoundError:
        return None
