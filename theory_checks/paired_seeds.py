"""Paired differences by seed: the results of two methods from the same start, on each problem, as stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from theory_checks import study_results

Key = tuple[Any, ...]
"""(problem, policy), and the further options of a study."""
Results = Mapping[Key, Result]


class Undecided(Exception):
    """The stored results do not suffice to judge a reading; the message says what is missing."""


def problem_and_policy(result: Result) -> Key:
    """The key of a result of most studies."""
    return result.config["problem"], result.config["policy"]


def stored(
    studies: str | Sequence[str],
    scale: str,
    wanted: Iterable[Key] | None = None,
    key: Callable[[Result], Key] = problem_and_policy,
) -> dict[Key, Result]:
    """Key → result of one study or several, with blocks of seeds stacked: the keys `wanted`, or all keys if None.

    Raises Undecided, with the command that computes them, where a wanted result or every result is missing.
    """
    studies = (studies,) if isinstance(studies, str) else tuple(studies)
    blocks: dict[Key, list[Result]] = {}
    for study in studies:
        for result in study_results.results(study, scale):
            several = blocks.setdefault(key(result), [])
            if several and not _other_seeds(several, result):
                several.clear()
            several.append(result)
    found = {name: stacked(several) for name, several in blocks.items()}
    keys = list(found) if wanted is None else list(dict.fromkeys(wanted))
    missing = sorted(set(keys) - set(found))
    if keys and not missing:
        return {one: found[one] for one in keys}
    command = "; ".join(study_results.how_to_get(study, scale) for study in studies)
    if len(missing) == len(keys):
        raise Undecided(command)
    one = " on ".join(map(str, missing[0][1::-1]))
    raise Undecided(f"{len(missing)} of {len(keys)} runs missing, {one} among them: {command}")


def with_more(figure: Results, study: str, scale: str, key: Callable[[Result], Key] = problem_and_policy) -> Results:
    """The runs with further seeds from `study` stacked to them; the runs as they are where `study` lacks one of the
    keys.

    A reading that may read further seeds declares how often its data are looked at; its level is divided by the count.
    """
    try:
        more = stored(study, scale, figure, key)
    except Undecided:
        return figure
    return {name: stacked([one, more[name]]) for name, one in figure.items()}


def _other_seeds(blocks: Sequence[Result], one: Result) -> bool:
    """True where `one` is the same run as the blocks, on seeds that no block has."""
    same = {**blocks[0].config, "seeds": ()} == {**one.config, "seeds": ()}
    return same and not any(set(each.config["seeds"]) & set(one.config["seeds"]) for each in blocks)


def stacked(blocks: Sequence[Result]) -> Result:
    """One result of the seeds of all blocks, in order; an array without a seed axis comes from the first block."""
    if len(blocks) == 1:
        return blocks[0]
    ordered = sorted(blocks, key=lambda one: list(one.config["seeds"]))
    arrays = {
        name: np.concatenate([one.arrays[name] for one in ordered])
        if np.shape(array)[:1] == (len(ordered[0].config["seeds"]),)
        else array
        for name, array in ordered[0].arrays.items()
    }
    seeds = [seed for one in ordered for seed in one.config["seeds"]]
    return Result({**ordered[0].config, "seeds": seeds}, arrays, ordered[0].metadata)


def shared(one: Result, other: Result) -> slice | list[int]:
    """The positions in `one` of the seeds that both results have, in ascending order of seeds."""
    if one.config.get("seeds") == other.config.get("seeds"):
        return slice(None)
    seeds = list(one.config["seeds"])
    return [seeds.index(seed) for seed in sorted(set(seeds) & set(other.config["seeds"]))]
