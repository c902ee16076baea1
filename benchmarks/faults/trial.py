"""One trial: a fault, a plain rerun, and the conditions that must hold after it."""

import random
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks.faults.bench import Bench, content, readable, stamps
from experiments.engine.result_file import UNREADABLE

__all__ = ["Fault", "Harm", "Verdict", "examine"]


class Harm(NamedTuple):
    """The effect of a fault, for the checks that follow.

    Attributes:
        spoiled: results that the fault damaged, with the bytes that it left: they must not be trusted, nor lost.
        note: any other error so far; empty without one.
        struck: True where the fault came in time (a run can end before it is killed).
    """

    spoiled: dict[Path, bytes]
    note: str = ""
    struck: bool = True


@dataclass(frozen=True)
class Fault:
    """A kind of fault.

    Attributes:
        name: a line of the table.
        how: the means on this machine.
        inflict: the function that causes the fault, given the bench and a source of random numbers.
        stored: True where it begins with the results of an undisturbed run in place.
        modules: the studies that run.
    """

    name: str
    how: str
    inflict: Callable[[Bench, random.Random], Harm]
    stored: bool = False
    modules: tuple[str, ...] = ("benchmarks.faults.sums",)


@dataclass
class Verdict:
    """The outcome of a trial. The lists should be empty.

    Attributes:
        finished: results that stood whole when the fault was over, and right.
        again: results that the rerun computed, as it had to.
        complaints: sentences on what went wrong.
        struck: whether the fault came in time.
    """

    finished: int = 0
    again: int = 0
    complaints: list[str] = field(default_factory=list)
    struck: bool = True


def examine(fault: Fault, bench: Bench, undisturbed: Path, seed: str) -> Verdict:
    """Inflicts a fault, runs once more, and compares with the results of an undisturbed run, file by file."""
    bench.folder.mkdir(parents=True)
    if fault.stored:
        shutil.copytree(undisturbed, bench.results)
    expected = {path.relative_to(undisturbed): content(path) for path in undisturbed.rglob("*.npz")}
    harm = fault.inflict(bench, random.Random(seed))
    verdict = Verdict(struck=harm.struck, complaints=[harm.note] if harm.note else [])
    before = {path: stamp for path, stamp in stamps(bench.results).items() if path not in harm.spoiled}
    torn = [path for path in before if not readable(path)]
    verdict.complaints += [f"a partial file stands as a finished result: {path.name}" for path in torn]
    verdict.finished = len(before) - len(torn)
    ended = bench.run()
    if ended.status != 0:
        verdict.complaints.append(f"the rerun ended with status {ended.status}: {ended.output[-300:]}")
    after = stamps(bench.results)
    verdict.again = sum(after[path] != before.get(path) for path in after)
    verdict.complaints += [
        f"computed again though finished: {path.name}"
        for path, stamp in before.items()
        if path not in torn and after.get(path, stamp) != stamp
    ]
    verdict.complaints += [f"lost: {path.name}" for path in before if path not in after]
    verdict.complaints += _differences(bench.results, expected, after)
    verdict.complaints += _not_kept(harm.spoiled)
    return verdict


def _differences(root: Path, expected: dict[Path, str], after: Iterable[Path]) -> list[str]:
    """The differences of the present results from those of an undisturbed run."""
    found = []
    for name, digest in expected.items():
        path = root / name
        if path not in after:
            found.append(f"missing after the rerun: {name.name}")
            continue
        try:
            same = content(path) == digest
        except UNREADABLE:
            same = False
        if not same:
            found.append(f"not what an undisturbed run gives: {name.name}")
    return found


def _not_kept(spoiled: dict[Path, bytes]) -> list[str]:
    """The damaged files whose bytes are neither in their place nor moved aside."""
    return [
        f"the damaged file was not kept: {path.name}"
        for path, left in spoiled.items()
        if not any(other.read_bytes() == left for other in path.parent.glob(f"{path.name}*") if other.is_file())
    ]
