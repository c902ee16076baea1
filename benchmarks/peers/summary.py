"""What the stored runs say: regrets by function, one aggregate over the functions with its interval, seconds.

The share of a run is its simple regret, the least value found less the minimum, over the median regret of a uniform
point (`Function.scale`); shares below 1e-6 count as 1e-6. A contestant's aggregate is the mean over functions of the
mean over seeds of log10 of the share: -2 says that a hundredth of a random point's regret is left. Its interval, 95 %,
is by the bootstrap stratified by function (Agarwal et al. 2021, "Deep Reinforcement Learning at the Edge of the
Statistical Precipice"): seeds are resampled within each function, all contestants' alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peers.contestants import CONTESTANTS
from benchmarks.peers.functions import FUNCTIONS

__all__ = ["Row", "page", "rows", "shares"]

LEAST = 1e-6
RESAMPLES = 2000


@dataclass(frozen=True)
class Row:
    """One contestant: its aggregate with interval, median regrets by function, and seconds of an evaluation."""

    contestant: str
    aggregate: float
    low: float
    high: float
    regrets: dict[str, float]
    processor: float
    wall: float
    runs: int


def shares(records: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Function → shares of regret left at the end, in the order of the seeds."""
    found: dict[str, list[tuple[int, float]]] = {}
    for record in records:
        cell = record["cell"]
        function = FUNCTIONS[cell["function"]]
        share = (min(record["values"]) - function.minimum) / function.scale
        found.setdefault(function.name, []).append((cell["seed"], max(share, LEAST)))
    return {name: np.array([share for _, share in sorted(pairs)]) for name, pairs in found.items()}


def rows(records: Sequence[Mapping[str, Any]], seed: int = 0) -> list[Row]:
    """One row a contestant, the best aggregate first, over the functions and seeds that all of them have run."""
    by_name: dict[str, dict[tuple[str, int], Mapping[str, Any]]] = {}
    for record in records:
        cell = record["cell"]
        by_name.setdefault(cell["contestant"], {})[cell["function"], cell["seed"]] = record
    common = set.intersection(*(set(runs) for runs in by_name.values())) if by_name else set()
    return sorted(
        (_row(name, [runs[key] for key in sorted(common)], seed) for name, runs in by_name.items() if common),
        key=lambda row: row.aggregate,
    )


def _row(name: str, records: Sequence[Mapping[str, Any]], seed: int) -> Row:
    left = {function: np.log10(values) for function, values in shares(records).items()}
    rng = np.random.default_rng(seed)
    drawn = [
        np.mean(values[rng.integers(len(values), size=(RESAMPLES, len(values)))], axis=1) for values in left.values()
    ]
    low, high = np.quantile(np.mean(drawn, axis=0), [0.025, 0.975])
    budgets = [len(record["values"]) for record in records]
    seconds = {
        kind: float(np.median([record[f"{kind}_seconds"] / n for record, n in zip(records, budgets, strict=True)]))
        for kind in ("processor", "wall")
    }
    regrets = {name: float(np.median(10**values)) * FUNCTIONS[name].scale for name, values in left.items()}
    aggregate = float(np.mean([np.mean(values) for values in left.values()]))
    return Row(name, aggregate, float(low), float(high), regrets, seconds["processor"], seconds["wall"], len(records))


def page(found: Sequence[Row], skipped: Mapping[str, Sequence[str]], settings: str) -> str:
    """The result as Markdown: the aggregate, then median regrets by function, then who was left out and why."""
    lines = ["# Peers", "", settings, ""]
    if found:
        functions = [name for name in FUNCTIONS if name in found[0].regrets]
        lines += [
            "| contestant | log10 share of a random point's regret (95 %) | processor s an evaluation | wall s |",
            "| --- | --- | --- | --- |",
            *(
                f"| {CONTESTANTS[row.contestant].label} | {row.aggregate:.2f} ({row.low:.2f}, {row.high:.2f}) "
                f"| {row.processor:.4f} | {row.wall:.4f} |"
                for row in found
            ),
            "",
            "Median regret at the end:",
            "",
            f"| contestant | {' | '.join(functions)} |",
            f"| --- |{' --- |' * len(functions)}",
            *(
                f"| {CONTESTANTS[row.contestant].label} | {' | '.join(f'{row.regrets[f]:.2g}' for f in functions)} |"
                for row in found
            ),
            "",
        ]
    lines += [
        f"Left out: {CONTESTANTS[name].label}, for want of {' and '.join(missing)} (the extra [peers])."
        for name, missing in skipped.items()
    ]
    return "\n".join(lines).rstrip() + "\n"
