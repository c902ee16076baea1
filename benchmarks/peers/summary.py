"""The summary of the stored runs: regrets by function, one aggregate over the functions with its interval, seconds.

Runs are compared in sets (:func:`sets`): a list of functions, exact or noisy, or one tuning. The share of a run is its
simple regret, the value found less the minimum, over the median regret of a uniform point (`Function.scale`); shares
below 1e-6 count as 1e-6. The value found is the least one; under noise it is the value at the point named at the end. A
contestant's aggregate is the mean over functions of the mean over seeds of log10 of the share: -2 says that a hundredth
of a random point's regret is left. Of a tuning it is the mean of the least error. It is made of the seeds that the
contestant has run on every function, and there is none before one seed is whole. Its interval, 95 %, is by the
bootstrap stratified by function (Agarwal et al. 2021, "Deep Reinforcement Learning at the Edge of the Statistical
Precipice"): seeds are resampled within each function; it needs two of them at least.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peers.contestants import CONTESTANTS, older
from benchmarks.peers.lists import FUNCTIONS, LISTS
from benchmarks.peers.tunings import TUNINGS

__all__ = ["Row", "page", "rows", "sets", "shares", "timed", "value"]

LEAST = 1e-6
RESAMPLES = 2000


@dataclass(frozen=True)
class Row:
    """One contestant.

    Attributes:
        contestant: its name.
        seeds: how many seeds it has run on every function.
        aggregate: over these seeds; None where there are none.
        low, high: the aggregate's interval; None below two seeds.
        regrets: function → median regret over all seeds run on it; of a tuning, the median error.
        later, first: median processor seconds of an evaluation, over runs whose programs were there, and over those
            that were the first of their process in that dimension, of the runs that :func:`timed` takes; None where
            there are none.
        older: whether some of its runs used other code of this library than there is today.
    """

    contestant: str
    seeds: int
    aggregate: float | None
    low: float | None
    high: float | None
    regrets: dict[str, float]
    later: float | None
    first: float | None
    older: bool = False

    @property
    def label(self) -> str:
        """The label in tables."""
        return CONTESTANTS[self.contestant].label + (", older than the code" if self.older else "")


def sets(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """The runs that are compared with each other, by what is said of them."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    kinds = {name: words for words, functions in _WORDS.items() for name in functions}
    order = [f"{words}, {how}" for words in _WORDS for how in ("exact", "noisy")] + list(TUNINGS)
    for record in records:
        name = record["cell"]["function"]
        how = "noisy" if record["cell"]["noise"] else "exact"
        found.setdefault(name if name in TUNINGS else f"{kinds[name]}, {how}", []).append(record)
    return {name: found[name] for name in order if name in found}


_WORDS = {"first ten": LISTS["ten"], "ten others": LISTS["others"], "development": LISTS["development"]}


def value(record: Mapping[str, Any]) -> float:
    """The value that a run found: the least value; under noise the value at the point named at the end."""
    return float(record["answer"] if record["cell"]["noise"] else min(record["values"]))


def shares(records: Sequence[Mapping[str, Any]]) -> dict[str, dict[int, float]]:
    """Function → seed → the share of regret left at the end; of a tuning, 10 to the power of the error."""
    found: dict[str, dict[int, float]] = {}
    for record in records:
        cell = record["cell"]
        name = cell["function"]
        if name in TUNINGS:
            share = 10.0 ** value(record)
        else:
            share = max((value(record) - FUNCTIONS[name].minimum) / FUNCTIONS[name].scale, LEAST)
        found.setdefault(name, {})[cell["seed"]] = share
    return found


def timed(records: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[Mapping[str, Any]]]:
    """The processors on which all contestants have run, and the runs on them: seconds are compared on these alone.

    All processors and all runs where there is no such processor.
    """
    ran: dict[str, set[str]] = {}
    for record in records:
        ran.setdefault(record["cell"]["contestant"], set()).add(_processor(record))
    shared = set.intersection(*ran.values()) or set.union(*ran.values()) if ran else set()
    return sorted(shared), [record for record in records if _processor(record) in shared]


def _processor(record: Mapping[str, Any]) -> str:
    return str(record["provenance"]["machine"]["processor"])


