"""Core-hours of scale paper, all default studies, by today's code on this machine, from a sample of stored cells.

The committed results say what each cell once took, by the code of its day on the machine of its day. Of every study
some cells are drawn with replacement, each with a probability proportional to its stored seconds, and computed anew, as
many at a time as there are cores. The mean of today's seconds over stored ones, times the stored seconds of the study,
is an unbiased estimate of what the study takes now; its standard error is that of a mean.

A cell of more than `SampleSettings.longest` is not drawn, nor is a cell of a study of less than `SampleSettings.least`
in all. Cells not drawn for these reasons are assumed to be as much faster now as the cells drawn, of all
studies, that were stored on the same machine, and count as stored where there are none. Cells that were never computed
count by the estimate of `python -m experiments status`. Neither has an error here. Cells of tuning tasks share
evaluations, and one alone makes those that it would have found: of these studies the estimate is too large. The results
of a cell are compared with the stored ones, within the tolerances of `make verify`. A stopped run continues where it
was.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from benchmarks.settings import Settings
from benchmarks.targets import at_most
from benchmarks.timing import Report
from experiments.data.sources import cache_folder
from experiments.engine.carry import only_cells
from experiments.engine.progress import progress
from experiments.engine.provenance import usable_cores
from experiments.engine.registry import STUDIES
from experiments.engine.runner import Resources, run
from experiments.engine.store import LOCAL, REFERENCE, Store
from experiments.engine.study import Cell, Study, first_blocks
from experiments.engine.verify import verify

__all__ = ["SETTINGS", "TARGET", "SampleSettings", "drawn", "measure", "own_cache"]

TARGET = 24.0
"""The target for the core-hours."""


@dataclass(frozen=True, kw_only=True)
class SampleSettings(Settings):
    """The sample, fixed before any run.

    Attributes:
        scale: the scale of the cells.
        draws: the number of draws of every study.
        seed: the seed of the draws.
        longest: stored seconds of a cell beyond which it is not drawn.
        least: stored seconds of a study below which nothing of it is drawn.
    """

    rounds: int = 1
    scale: str = "paper"
    draws: int = 2
    seed: int = 0
    longest: float = 480.0
    least: float = 1000.0


SETTINGS = SampleSettings()


def drawn(seconds: Mapping[Cell, float], settings: SampleSettings) -> list[Cell]:
    """The cells drawn of a study, one for each draw, given the stored seconds of all."""
    cells = [cell for cell, value in seconds.items() if value <= settings.longest]
    if not cells or sum(seconds.values()) < settings.least:
        return []
    shares = np.array([seconds[cell] for cell in cells])
    rng = np.random.default_rng([settings.seed, *cells[0].study.encode()])
    return [cells[i] for i in rng.choice(len(cells), settings.draws, p=shares / shares.sum())]


def measure(
    settings: SampleSettings,
    report: Report,
    studies: Sequence[Study] | None = None,
    reference: Path = REFERENCE,
    place: Path = LOCAL / "bench" / "paper",
) -> dict[str, Any]:
    """Compute the sample; ``settings``, ``pooled``, ``rows``, ``verified``, ``targets``. OSError where a cell fails.

    A row is a study: core-hours stored, of these undrawn, left, and estimated now with their standard error, and those
    estimated and left of the first block of seeds of every problem and method; ``drawn``: of each draw label, machine,
    stored and present seconds. ``pooled``: machine → ratio. ``verified``: statistics reproduced, and not.
    """
    chosen = [study for study in STUDIES.values() if study.default] if studies is None else list(studies)
    known = {study.id: study for study in chosen}
    stored = Store(reference, studies=known, any_code=True)
    fresh = Store(place, studies=known)
    seconds = {study.id: _stored_seconds(study, settings.scale, stored) for study in chosen}
    sample = {study.id: drawn(seconds[study.id], settings) for study in chosen}
    cells = [cell for drawn_cells in sample.values() for cell in drawn_cells]
    report(f"{len(set(cells))} cells of scale {settings.scale}")
    resources = Resources(workers=usable_cores())
    with own_cache():
        status = run(only_cells(chosen, cells), settings.scale, fresh, stored, resources, Console(stderr=True))
    if status:
        raise OSError("a cell of the sample could not be computed")
    entries = {cell: _entry(cell, stored, fresh) for cell in cells}
    pooled = _ratios_by_machine(list(entries.values()))
    rows = [
        _row(study, settings, seconds[study.id], [entries[cell] for cell in sample[study.id]], pooled, stored, fresh)
        for study in chosen
    ]
    total, first = (
        sum(row[now] + row[left] for row in rows) for now, left in (("now", "left"), ("first", "first_left"))
    )
    return {
        "settings": settings.config(),
        "pooled": pooled,
        "rows": rows,
        "verified": _verified(chosen, cells, settings.scale, fresh, stored),
        "targets": [
            at_most(f"core-hours of scale {settings.scale}", TARGET, total),
            at_most("core-hours of its first blocks of seeds (BLOCKS=1)", TARGET, first),
        ],
    }


@contextmanager
def own_cache() -> Iterator[Path]:
    """A cache folder that holds nothing but the data that were downloaded, for the processes started meanwhile: the
    evaluations of tuning tasks, which all cells share, are made anew.
    """
    before, data = os.environ.get("KERNELBO_CACHE"), cache_folder()
    data.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / data.name).symlink_to(data.resolve())
        os.environ["KERNELBO_CACHE"] = folder
        try:
            yield Path(folder)
        finally:
            if before is None:
                del os.environ["KERNELBO_CACHE"]
            else:
                os.environ["KERNELBO_CACHE"] = before


def _stored_seconds(study: Study, scale: str, stored: Store) -> dict[Cell, float]:
    """CPU seconds of the stored cells."""
    found = {cell: stored.seconds(cell) for cell in study.cells(scale)}
    return {cell: value for cell, value in found.items() if value is not None}


def _verified(
    studies: Sequence[Study], cells: Sequence[Cell], scale: str, fresh: Store, stored: Store
) -> dict[str, Any]:
    """The numbers of statistics of the sample by outcome, and the deviating ones."""
    found = verify(only_cells(studies, cells), scale, fresh, stored, {cell.digest for cell in cells})
    deviating = [one for one in found.findings if one.judgement.word == "deviates"]
    return {
        **{word: found.count(word) for word in ("reproduced", "deviates", "undecided")},
        "which": [f"{one.study} {one.runs}, {one.statistic}" for one in deviating],
    }


def _ratios_by_machine(entries: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The ratio of present seconds to stored ones of the cells drawn, by the processor that they were stored on."""
    sums: dict[str, list[float]] = {}
    for entry in entries:
        both = sums.setdefault(entry["machine"], [0.0, 0.0])
        both[0] += entry["now"]
        both[1] += entry["stored"]
    return {machine: now / before for machine, (now, before) in sums.items()}


