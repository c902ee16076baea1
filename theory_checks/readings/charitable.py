"""The most charitable setting of a paper: one choice for each open question under which most of its sentences hold.

It is the fairest answer to "could the paper be right with constants that it does not print?". It is found on stored
runs, by the measure that each figure plots, and is judged on seeds that did not choose it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from theory_checks.readings.judgement import State

MEASURE = "measure"
"""A question that is ours to answer, not an author's: the plotted measure, each reading's first, is read."""
MOST = 5_000_000
"""Joint settings that are looked at, at most."""

Numbers = Mapping[str, Any]
"""Of the evidence on a reading, `Curve.numbers`."""


@dataclass(frozen=True)
class Charitable:
    """A joint setting.

    Attributes:
        choices: open question -> choice.
        holds, fails: readings that hold, and that do not, under it.
        at_default: how many hold at their declared defaults.
        ties: joint settings under which as many hold.
    """

    choices: Mapping[str, str]
    holds: tuple[str, ...]
    fails: tuple[str, ...]
    at_default: int
    ties: int


def held(numbers: Numbers) -> dict[tuple[tuple[str, str], ...], bool]:
    """Choices of a reading (the measure left out, the plotted one read) -> whether it holds under them."""
    questions: list[str] = list(numbers["questions"])
    plotted = numbers["default"]["choices"].get(MEASURE)
    found = {}
    for row in numbers["curve"]:
        choices = dict(zip(questions, row, strict=False))
        if choices.pop(MEASURE, plotted) == plotted:
            found[tuple(choices.items())] = row[len(questions)] == State.HOLDS
    return found


def most_charitable(evidence: Mapping[str, Numbers]) -> Charitable:
    """The setting under which most of the readings hold; the nearest to the defaults among equals.

    Questions that one reading alone asks are answered as it likes best; the others jointly, every combination.

    Args:
        evidence: reading -> numbers of its evidence; one without a curve is passed over.

    Raises ValueError where there are more than `MOST` joint settings.
    """
    tables = {name: held(numbers) for name, numbers in evidence.items() if numbers.get("curve")}
    asked: dict[str, list[str]] = {}
    users: dict[str, set[str]] = {}
    for name, table in tables.items():
        for choices in table:
            for question, choice in choices:
                values = asked.setdefault(question, [])
                if choice not in values:
                    values.append(choice)
                users.setdefault(question, set()).add(name)
    shared = [question for question in asked if len(users[question]) > 1]
    sizes = [len(asked[question]) for question in shared]
    if np.prod(sizes, dtype=float) > MOST:
        raise ValueError(f"{np.prod(sizes, dtype=float):.3g} joint settings of {', '.join(shared)}: at most {MOST:,}")
    count = np.zeros(sizes, int)
    grids = {}
    for name, table in tables.items():
        grid = np.zeros([len(asked[q]) if name in users[q] else 1 for q in shared], bool)
        for choices, holds in table.items():
            told = dict(choices)
            place = tuple(asked[q].index(told[q]) if name in users[q] and q in told else slice(None) for q in shared)
            grid[place] |= holds
        grids[name] = grid
        count += grid
    best = int(count.max()) if count.size else 0
    places = np.argwhere(count == best)
    place = min(map(tuple, places), key=lambda one: (sum(int(i) > 0 for i in one), one))
    chosen = {question: asked[question][int(i)] for question, i in zip(shared, place, strict=True)}
    holds = [
        n
        for n, grid in grids.items()
        if grid[tuple(min(int(i), s - 1) for i, s in zip(place, grid.shape, strict=True))]
    ]
    private = {q: c for name in holds for q, c in _private(tables[name], chosen, shared).items()}
    at_default = sum(
        numbers["default"]["state"] == State.HOLDS for numbers in evidence.values() if numbers.get("curve")
    )
    fails = tuple(name for name in tables if name not in holds)
    return Charitable({**chosen, **private}, tuple(holds), fails, at_default, len(places))


def _private(
    table: Mapping[tuple[tuple[str, str], ...], bool], chosen: Mapping[str, str], shared: Sequence[str]
) -> dict[str, str]:
    """The choices of a reading's own questions under which it holds, given the shared ones."""
    for choices, holds in table.items():
        told = dict(choices)
        if holds and all(chosen[q] == told[q] for q in shared if q in told):
            return {question: choice for question, choice in told.items() if question not in shared}
    return {}
