"""`python -m experiments carry`: draws the sample, computes it, compares, and carries all or nothing."""

import datetime
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from experiments.engine.bar import say
from experiments.engine.carry import Difference, Old, carry, differences, drawn, old_results, only_cells
from experiments.engine.provenance import git_commit
from experiments.engine.store import Store
from experiments.engine.study import Study

__all__ = ["carry_over"]

NOTHING = 2
"""The exit status where there is nothing to carry."""


def carry_over(
    studies: Sequence[Study],
    scale: str,
    stores: Sequence[Store],
    count: int,
    seed: int,
    tolerance: bool,
    compute: Callable[[list[Study], Store], int],
    console: Console,
) -> int:
    """Carries the old results of all stores; returns an exit status.

    0: carried; 1: a sampled cell deviates or could not be computed, and nothing was carried; 2: no old results.

    Args:
        studies, scale: the studies and the scale of the results.
        stores: the stores of the results.
        count: cells sampled of every stratum, each problem and method of a study by one version of the code.
        seed: the seed of the sample.
        tolerance: compare within the tolerances of `verify` instead of bit by bit.
        compute: completes the results of studies in a store; 0 where all are there.
        console: the console of the report.
    """
    old = [one for store in stores for one in old_results(studies, scale, store)]
    if not old:
        say(console, f"carry: no results of scale {scale} by other code")
        return NOTHING
    open = [one for one in old if not one.proven]
    if len(open) < len(old):
        say(console, f"carry: {len(old) - len(open)} results by programs proven equal to today's, without a run")
    sample = drawn(open, count, seed)
    rule = "within the tolerances of verify" if tolerance else "bitwise"
    say(console, f"carry: {len(open)} results by other code; {len(sample)} drawn to be computed and compared {rule}")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Store(Path(folder), studies=stores[0].studies)
        if sample and (status := compute(only_cells(studies, [one.cell for one in sample]), scratch)):
            say(console, "carry: the sample is not complete, nothing is carried")
            return status
        found = [_compared(one, scratch, tolerance) for one in sample]
    deviating = [(one, each) for one, each in zip(sample, found, strict=True) if each.sentences]
    for one, each in deviating:
        say(console, f"  deviates: {one.cell.label}: {'; '.join(each.sentences)}")
    if deviating:
        say(console, f"carry: {len(deviating)} of {len(sample)} sampled cells deviate, nothing is carried")
        return 1
    largest = max((each.largest for each in found), default=0.0)
    strata = Counter(one.stratum for one in open)
    carry(old, lambda one: _record(one, sample, rule, largest, strata[one.stratum]))
    say(console, f"carry: {len(old)} results carried; largest deviation in the sample: {largest:.3g}")
    return 0


def _compared(one: Old, scratch: Store, tolerance: bool) -> Difference:
    fresh = scratch.read(one.cell)
    if fresh is None:
        return Difference(("it was not computed",), float("inf"))
    return differences(one.result, fresh, tolerance, one.store.studies[one.cell.study].keep)


def _record(one: Old, sample: Sequence[Old], rule: str, largest: float, of: int) -> Mapping[str, Any]:
    """The record of a carried result; `of` is the number of results in its stratum."""
    record = {
        "computed at": one.result.metadata.get("commit", "unknown"),
        "carried at": git_commit(),
        "date": datetime.date.today().isoformat(),
    }
    if one.proven:
        return {**record, "rule": "equal programs"}
    sampled = [other.cell.label for other in sample if other.stratum == one.stratum]
    return {**record, "rule": rule, "sampled": sampled, "of": of, "largest deviation": largest}