def _row(
    study: Study,
    settings: SampleSettings,
    seconds: Mapping[Cell, float],
    entries: list[dict[str, Any]],
    pooled: Mapping[str, float],
    stored: Store,
    fresh: Store,
) -> dict[str, Any]:
    """The study's row, in core-hours."""
    represented = {cell for cell, value in seconds.items() if entries and value <= settings.longest}
    short = sum(seconds[cell] for cell in represented)
    ratios = [entry["now"] / entry["stored"] for entry in entries]
    now = {
        cell: value * (float(np.mean(ratios)) if cell in represented else pooled.get(_machine(stored, cell), 1.0))
        for cell, value in seconds.items()
    }
    first = first_blocks(study, 1)
    return {
        "study": study.id,
        "cells": len(seconds),
        "stored": sum(seconds.values()) / 3600,
        "undrawn": sum(value for cell, value in seconds.items() if cell not in represented) / 3600,
        "now": sum(now.values()) / 3600,
        "error": (short * float(np.std(ratios, ddof=1)) / len(ratios) ** 0.5 if len(ratios) > 1 else 0.0) / 3600,
        "left": progress(study, settings.scale, fresh, stored).seconds / 3600,
        "first": sum(now.get(cell, 0.0) for cell in first.cells(settings.scale)) / 3600,
        "first_left": progress(first, settings.scale, fresh, stored).seconds / 3600,
        "drawn": entries,
    }


def _machine(stored: Store, cell: Cell) -> str:
    """The processor that computed a stored cell."""
    return str(stored.of_cell(cell)[0].metadata()["machine"]["processor"])


def _entry(cell: Cell, stored: Store, fresh: Store) -> dict[str, Any]:
    """The seconds of a drawn cell, stored and present."""
    before, now = stored.seconds(cell), fresh.seconds(cell)
    if before is None or now is None:
        raise OSError(f"{cell.label}: no result")
    return {
        "cell": cell.label,
        "machine": _machine(stored, cell),
        "stored": before,
        "now": now,
    }
