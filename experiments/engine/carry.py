"""Results carried over a change of the code that does not change them.

A result is known by the code that made it. A change of the code makes local results old, and the next run computes them
again. Where a change alters no result, the present code computes a random sample instead: some cells of every stratum.
A stratum is the results of one study, problem and method by one version of the code. If all of them agree with what is
stored, bit by bit or, where asked for, within the tolerances of `experiments.engine.equivalence`, all results of the
strata get the present code's name, and their metadata get a record (`carried`) of the sample. If one does not agree, no
result is carried. Results by a version whose programs are proven equal to today's (`python -m experiments equivalent`)
are carried without a run.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.engine.archive import Archive
from experiments.engine.equivalence import bitwise, judged, one_sided, statistics_of
from experiments.engine.files import write_whole
from experiments.engine.manifest import write_manifest
from experiments.engine.result_file import UNREADABLE, Result, encode
from experiments.engine.slim import Kept, slimmed
from experiments.engine.standing import equivalent_codes
from experiments.engine.store import Store
from experiments.engine.stored import Stored
from experiments.engine.study import Cell, Study

__all__ = ["Difference", "Old", "carry", "differences", "drawn", "old_results", "only_cells"]


@dataclass(frozen=True)
class Old:
    """A whole result of a cell, in a store, by another version of the code."""

    store: Store
    cell: Cell
    stored: Stored
    result: Result

    @property
    def code(self) -> str:
        """The version of the code that names the result."""
        return self.stored.code

    @property
    def stratum(self) -> tuple[str, ...]:
        """The stratum: store, study, problem, method, version."""
        return str(self.store.root), self.cell.study, self.cell.problem, self.cell.policy, self.code

    @property
    def proven(self) -> bool:
        """True where the programs of its version are proven equal to those of today's."""
        return self.code in equivalent_codes(self.store.code(self.cell))


@dataclass(frozen=True)
class Difference:
    """The differences between a stored result and today's, in words, and the largest deviation."""

    sentences: tuple[str, ...]
    largest: float


def old_results(studies: Sequence[Study], scale: str, store: Store) -> list[Old]:
    """The newest usable result of each cell that a store holds by other code only; other files are reported and left
    alone."""
    found = []
    for study in studies:
        for cell in study.cells(scale):
            of_cell = store.of_cell(cell)
            if any(one.code == store.code(cell) for one in of_cell):
                continue
            for one in of_cell:
                try:
                    result = one.load(study.id, scale)
                    if result.config != cell.config():
                        raise ValueError("it holds another cell's result")
                except UNREADABLE as error:
                    store.report(f"{one}: not a usable result ({error}); passed over")
                    continue
                found.append(Old(store, cell, one, result))
                break
    return found


def drawn(old: Sequence[Old], count: int, seed: int) -> list[Old]:
    """A random sample, `count` of every stratum (all where there are fewer)."""
    strata: dict[tuple[str, ...], list[Old]] = {}
    for one in old:
        strata.setdefault(one.stratum, []).append(one)
    rng = np.random.default_rng(seed)
    return [group[i] for group in strata.values() for i in sorted(rng.permutation(len(group))[: max(1, count)])]


def only_cells(studies: Sequence[Study], cells: Sequence[Cell]) -> list[Study]:
    """The studies with no more than these cells; studies without any are left out."""
    wanted = {study.id: [cell for cell in dict.fromkeys(cells) if cell.study == study.id] for study in studies}
    return [_with(study, wanted[study.id]) for study in studies if wanted[study.id]]


def _with(study: Study, cells: Sequence[Cell]) -> Study:
    return dataclasses.replace(study, cells=lambda scale: cells)


def differences(stored: Result, fresh: Result, tolerance: bool, keep: Kept) -> Difference:
    """The differences between a stored result and a result by the present code; measured times (`..seconds..`) do not
    count.

    A result of the reference is compared with the other result after `keep`: the same arrays, in the same precision.
    """
    if "kept at" in stored.metadata:
        fresh = slimmed(fresh, keep)
    sentences = (one_sided if tolerance else bitwise)(stored.arrays, fresh.arrays)
    if sentences or not tolerance:
        return Difference(tuple(sentences), np.inf if sentences else 0.0)
    return _by_tolerance(stored, fresh)


def _by_tolerance(stored: Result, fresh: Result) -> Difference:
    seeds = len(stored.config["seeds"])
    today = {statistic.name: statistic for statistic in statistics_of(fresh.arrays, seeds)}
    sentences, largest = [], 0.0
    for name, kind, values in statistics_of(stored.arrays, seeds):
        if kind == "seconds":
            continue
        found = judged(kind, today[name].values, values)
        largest = max(largest, abs(found.size))
        if found.word != "reproduced":
            sentences.append(f"{name} {found.word} by {found.size:.3g} {found.unit}".rstrip())
    return Difference(tuple(sentences), largest)


def carry(old: Sequence[Old], record: Callable[[Old], Mapping[str, Any]]) -> None:
    """Gives old results the present code's name, and adds a record to the metadata of each.

    An old file goes when the new one is whole; an archive is replaced. Raises OSError where the folder cannot be
    written.
    """
    archived: dict[Path, list[tuple[Old, Result]]] = {}
    for one in old:
        carried = [*one.result.metadata.get("carried", []), {"from": one.code, **record(one)}]
        metadata = {**one.result.metadata, "carried": carried, "code": one.store.code(one.cell)}
        metadata.pop("format", None)
        if one.stored.member:
            archived.setdefault(one.stored.path, []).append((one, dataclasses.replace(one.result, metadata=metadata)))
            continue
        write_whole(one.store.path(one.cell), encode(one.result.config, one.result.arrays, metadata))
        one.stored.path.unlink()
    for path, several in archived.items():
        fresh = {one.store.member(one.cell): result for one, result in several}
        Archive(path).update(fresh, [one.stored.member for one, _ in several])
        write_manifest(path.parent)
