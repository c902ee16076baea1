"""Draws figures into a folder, and stores a hash of their inputs, so that no figure is drawn twice from equal
inputs."""

import hashlib
import json
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from experiments.engine.command_line import in_words
from experiments.engine.files import write_whole
from experiments.engine.pool import start_worker, stop
from paper_figures.figure import FigureSpec, figures
from paper_figures.footer import Sentence, footer, remark
from paper_figures.load import MissingResults, StudyResults, load
from paper_figures.style import save

MANIFEST = "manifest.json"
_PACKAGE = Path(__file__).resolve().parent
_EXPERIMENTS = _PACKAGE.parent / "experiments"
_PAGES = (
    "charitable_page",
    "protocol_page",
    "history_page",
    "claims_markdown",
    "first_screen",
    "first_screen_markdown",
)
"""The modules of this package that write pages and draw nothing; so do the folders `site` and `article`."""
WORTH_PROCESSES = 8
"""The number of figures from which several processes gain more than they take to start: 4 s a figure against 6."""


@dataclass(frozen=True)
class Drawn:
    """The outcome for one figure: its data and files, or the reason why there are none."""

    spec: FigureSpec
    data: StudyResults | None
    files: tuple[Path, ...]
    reason: str = ""
    sentences: tuple[Sentence, ...] = ()
    fresh: bool = False
    """True where the figure was drawn now, False where its files were up to date."""

    @property
    def image(self) -> Path | None:
        """The PNG file; None where the figure could not be drawn."""
        return next((path for path in self.files if path.suffix == ".png"), None)


