"""Draws figures into a folder, and remembers from which bytes, so that nothing is drawn twice."""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from experiments.engine.command_line import in_words
from experiments.engine.files import write_whole
from paper_figures.figure import FigureSpec
from paper_figures.footer import footer
from paper_figures.load import MissingResults, StudyResults, load
from paper_figures.style import save

MANIFEST = "manifest.json"
_PACKAGE = Path(__file__).resolve().parent
_STATISTICS = _PACKAGE.parent / "experiments" / "engine" / "statistics.py"


@dataclass(frozen=True)
class Drawn:
    """What became of one figure: its data and files, or why there are none."""

    spec: FigureSpec
    data: StudyResults | None
    files: tuple[Path, ...]
    reason: str = ""
    fresh: bool = False
    """Whether it was drawn now (False: the files were up to date)."""

    @property
    def image(self) -> Path | None:
        """The PNG file, None where the figure could not be drawn."""
        return next((path for path in self.files if path.suffix == ".png"), None)


def draw_all(
    specs: Iterable[FigureSpec],
    scale: str,
    results: Path,
    folder: Path,
    progress: Callable[[Drawn], None] = lambda drawn: None,
    *,
    local: bool = True,
) -> list[Drawn]:
    """Draw every figure whose files in `folder` are not up to date; missing studies are reported, not fatal.

    With `local` false from committed results alone.

    Raises `OSError` where the folder cannot be written, `KeyError` where results lack what a figure shows.
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest = _read_manifest(folder)
    loaded: dict[str, StudyResults | MissingResults] = {}
    done = []
    for spec in specs:
        if spec.study not in loaded:
            loaded[spec.study] = _try_load(spec.study, scale, results, local)
        found = loaded[spec.study]
        if isinstance(found, MissingResults):
            drawn = Drawn(spec, None, (), reason=str(found))
        else:
            drawn = _draw_one(spec, found, folder, manifest)
            _write_manifest(folder, manifest)
        progress(drawn)
        done.append(drawn)
    return done


def _try_load(study: str, scale: str, results: Path, local: bool) -> StudyResults | MissingResults:
    try:
        return load(study, scale, results, local=local)
    except KeyError:
        return MissingResults(f"no study {study}")
    except MissingResults as error:
        return error


def _draw_one(spec: FigureSpec, data: StudyResults, folder: Path, manifest: dict[str, str]) -> Drawn:
    key = fingerprint(spec, data)
    files = tuple(folder / f"{spec.filename}.{kind}" for kind in ("png", "pdf"))
    if manifest.get(spec.id) == key and all(path.is_file() for path in files):
        return Drawn(spec, data, files)
    try:
        figure = spec.draw(data)
    except KeyError as error:  # the files are whole and of this study: the code that made them wrote something else
        place = f"results at scale {data.scale} ({data.source})"
        raise KeyError(f"{spec.id} cannot be drawn from its {place}: they lack {in_words(error)}") from error
    footer(figure, spec.provenance(data))
    written = save(figure, folder, spec.filename)
    manifest[spec.id] = key
    return Drawn(spec, data, tuple(written), fresh=True)


def fingerprint(spec: FigureSpec, data: StudyResults) -> str:
    """Hash of all that a figure is made of: results, provenance line, drawing code."""
    digest = hashlib.sha256(f"{spec.id}|{spec.provenance(data)}|{_code()}".encode())
    for result in data.results:
        digest.update(json.dumps(result.config, sort_keys=True).encode())
        for name in sorted(result.arrays):
            array = np.ascontiguousarray(result.arrays[name])
            digest.update(f"{name}{array.dtype}{array.shape}".encode())
            digest.update(array.tobytes())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _code() -> str:
    """Hash of the drawing code: every module and style sheet here, and the statistics they use."""
    digest = hashlib.sha256()
    for path in (*sorted(_PACKAGE.rglob("*.py")), *sorted(_PACKAGE.rglob("*.mplstyle")), _STATISTICS):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _read_manifest(folder: Path) -> dict[str, str]:
    try:
        stored = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}


def _write_manifest(folder: Path, manifest: dict[str, str]) -> None:
    write_whole(folder / MANIFEST, (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode(), durable=False)


def summary(drawn: Sequence[Drawn]) -> str:
    """One line: how many were drawn, how many were up to date, how many have no results."""
    fresh = sum(item.fresh for item in drawn)
    absent = sum(item.data is None for item in drawn)
    kept = len(drawn) - fresh - absent
    parts = [f"{fresh} drawn"] + [f"{kept} up to date"] * (kept > 0) + [f"{absent} without results"] * (absent > 0)
    return "figures: " + ", ".join(parts)
