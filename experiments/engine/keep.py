"""Local results become the reference results, each read whole before anything is replaced.

All results of a study are kept, or none. With `partial` the finished results join the reference's other results, so
that results that take days are kept as they come. Results name the commit of their code: a tree that differs from its
commit keeps nothing. Arrays that nothing reads are left out (the field `keep` of a study); the rest is in single
precision where that is enough (`slim.py` beside this module).
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from experiments.engine.manifest import write_manifest
from experiments.engine.provenance import committed
from experiments.engine.result_file import load
from experiments.engine.scale import SCALES
from experiments.engine.slim import slimmed
from experiments.engine.store import Store, StoreError
from experiments.engine.study import Cell, Study

__all__ = ["finished", "keep", "repack"]


def finished(
    studies: Sequence[Study], scale: str, store: Store, reference: Store, *, partial: bool = False
) -> dict[str, list[Cell]]:
    """The finished cells by study; a study that is not kept has none.

    Raises:
        StoreError: results are missing (all of them, if `partial`), or are truncated or of another cell (they are then
        reported and moved aside); both stores are one folder; the reference cannot be written.
        OSError: the code differs from its commit.
    """
    committed()
    if store.root.resolve() == reference.root.resolve():
        raise StoreError(f"{store.root} is the reference already: give another folder of results")
    found = {study.id: [cell for cell in study.cells(scale) if store.read(cell) is not None] for study in studies}
    least = {study.id: 1 if partial else len(study.cells(scale)) for study in studies}
    short = [study for study, cells in found.items() if len(cells) < least[study]]
    if len(short) == len(studies) or (short and not partial):
        lacking = "nothing is finished" if partial else "not complete"
        raise StoreError(f"{lacking} at scale {scale}: {', '.join(short)}; run them first")
    reference.check_writable()
    return {study: cells for study, cells in found.items() if study not in short}


def keep(
    studies: Sequence[Study], scale: str, store: Store, reference: Store, *, partial: bool = False
) -> dict[Path, int]:
    """Replaces the reference results of studies at a scale by the local ones.

    Args:
        studies: the studies of the results.
        scale: one of `experiments.engine.scale.SCALES`.
        store: the local results.
        reference: the store that takes them.
        partial: keep the finished results; all other results of the reference stay, also those of cells whose data are
            not here.

    Returns:
        The number of results put into each archive.

    An archive is replaced in one step, so that an interrupted call leaves the old or the new results. Raises as
    :func:`finished` does; nothing is replaced then.
    """
    cells = finished(studies, scale, store, reference, partial=partial)
    paths = {
        _put(study, cells[study.id], scale, store, reference, partial): len(cells[study.id])
        for study in studies
        if study.id in cells
    }
    write_manifest(reference.root)
    return paths


def _put(study: Study, finished: Sequence[Cell], scale: str, store: Store, reference: Store, partial: bool) -> Path:
    """Replaces the reference's results of the scale by the finished cells. With `partial` all other results stay; these
    may be of cells that this machine does not know, because their data are missing."""
    archive = reference.archive(study.id)
    digests = {cell.digest for cell in finished}
    old = [one for one in reference.stored(study.id, scale) if one.member and (one.digest in digests or not partial)]
    fresh = {}
    for cell in finished:
        result = slimmed(load(store.path(cell)), study.keep)
        # the commit of the result's code: the result was readable here
        metadata = {**result.metadata, "kept at": committed()}
        fresh[store.member(cell)] = replace(result, metadata=metadata)
    archive.update(fresh, [one.member for one in old])
    return archive.path


def repack(studies: Sequence[Study], reference: Store) -> dict[Path, tuple[int, int]]:
    """Slims and packs the reference results of studies, at all scales, as `keep` would do it today. Results for which
    fresh ones of the protocol stand (`Store.superseded`) leave.

    The other results keep their names and what made them; `git` gets each changed archive whole.

    Returns:
        The bytes of each archive before and after.

    Raises one of `experiments.engine.result_file.UNREADABLE` for a damaged archive or result, whose archive is left as
    it is; OSError where the archive cannot be written.
    """
    found = {}
    for study in studies:
        archive = reference.archive(study.id)
        if not archive.path.is_file():
            continue
        before = archive.path.stat().st_size
        drop = {one.member for scale in SCALES for one in reference.superseded(study.id, scale) if one.member}
        names = [name for name in archive.names() if name not in drop]
        archive.update({name: slimmed(archive.load(name), study.keep) for name in names}, drop)
        found[archive.path] = (before, archive.path.stat().st_size if archive.path.is_file() else 0)
    write_manifest(reference.root)
    return found