def rows(records: Sequence[Mapping[str, Any]], seed: int = 0) -> list[Row]:
    """One row a contestant: those with an aggregate first, the best of them at the top."""
    _, on_the_clock = timed(records)
    functions = {record["cell"]["function"] for record in records}
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        by_name.setdefault(record["cell"]["contestant"], []).append(record)
    found = [_row(name, runs, on_the_clock, functions, seed) for name, runs in by_name.items()]
    return sorted(found, key=lambda row: (row.aggregate is None, row.aggregate or 0.0, row.contestant))


def _row(
    name: str,
    records: Sequence[Mapping[str, Any]],
    on_the_clock: Sequence[Mapping[str, Any]],
    functions: Collection[str],
    seed: int,
) -> Row:
    left = shares(records)
    whole = sorted(set.intersection(*(set(left.get(function, ())) for function in functions)))
    logs = np.log10([[left[function][number] for number in whole] for function in sorted(functions)])
    low = high = None
    if len(whole) > 1:
        drawn = np.random.default_rng(seed).integers(len(whole), size=(len(logs), RESAMPLES, len(whole)))
        means = np.mean([np.mean(row[numbers], axis=1) for row, numbers in zip(logs, drawn, strict=True)], axis=0)
        low, high = (float(end) for end in np.quantile(means, [0.025, 0.975]))
    regrets = {
        function: float(np.log10(middle) if function in TUNINGS else middle * FUNCTIONS[function].scale)
        for function, values in left.items()
        for middle in [np.median(list(values.values()))]
    }
    aggregate = float(np.mean(logs)) if whole else None
    later, first = (_seconds(name, on_the_clock, which) for which in (False, True))
    return Row(name, len(whole), aggregate, low, high, regrets, later, first, any(map(older, records)))


def _seconds(name: str, records: Sequence[Mapping[str, Any]], first: bool) -> float | None:
    """A contestant's median processor seconds of an evaluation."""
    chosen = [
        record["processor_seconds"] / len(record["values"])
        for record in records
        if record["cell"]["contestant"] == name and record["first"] == first
    ]
    return float(np.median(chosen)) if chosen else None


def page(records: Sequence[Mapping[str, Any]], skipped: Mapping[str, Sequence[str]], settings: str) -> str:
    """The result as Markdown: for each set the aggregate and seconds, then median regrets; then the contestants left
    out."""
    lines = ["# Peers", "", settings, ""]
    compared = sets(records)
    if compared:
        lines += [
            "Regret left is log10 of the share of a random point's regret, as a mean over functions and seeds: -2 is a "
            "hundredth. Under noise the regret is that of the point which a library names at the end. Seconds are "
            "processor seconds of an evaluation with all that the method does, as medians over runs: of runs whose "
            "programs were ready, and of the first run of a process in each dimension, which imports the library and "
            "compiles.",
            "",
        ]
    for name, some in compared.items():
        lines += _section(name, rows(some))
    lines += [
        f"Left out: {CONTESTANTS[name].label}, which needs {' and '.join(missing)} (the extra [peers])."
        for name, missing in skipped.items()
    ]
    return "\n".join(lines).rstrip() + "\n"


def _section(name: str, found: Sequence[Row]) -> list[str]:
    """One set."""
    tuning = name in TUNINGS
    measure = "error" if tuning else "regret left"
    functions = [name for name in (*FUNCTIONS, *TUNINGS) if any(name in row.regrets for row in found)]
    lines = [
        f"## {f'Tuning: {name}' if tuning else name.capitalize()}",
        "",
        f"| contestant | whole seeds | {measure} (95 %) | s an evaluation | in a first run |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {row.label} | {row.seeds} | {_aggregate(row, '.4f' if tuning else '.2f')} "
            f"| {_number(row.later, '.2g')} | {_number(row.first, '.2g')} |"
            for row in found
        ),
        "",
    ]
    if tuning:
        return lines
    return [
        *lines,
        "Median regret at the end:",
        "",
        f"| contestant | {' | '.join(functions)} |",
        f"| --- |{' --- |' * len(functions)}",
        *(
            f"| {row.label} | {' | '.join(_number(row.regrets.get(name), '.2g') for name in functions)} |"
            for row in found
        ),
        "",
    ]


def _aggregate(row: Row, form: str) -> str:
    interval = "" if row.low is None or row.high is None else f" ({row.low:{form}}, {row.high:{form}})"
    return f"{_number(row.aggregate, form)}{interval}"


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)
