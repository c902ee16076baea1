"""The paragraph of docs/policy_evidence.md that says what a practitioner should use. The committed results of the study
of all methods, at the highest scale stored there, fill in the numbers."""

from pathlib import Path

import numpy as np

from core.optimizer.options import DEFAULT_POLICY
from experiments.engine.aggregates import interquartile_mean
from experiments.engine.scale import SCALES
from paper_figures.common.default import better
from paper_figures.common.shares import (
    compared,
    final,
    improvement,
    noise_fractions,
    proposal_seconds,
    proposals,
    shares,
)
from paper_figures.load import MissingResults, StudyResults, load
from paper_figures.style import method_label
from paper_figures.table import number

__all__ = ["paragraph"]

STUDY = "common.policies"


def paragraph(results: Path) -> str:
    """The paragraph by the results below `reference`; "No results yet" where there are none."""
    try:
        data = load(STUDY, SCALES[-1], results, local=False)
    except MissingResults:
        return f"Side by side on one set of problems (`make experiments figures ONLY={STUDY}`): no results yet."
    found = [*(_level(data, level) for level in range(len(noise_fractions(data)))), _costs(data), _default(data)]
    return "\n- ".join([f"{_setting(data)}\n", *found])


def _setting(data: StudyResults) -> str:
    return (
        f"{len(compared(data))} methods with constants as shipped ran on {len(data.problems())} synthetic problems of "
        f"two to six dimensions, with {data.seed_count()} seeds and {proposals(data)} proposals a run, at scale "
        f"{data.scale} (`make experiments figures ONLY={STUDY}`). Numbers in brackets are the share of the initial "
        "design's regret that a method leaves, as an interquartile mean."
    )


def _level(data: StudyResults, level: int) -> str:
    """The method that leaves least regret at a noise level, the methods level with it, and the methods behind random
    search."""
    fraction = noise_fractions(data)[level]
    ends = {name: shares(data, name)[level, -1] for name in compared(data)}
    left = {name: float(interquartile_mean(scores)) for name, scores in ends.items()}
    best = min(left, key=left.__getitem__)
    near = [name for name in ends if name != best and improvement(ends[best], ends[name]).low <= 0.5]
    behind = [name for name in ends if improvement(ends[name], ends["random_search"]).high < 0.5]

    def named(names: list[str]) -> str:
        ordered = sorted(names, key=left.__getitem__)
        return ", ".join(f"{method_label(name)} ({number(left[name], 2)})" for name in ordered)

    return (
        f"{f'Under noise of {100 * fraction:g} % of the range' if fraction else 'With exact observations'} "
        f"{method_label(best)} leaves least ({number(left[best], 2)}; random search "
        f"{number(left['random_search'], 2)}). "
        + (f"Not told apart from it at 95 %: {named(near)}." if near else "It is told apart from all others at 95 %.")
        + (f" Behind random search at 95 %: {named(behind)}." if behind else "")
        + (_steps(data, level, sorted(behind, key=left.__getitem__)) if behind else "")
    )


def _steps(data: StudyResults, level: int, names: list[str]) -> str:
    """The distance from the best observation at which these methods and random search propose; empty where it is not
    stored."""
    if not all("step" in result.arrays for result in data.results):
        return ""

    def step(name: str) -> str:
        values = [data.array("step", problem=problem, policy=name)[:, level] for problem in data.problems()]
        return number(float(np.median(np.concatenate(values))), 2)

    return (
        f" The median distance of their proposals from their best observation is {', '.join(map(step, names))}, in "
        f"sides of the unit cube; random search has {step('random_search')}."
    )


def _costs(data: StudyResults) -> str:
    """The cheapest and the dearest proposal, and the cheapest proposal of the methods better than random search."""
    names = [name for name in compared(data) if name != "random_search"]
    spent = {name: proposal_seconds(data, name) for name in names}
    random = final(shares(data, "random_search"))
    better = [name for name in names if improvement(final(shares(data, name)), random).low > 0.5]
    low, high = min(spent, key=spent.__getitem__), max(spent, key=spent.__getitem__)
    worth = f"Of the methods better than random search, {method_label(min(better, key=spent.__getitem__))} costs least."
    return (
        f"A proposal costs {number(1e3 * spent[low], 3)} ms ({method_label(low)}) to {number(1e3 * spent[high], 3)} ms "
        f"({method_label(high)}) of one core. " + (worth if better else "No method is told apart from random search.")
    )


def _default(data: StudyResults) -> str:
    """One sentence: the rule keeps the default, or prefers another method."""
    preferred = better(data)
    rule = "By the rule below"
    if not preferred:
        return f"{rule} `{DEFAULT_POLICY}` is the default, and no other method takes its place."
    return f"{rule} `{preferred[0]}` should be the default in place of `{DEFAULT_POLICY}`."
