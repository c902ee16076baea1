"""The goal of this library against its peers, and what the runs say of it: regret, and seconds of an evaluation."""

import math
from collections.abc import Sequence

from benchmarks.peers.contestants import CONTESTANTS
from benchmarks.peers.summary import Row
from core.optimizer.options import DEFAULT_POLICY

__all__ = ["GAUSSIAN_PEERS", "TIMES", "goal"]

GAUSSIAN_PEERS = ("optuna_gp", "skopt_gp", "botorch")
"""The peers whose model is a Gaussian process."""

TIMES = 10.0
"""How many times cheaper than each of them an evaluation is meant to be."""


def goal(found: Sequence[Row]) -> list[str]:
    """The goal, and for the default policy whether it is met, as lines of Markdown; none where it has not run.

    Regret: *first* with the least aggregate, *tied* where the 95 % interval of the difference from the least one, whose
    half-width is the root of the sum of squares of the two intervals', holds zero, else *behind*; not judged below two
    whole seeds of both. Seconds: the ratio to every peer with a Gaussian process.
    """
    rows = {row.contestant: row for row in found}
    if DEFAULT_POLICY not in rows:
        return []
    ours = rows[DEFAULT_POLICY]
    lines = [
        f"Goal of the default, {CONTESTANTS[DEFAULT_POLICY].label}: first or tied in regret, an evaluation at least "
        f"{TIMES:.0f} times cheaper than that of any peer with a Gaussian process.",
        "",
        f"- Regret: {_regret(ours, [row for row in found if row.aggregate is not None])}.",
    ]
    for name in GAUSSIAN_PEERS:
        if name in rows:
            lines.append(f"- Seconds, {CONTESTANTS[name].label} over the default: {_seconds(ours, rows[name])}.")
    return [*lines, ""]


def _regret(ours: Row, judged: Sequence[Row]) -> str:
    if ours.aggregate is None or not judged:
        return "no whole seed yet"
    least = min(judged, key=lambda row: row.aggregate if row.aggregate is not None else 0.0)
    place = sum(1 for row in judged if (row.aggregate or 0.0) < ours.aggregate) + 1
    so_far = f"place {place} of {len(judged)} by the aggregate"
    if least is ours:
        return f"{so_far}: first"
    label = CONTESTANTS[least.contestant].label
    if ours.low is None or ours.high is None or least.low is None or least.high is None:
        return f"{so_far}, behind {label}; not judged, which takes two whole seeds of both"
    lag, error = ours.aggregate - (least.aggregate or 0.0), math.hypot(ours.high - ours.low, least.high - least.low) / 2
    return f"{so_far}, " + (
        f"tied with {label}, behind by {lag:.2f} ± {error:.2f}"
        if lag <= error
        else f"missed: behind {label} by {lag:.2f} ± {error:.2f}"
    )


def _seconds(ours: Row, peer: Row) -> str:
    parts = []
    for words, mine, theirs in (
        ("with programs ready", ours.later, peer.later),
        ("in a first run, compiling included", ours.first, peer.first),
    ):
        if mine is not None and theirs is not None:
            verdict = "met" if theirs >= TIMES * mine else "missed"
            parts.append(f"{theirs / mine:.2g} times {words} ({verdict})")
    return ", ".join(parts) or "not measured"
