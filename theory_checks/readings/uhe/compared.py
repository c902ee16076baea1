"""The comparison of the runs of Figures 2 to 5, and the readings that differ in their orders alone."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from theory_checks.readings.curve import Setting
from theory_checks.readings.declaration import Measure, Order, Reading
from theory_checks.readings.uhe.runs import (
    ARMS,
    AS_THEY_ARE,
    BADLY,
    BETWEEN,
    DEFAULTS,
    FIGURE,
    INITIAL,
    questions,
    runs,
)


def regret(result: Result) -> np.ndarray:
    """The simple regret (seeds,) over the range, at least the floor."""
    return result.arrays["regret"]


def in_units(result: Result) -> np.ndarray:
    """The simple regret (seeds,) over the mean regret of the initial data."""
    return np.asarray(result.arrays["regret"] / result.arrays["unit"])


def error(result: Result) -> np.ndarray:
    """Mean squared error (seeds,) of the predictions over the variance of the objective, at least the floor."""
    return result.arrays["mse"]


def measures(what: str = "regret") -> tuple[Measure, ...]:
    """Ratio of means, as the figures plot means, and paired ratios, of "regret" or "error"; better is by a tenth."""
    value = {"regret": regret, "error": error}[what]
    effect, margin = math.log10(1.1), math.log10(2.0)
    return (
        Measure(f"ratio of mean {what}s", value, "ratio of means", "student", effect, margin),
        Measure(f"paired ratios of {what}s", value, "ratio", "wilcoxon", effect, margin),
    )


DIFFERENCE = Measure(
    "difference of mean regrets over the mean regret of the initial data",
    in_units,
    "difference",
    "student",
    effect=0.05,
    margin=0.1,
)
"""The measure on problems where the peers leave more than its smallest effect, and of "comparable"."""


def left() -> tuple[Measure, ...]:
    """The measures of performing well or badly; the effect is the factor between `BETWEEN` and `WELL` or `BADLY`."""
    return tuple(replace(one, effect=math.log10(BADLY / BETWEEN)) for one in measures())


def of_figure(
    name: str,
    title: str,
    where: str,
    says: str,
    means: str,
    ordered: Sequence[Order],
    measured: Sequence[Measure],
    deviations: Sequence[str] = (),
    **fields: Any,
) -> Reading:
    """A reading of Figure 2's runs of the methods and problems in the orders; `fields` are further fields of a
    reading."""
    every = dict.fromkeys(name for order in ordered for name in (order.first, order.second))
    methods = [name for name in every if name != INITIAL]
    problems = list(dict.fromkeys(name for order in ordered for name in order.problems))
    given: dict[str, Any] = {
        "needs": (FIGURE, ARMS),
        "source": runs(methods, problems),
        "questions": questions(methods, problems),
        "deviations": (*deviations, *AS_THEY_ARE),
    }
    given |= {"orders": tuple(ordered), "measures": tuple(measured), "baseline": ""} | fields
    return Reading(f"uhe.{name}", title, "D", where, says, means, **given)


def either(question: str, asked: str, readings: Mapping[str, Reading]) -> Reading:
    """The first of several readings of one sentence, with `question` over all: choice -> reading.

    A question that a reading does not ask has its default choice.
    """

    def settings(scale: str) -> Iterator[Setting]:
        for choice, reading in readings.items():
            for one in reading.tried(scale):
                yield replace(one, choices={question: choice, **usual, **one.choices})

    every = {name: text for reading in readings.values() for name, text in reading.questions.items()}
    usual = {name: default for name, default in DEFAULTS.items() if name in every}
    return replace(next(iter(readings.values())), source=None, settings=settings, questions={question: asked} | every)


def each_and_pooled(reading: Reading) -> Reading:
    """The reading of a sentence that names no problems, with one more question: problem by problem, or pooled."""
    ways = {over: replace(reading, over=over) for over in ("each", "pooled")}
    return either("put together", "each problem by itself, or all together", ways)
