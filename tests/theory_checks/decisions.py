"""What a test says it decides.

Every reading is to be tried where it is true, where it is false by the smallest effect that its rule declares to
matter, and where it is a coin toss: it has to come out supported, refuted, inconclusive.

A test is marked `@pytest.mark.decides(told)`; `told` maps the case, its parameters by name, to the verdicts that it
shows, by claim. The mark is no mere word: `conftest.py` fails the test if a claim did not come out so in it, and
`test_every_reading_decides.py` reads the marks of all tests.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

ALL = ("supported", "refuted", "inconclusive")
Case = Mapping[str, Any]
Told = Callable[[Case], Mapping[str, str | tuple[str, ...]]]


def told_as(*ids: str) -> Told:
    """The claims all come out with the case's own `verdict`."""
    return lambda case: {name: str(case["verdict"]) for name in ids}


def all_of(*ids: str) -> Told:
    """The test shows all three verdicts of each claim."""
    return lambda case: dict.fromkeys(ids, ALL)


def softened(verdict: str) -> str:
    """The verdict on a reading that leaves something open, where the runs themselves have this one."""
    return "inconclusive" if verdict == "refuted" else str(verdict)


def pairs(told: Told, case: Case) -> set[tuple[str, str]]:
    """(claim, verdict), each that the test shows in this case."""
    shown = told(case)
    return {(name, verdict) for name, one in shown.items() for verdict in ((one,) if isinstance(one, str) else one)}


def cases(test: Any) -> Iterator[dict[str, Any]]:
    """The parameters by name of every case of a test function."""
    axes = []
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize":
            names, values = mark.args
            names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
            rows = [getattr(value, "values", value) if not isinstance(value, dict) else value for value in values]
            axes.append([dict(zip(names, row if len(names) > 1 else (row,), strict=True)) for row in rows])
    for chosen in itertools.product(*axes):
        yield {name: value for each in chosen for name, value in each.items()}
