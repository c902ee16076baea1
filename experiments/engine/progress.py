"""The progress of a scale: the cells done by study, and the core-hours of the others.

The time of a cell that is not done is the first known one of: the seconds that its configuration once took, by any
version of the code; the seconds of the configuration with other seeds; the seconds of a smaller scale for the same
problem and method (or, without these, the study's mean for the method), times the ratio of seeds times rounds. The
third estimate is linear in the stored seconds: it scales compilation up, and ignores that later proposals cost more
than early ones. Where the study has some cells at the scale itself, the estimate is corrected by the ratio of their
seconds to their own estimates.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.engine.result_file import UNREADABLE
from experiments.engine.scale import SCALES
from experiments.engine.store import Store
from experiments.engine.stored import Stored
from experiments.engine.study import Cell, Study

__all__ = ["ROUNDS", "Progress", "configurations", "progress"]

ROUNDS = ("steps", "budget", "rounds", "horizon", "evaluations")
"""The options that give the length of a run."""


@dataclass(frozen=True)
class Progress:
    """The progress of a study at a scale.

    Attributes:
        cells: the number of cells.
        here, reference: the numbers done here by the present code, and in the reference.
        carried: the number of stored results, here or there, that were carried over a change of the code.
        left: the number done in neither.
        seconds: the known seconds of one core for those left.
        stored, scaled, unknown: the numbers of those left whose time is stored, scaled from a smaller scale, or
            unknown.
    """

    study: str
    cells: int
    here: int
    reference: int
    carried: int
    left: int
    seconds: float
    stored: int
    scaled: int
    unknown: int


def progress(study: Study, scale: str, store: Store, reference: Store) -> Progress:
    """The progress of a study at a scale."""
    cells = study.cells(scale)
    missing = set(store.missing(study, scale))
    kept = configurations(study, scale, reference)
    held = {cell for cell in cells if cell.digest in kept}
    left = [cell for cell in cells if cell in missing and cell not in held]
    rates = _Rates(study, scale, (store, reference)) if left else None
    found: list[tuple[float | None, bool]] = []
    for cell in left:
        own = [seconds for place in (reference, store) if (seconds := place.seconds(cell)) is not None]
        found.append((own[0], True) if own else (rates.seconds(cell) if rates else None, False))
    return Progress(
        study.id,
        len(cells),
        sum(cell not in missing for cell in cells),
        len(held),
        sum("carried" in _metadata(one) for one in _done(study, scale, cells, store, reference)),
        len(left),
        sum(seconds for seconds, _ in found if seconds is not None),
        sum(stored for _, stored in found),
        sum(seconds is not None and not stored for seconds, stored in found),
        sum(seconds is None for seconds, _ in found),
    )


def _done(study: Study, scale: str, cells: Sequence[Cell], store: Store, reference: Store) -> list[Stored]:
    """The results that count as done."""
    here = [Stored(path) for cell in cells if (path := store.path(cell)).exists()]
    return [*here, *reference.stored(study.id, scale)]


def configurations(study: Study, scale: str, reference: Store) -> set[str]:
    """The digests of the cells at a scale that a store holds, by any version of the code, as the files' names give
    them."""
    return {one.digest for one in reference.stored(study.id, scale)}


Rates = Mapping[tuple[str, str], Sequence[float]]
"""The seconds for a seed and a round of each result, by (problem, policy)."""


class _Rates:
    """The seconds for a seed and a round, measured at the scale and at the largest smaller scale with results."""

    def __init__(self, study: Study, scale: str, stores: Sequence[Store]) -> None:
        self.here = _rates(study, scale, stores)
        smaller = (_rates(study, each, stores) for each in reversed(SCALES[: SCALES.index(scale)]))
        self.below: Rates = next((found for found in smaller if found), {})
        beyond = [
            rate / below
            for (problem, policy), rates in self.here.items()
            if (below := _rate(self.below, problem, policy))
            for rate in rates
        ]
        self.growth = float(np.exp(np.mean(np.log(beyond)))) if beyond else 1.0

    def seconds(self, cell: Cell) -> float | None:
        """The expected seconds of a cell; None where its method was never measured."""
        work, same = _work(cell.seeds, cell.options), self.here.get((cell.problem, cell.policy))
        if same:
            return float(np.mean(same)) * work
        below = _rate(self.below, cell.problem, cell.policy)
        return None if below is None else below * self.growth * work


def _rates(study: Study, scale: str, stores: Sequence[Store]) -> Rates:
    found: dict[tuple[str, str], list[float]] = {}
    for place in stores:
        for key, rate in _rates_of(map(_metadata, place.stored(study.id, scale))):
            found.setdefault(key, []).append(rate)
    return found


def _rate(rates: Rates, problem: str, policy: str) -> float | None:
    """The mean rate of a method on a problem or, without results there, on all problems."""
    others = [rate for (_, name), several in rates.items() if name == policy for rate in several]
    known = rates.get((problem, policy), others)
    return float(np.mean(known)) if known else None


def _metadata(one: Stored) -> Mapping[str, Any]:
    try:
        return one.metadata()
    except UNREADABLE:
        return {}


def _rates_of(records: Iterable[Mapping[str, Any]]) -> Iterable[tuple[tuple[str, str], float]]:
    for record in records:
        try:
            config = record["config"]
            wall = float(record["wall_seconds"])
            seconds = min(wall, float(record.get("cpu_seconds", wall)))
        except (KeyError, TypeError, ValueError):
            continue
        yield (config["problem"], config["policy"]), seconds / _work(config["seeds"], config.get("options", {}))


def _work(seeds: Sequence[int], options: Mapping[str, Any]) -> float:
    """The product of seeds and rounds, at least 1."""
    rounds = [float(options[name]) for name in ROUNDS if isinstance(options.get(name), int | float)]
    return max(1, len(seeds)) * max(1.0, *rounds, 1.0)
