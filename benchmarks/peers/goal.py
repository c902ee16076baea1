"""The goal of this library against its peers, and the finding of the runs: regret, and seconds of an evaluation."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.peers.contestants import CONTESTANTS
from benchmarks.peers.summary import Row, rows, sets
from core.optimizer.options import DEFAULT_POLICY

__all__ = ["RIVAL", "goal"]

RIVAL = "optuna_gp"
"""The contestant that the default has to match."""


def goal(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """The goal, and whether the default policy meets it on each set, as Markdown; none where the rival has not run.

    Regret: *ahead* with an aggregate that is the less of the two, *tied* where the 95 % interval of the difference,
    whose half-width is the root of the sum of squares of the two intervals', corrected for few seeds, holds zero, else
    *behind*; not judged below two whole seeds of both, nor where runs are older than the code. Seconds: the median
    ratio over runs that both made side by side.
    """
    judged = []
    for name, some in sets(records).items():
        found = {row.contestant: row for row in rows(some)}
        if RIVAL in found:
            judged.append(f"- {name}: {_judged(found, some)}.")
    if not judged:
        return []
    return [
        "## The default and its goal",
        "",
        f"{CONTESTANTS[DEFAULT_POLICY].label}, the default, is meant to be ahead of "
        f"{CONTESTANTS[RIVAL].label}, or tied with it, on every set (the rule of `benchmarks/peers/lists.py` for these "
        "two alone), and an evaluation to take no more seconds.",
        "",
        *judged,
        "",
    ]


def _judged(found: Mapping[str, Row], records: Sequence[Mapping[str, Any]]) -> str:
    if DEFAULT_POLICY not in found:
        return "not judged: the default has not run"
    ours = found[DEFAULT_POLICY]
    if ours.older:
        return "not judged: some runs are older than the code"
    return f"{_regret(ours, found[RIVAL])}; {_seconds(records)}"


def _regret(ours: Row, theirs: Row) -> str:
    both = (ours.aggregate, ours.low, ours.high, theirs.aggregate, theirs.low, theirs.high)
    if any(number is None for number in both):
        return "not judged, which takes two whole seeds of both"
    mine, low, high, other, their_low, their_high = (float(number or 0.0) for number in both)
    lag = mine - other
    error = math.hypot((high - low) * _few(ours.seeds), (their_high - their_low) * _few(theirs.seeds)) / 2
    by = f"by {abs(lag):.2g} ± {error:.2g}"
    if abs(lag) <= error:
        return f"tied, {'behind' if lag > 0 else 'ahead'} {by}"
    return f"{'missed: behind' if lag > 0 else 'ahead'} {by}"


def _few(seeds: int) -> float:
    """The factor by which a bootstrap interval is too narrow: resampling n values has (n - 1) / n of the mean's
    variance."""
    return math.sqrt(seeds / (seeds - 1))


def _seconds(records: Sequence[Mapping[str, Any]]) -> str:
    """Seconds of runs on one function and seed that both made at one commit, and so side by side."""
    spent: dict[tuple[object, ...], dict[str, float]] = {}
    for record in records:
        cell, first = record["cell"], bool(record["first"])
        beside = (first, cell["function"], cell["seed"], cell["noise"], record["provenance"]["commit"])
        spent.setdefault(beside, {})[cell["contestant"]] = record["processor_seconds"]
    parts = []
    for words, first in (("with programs ready", False), ("in a first run, compiling included", True)):
        pairs = [
            (one[DEFAULT_POLICY], one[RIVAL])
            for beside, one in spent.items()
            if beside[0] is first and {DEFAULT_POLICY, RIVAL} <= set(one)
        ]
        if pairs:
            ratio = float(np.median([mine / theirs for mine, theirs in pairs]))
            parts.append(f"{ratio:.2g} times the seconds {words} ({'met' if ratio <= 1.0 else 'missed'})")
    return ", ".join(parts) or "seconds not measured side by side"