def draw_all(
    specs: Iterable[FigureSpec],
    scale: str,
    results: Path,
    folder: Path,
    progress: Callable[[Drawn], None] = lambda drawn: None,
    *,
    local: bool = True,
    workers: int = 1,
    sentences: Mapping[str, Sequence[Sentence]] = MappingProxyType({}),
) -> list[Drawn]:
    """Draw every figure whose files in `folder` are not up to date; missing studies are reported, not fatal.

    With `local` false the figures show committed results alone. `workers` processes draw where there is much to draw;
    the files do not depend on their number. `sentences` stand under the panels, by figure
    (`paper_figures.sentences.by_figure`).

    Raises `OSError` where the folder cannot be written, `KeyError` where results lack what a figure shows.
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest = _read_manifest(folder)
    loaded: dict[str, StudyResults | MissingResults] = {}  # by study and by the results shown
    done: dict[str, Drawn] = {}
    stale: dict[str, str] = {}
    specs = list(specs)
    for spec in specs:
        part = f"{spec.study} {sorted(spec.shows.items())}"
        if part not in loaded:
            loaded[part] = _try_load(spec, scale, results, local)
        found = loaded[part]
        if isinstance(found, MissingResults):
            done[spec.id] = Drawn(spec, None, (), reason=str(found))
            progress(done[spec.id])
            continue
        said = tuple(sentences.get(spec.id, ()))
        key, files = fingerprint(spec, found, said), _files(spec, folder)
        done[spec.id] = Drawn(spec, found, files, sentences=said)
        if manifest.get(spec.id) != key or not all(path.is_file() for path in files):
            stale[spec.id] = key
    several = min(workers, len({done[name].spec.study for name in stale})) if len(stale) >= WORTH_PROCESSES else 1
    drawing = _apart([done[name] for name in stale], folder, several) if several > 1 else _here(done, stale, folder)
    for name in drawing:
        done[name] = replace(done[name], fresh=True)
        manifest[name] = stale[name]
        _write_manifest(folder, manifest)
        progress(done[name])
    return [done[spec.id] for spec in specs]


def _here(done: Mapping[str, Drawn], stale: Iterable[str], folder: Path) -> Iterator[str]:
    """Draws in this process; gives the name of each figure that is done."""
    for name in stale:
        data = done[name].data
        assert data is not None
        _draw_one(done[name].spec, data, done[name].sentences, folder)
        yield name


def _apart(stale: Sequence[Drawn], folder: Path, workers: int) -> Iterator[str]:
    """Draws in spawned processes, which look the figures up by name; one process draws all figures of the same data."""
    by_data: dict[int, list[Drawn]] = {}
    for item in stale:
        by_data.setdefault(id(item.data), []).append(item)
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=start_worker)
    finished = False
    try:
        running = [
            pool.submit(_draw_named, {item.spec.id: item.sentences for item in items}, items[0].data, folder)
            for items in sorted(by_data.values(), key=len, reverse=True)
        ]
        for future in as_completed(running):
            yield from future.result()
        finished = True
    finally:
        stop(pool, kill=not finished)


def _draw_named(named: Mapping[str, tuple[Sentence, ...]], data: StudyResults | None, folder: Path) -> Sequence[str]:
    assert data is not None
    for name, sentences in named.items():
        _draw_one(figures()[name], data, sentences, folder)
    return list(named)


def _try_load(spec: FigureSpec, scale: str, results: Path, local: bool) -> StudyResults | MissingResults:
    try:
        return load(spec.study, scale, results, local=local, shows=spec.shows)
    except KeyError:
        return MissingResults(f"no study {spec.study}")
    except MissingResults as error:
        return error


def _files(spec: FigureSpec, folder: Path) -> tuple[Path, ...]:
    return tuple(folder / f"{spec.filename}.{kind}" for kind in ("png", "pdf"))


def _draw_one(spec: FigureSpec, data: StudyResults, sentences: Sequence[Sentence], folder: Path) -> None:
    try:
        figure = spec.draw(data)
    except (
        KeyError
    ) as error:  # the files are whole and belong to this study: the code that made them wrote something else
        place = f"results at scale {data.scale} ({data.source})"
        raise KeyError(f"{spec.id} cannot be drawn from its {place}: they lack {in_words(error)}") from error
    if unequal := data.unequal_seeds(**spec.shows):
        remark(figure, unequal)
    footer(figure, spec.provenance(data), sentences)
    save(figure, folder, spec.filename)


def fingerprint(spec: FigureSpec, data: StudyResults, sentences: Sequence[Sentence] = ()) -> str:
    """Hash of all inputs of a figure: results, provenance line, sentences under the panels, drawing code."""
    digest = hashlib.sha256(f"{spec.id}|{spec.provenance(data)}|{sentences}|{_code()}".encode())
    for result in data.results:
        digest.update(json.dumps(result.config, sort_keys=True).encode())
        for name in sorted(result.arrays):
            array = np.ascontiguousarray(result.arrays[name])
            digest.update(f"{name}{array.dtype}{array.shape}".encode())
            digest.update(array.tobytes())
    return digest.hexdigest()


def _sources() -> list[Path]:
    """The drawing code: every module and style sheet of this package except the pages', and the statistics and measures
    in use."""
    modules = [path for path in _PACKAGE.rglob("*.py") if path.parent.name not in ("site", "article")]
    drawing = [path for path in modules if path.stem not in _PAGES]
    used = [_EXPERIMENTS / "engine" / f"{name}.py" for name in ("statistics", "aggregates", "slim")]
    return sorted([*drawing, *_PACKAGE.rglob("*.mplstyle"), *used, *(_EXPERIMENTS / "measures").glob("*.py")])


@lru_cache(maxsize=1)
def _code() -> str:
    """Hash of the drawing code."""
    digest = hashlib.sha256()
    for path in _sources():
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
    """One line: the numbers of figures that were drawn, that were up to date, and that have no results."""
    fresh = sum(item.fresh for item in drawn)
    absent = sum(item.data is None for item in drawn)
    kept = len(drawn) - fresh - absent
    parts = [f"{fresh} drawn"] + [f"{kept} up to date"] * (kept > 0) + [f"{absent} without results"] * (absent > 0)
    return "figures: " + ", ".join(parts)
