"""Timing of contestants that take turns, so that other work on the machine falls on all of them alike."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import jax
import numpy as np

__all__ = ["Report", "Seconds", "quartiles", "take_turns", "timed"]

Report = Callable[[str], None]
"""A function that is told in words what is going on."""

Name = TypeVar("Name")
Outcome = TypeVar("Outcome")


class Seconds(NamedTuple):
    """The seconds of a call: a user waits for the wall seconds; other work disturbs processor seconds less."""

    wall: float
    processor: float


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[Seconds, Any]:
    """Seconds of one call, until its results are there, and the results."""
    wall, processor = time.perf_counter(), time.process_time()
    result = jax.block_until_ready(function(*arguments))
    return Seconds(time.perf_counter() - wall, time.process_time() - processor), result


def take_turns(
    contestants: Mapping[Name, Callable[[int], Outcome]],
    rounds: int,
    report: Report,
    words: Callable[[Name], str] = str,
) -> dict[Name, list[Outcome]]:
    """Every contestant plays once per round; the first one changes from round to round.

    Args:
        contestants: name → what it does in the round of that number.
        rounds: how many.
        report: told before every turn who plays.
        words: a name in words.

    Returns:
        Name → what its turns returned, in the order of the rounds.
    """
    names = list(contestants)
    outcomes: dict[Name, list[Outcome]] = {name: [] for name in names}
    for turn in range(rounds):
        first = turn % len(names)
        for name in (*names[first:], *names[:first]):
            report(f"round {turn + 1} of {rounds}: {words(name)}")
            outcomes[name].append(contestants[name](turn))
    return outcomes


def quartiles(values: Iterable[float]) -> list[float]:
    """Lower quartile, median, upper quartile."""
    return [float(quartile) for quartile in np.quantile(list(values), [0.25, 0.5, 0.75])]
