"""The most charitable setting of a paper: one choice for each open question under which most of its sentences hold.

The setting answers whether the paper could be right with constants that it does not print. Stored runs choose the
setting, by the measure that each figure plots, and other seeds judge it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from theory_checks.readings.judgement import State

MEASURE = "measure"
"""The question that the setting does not choose: the plotted measure, each reading's first, is read."""
MOST = 5_000_000
"""The largest number of joint settings that are compared."""

Numbers = Mapping[str, Any]
"""The numbers of the evidence on a reading, `Curve.numbers`."""


@dataclass(frozen=True)
class Charitable:
    """A joint setting.

    Attributes:
        choices: open question -> choice.
        holds, fails: readings that hold, and that do not, under it.
        at_default: the number of readings that hold at their declared defaults.
        ties: the number of joint settings under which as many hold.
    """

    choices: Mapping[str, str]
    holds: tuple[str, ...]
    fails: tuple[str, ...]
    at_default: int
    ties: int


def held(numbers: Numbers) -> dict[tuple[tuple[str, str], ...], bool]:
    """Choices of a reading without the measure -> True where the reading holds by the plotted measure."""
    questions: list[str] = list(numbers["questions"])
    plotted = numbers["default"]["choices"].get(MEASURE)
    found = {}
    for row in numbers["curve"]:
        choices = dict(zip(questions, row, strict=False))
        if choices.pop(MEASURE, plotted) == plotted:
            found[tuple(choices.items())] = row[len(questions)] == State.HOLDS
    return found


def most_charitable(evidence: Mapping[str, Numbers]) -> Charitable:
    """The setting under which most of the readings hold; among equals the nearest to the defaults.

    A question that one reading alone asks has the choice under which that reading holds; every combination of the
    shared questions is compared. Readings that share no question, directly or through others, are treated apart.

    Args:
        evidence: reading -> numbers of its evidence; a reading without a curve is ignored.

    Raises ValueError where there are more than `MOST` joint settings.
    """
    tables = {name: held(numbers) for name, numbers in evidence.items() if numbers.get("curve")}
    parts = [_jointly({name: tables[name] for name in names}) for names in _apart(tables)]
    holds = tuple(name for name in tables if any(name in part[1] for part in parts))
    at_default = sum(evidence[name]["default"]["state"] == State.HOLDS for name in tables)
    return Charitable(
        {question: choice for chosen, _, _ in parts for question, choice in chosen.items()},
        holds,
        tuple(name for name in tables if name not in holds),
        at_default,
        math.prod(ties for _, _, ties in parts),
    )


Table = Mapping[tuple[tuple[str, str], ...], bool]
"""The result of :func:`held`."""


def _questions(table: Table) -> set[str]:
    return {question for choices in table for question, _ in choices}


def _apart(tables: Mapping[str, Table]) -> list[list[str]]:
    """The readings in groups; readings that share a question are in the same group."""
    groups: list[tuple[set[str], list[str]]] = []
    for name, table in tables.items():
        asked, names = _questions(table), [name]
        for group in [one for one in groups if one[0] & asked]:
            groups.remove(group)
            asked, names = asked | group[0], [*group[1], *names]
        groups.append((asked, names))
    return [names for _, names in groups]


def _jointly(tables: Mapping[str, Table]) -> tuple[dict[str, str], list[str], int]:
    """(best choices for these readings, readings that hold under the choices, number of equally good shared
    choices)."""
    asked: dict[str, list[str]] = {}
    for question, choice in (pair for table in tables.values() for choices in table for pair in choices):
        if choice not in asked.setdefault(question, []):
            asked[question].append(choice)
    users = {name: _questions(table) for name, table in tables.items()}
    shared = [question for question in asked if sum(question in used for used in users.values()) > 1]
    sizes = [len(asked[question]) for question in shared]
    if math.prod(sizes) > MOST:
        raise ValueError(f"{math.prod(sizes):.3g} joint settings of {', '.join(shared)}: at most {MOST:,}")
    count, grids = np.zeros(sizes, int), {}
    for name, table in tables.items():
        grid = np.zeros([size if q in users[name] else 1 for q, size in zip(shared, sizes, strict=True)], bool)
        for choices, holds in table.items():
            told = dict(choices)
            grid[tuple(asked[q].index(told[q]) if q in told else slice(None) for q in shared)] |= holds
        grids[name] = grid
        count += grid
    places = np.argwhere(count == count.max())
    place = min((tuple(map(int, one)) for one in places), key=lambda one: (sum(at > 0 for at in one), one))
    chosen = {question: asked[question][at] for question, at in zip(shared, place, strict=True)}
    held_ = [
        name
        for name, grid in grids.items()
        if grid[tuple(min(at, size - 1) for at, size in zip(place, grid.shape, strict=True))]
    ]
    for name in held_:
        chosen |= _private(tables[name], chosen, shared)
    return chosen, held_, len(places)


def _private(table: Table, chosen: Mapping[str, str], shared: Sequence[str]) -> dict[str, str]:
    """The choices of a reading's own questions under which the reading holds, given the shared choices."""
    for choices, holds in table.items():
        told = dict(choices)
        if holds and all(chosen[q] == told[q] for q in shared if q in told):
            return {question: choice for question, choice in told.items() if question not in shared}
    return {}
