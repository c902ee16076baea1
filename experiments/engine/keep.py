"""Local results become the reference results: all of a study's or none, each read whole before anything is replaced.

What nothing reads is left out (`experiments.engine.slim`).
"""

import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path

from experiments.engine.result_file import encode, load
from experiments.engine.slim import slimmed
from experiments.engine.store import Store, StoreError
from experiments.engine.study import Study

__all__ = ["keep"]


def keep(studies: Sequence[Study], scale: str, store: Store, reference: Store) -> list[Path]:
    """Replaces the reference results of studies at a scale by the local ones; returns their folders.

    A folder of the reference is replaced in one step, so that an interrupted call leaves the old or the new results.

    Raises:
        StoreError: results are missing or, being truncated or of another cell, not usable (they are then reported and
            moved aside); both stores are one folder; the reference cannot be written. Nothing is replaced then.
    """
    if store.root.resolve() == reference.root.resolve():
        raise StoreError(f"{store.root} is the reference already: give another folder of results")
    unusable = [cell for study in studies for cell in study.cells(scale) if store.read(cell) is None]
    incomplete = list(dict.fromkeys(cell.study for cell in unusable))
    if incomplete:
        raise StoreError(f"not complete at scale {scale}: {', '.join(incomplete)}; run them first")
    reference.check_writable()
    return [_replace(study, scale, store, reference) for study in studies]


def _replace(study: Study, scale: str, store: Store, reference: Store) -> Path:
    folder = reference.folder(study.id, scale)
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh, old = (folder.with_name(f".{scale}.{uuid.uuid4().hex}.{what}") for what in ("new", "old"))
    try:
        fresh.mkdir()
        for cell in study.cells(scale):
            result = slimmed(load(store.path(cell)))
            (fresh / store.path(cell).name).write_bytes(encode(result.config, result.arrays, result.metadata))
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
    finally:
        for scratch in (fresh, old):
            shutil.rmtree(scratch, ignore_errors=True)
    return folder
