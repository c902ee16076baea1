"""Scores of the study of all methods: the share of the initial regret that is left.

The score of a run after t evaluations is its simple regret over the mean regret of the initial design on the problem.
All methods share the initial design. The score is 1 on average before the first proposal and 0 at the optimum, so that
its unit is the same on every problem.
"""

import numpy as np

from experiments.engine.aggregates import probability_of_improvement, stratified_bootstrap
from experiments.engine.statistics import Interval
from paper_figures.load import StudyResults
from paper_figures.style import method_order

__all__ = ["compared", "final", "improvement", "noise_fractions", "proposal_seconds", "proposals", "shares"]


def compared(data: StudyResults) -> list[str]:
    """The methods with equally many runs on every problem, in the order of legends."""
    wanted = {problem: _runs(data, problem, "random_search") for problem in data.problems()}
    return [
        name
        for name in method_order(data.policies())
        if all(_runs(data, problem, name) == count > 0 for problem, count in wanted.items())
    ]


def _runs(data: StudyResults, problem: str, policy: str) -> int:
    return sum(len(result.config["seeds"]) for result in data.select(problem=problem, policy=policy))


def proposals(data: StudyResults) -> int:
    """K, the number of proposals after the initial design."""
    problem, name = data.problems()[0], compared(data)[0]
    total = data.array("simple_regret", problem=problem, policy=name).shape[-1]
    return int(total - data.common("initial_size", problem=problem))


def noise_fractions(data: StudyResults) -> list[float]:
    """The levels of noise, in the order of :func:`shares`."""
    return [float(fraction) for fraction in data.common("noise_fraction")]


def shares(data: StudyResults, policy: str) -> np.ndarray:
    """Scores (N, K + 1, problems, runs) of a method by noise level, from the initial design to the last proposal."""
    tables = []
    for problem in data.problems():
        initial = int(data.common("initial_size", problem=problem))
        regret = data.array("simple_regret", problem=problem, policy=policy)[:, :, initial - 1 :].astype(float)
        tables.append(regret / regret[:, :, 0].mean())
    return np.moveaxis(np.stack(tables), (2, 3, 0, 1), (0, 1, 2, 3))


def final(scores: np.ndarray) -> np.ndarray:
    """Final scores (N problems, runs): each problem at each noise level counts as one problem."""
    return scores[:, -1].reshape(-1, scores.shape[-1])


def improvement(first: np.ndarray, second: np.ndarray) -> Interval:
    """P(the first method ends better than the second), from the final scores (problems, runs) of both on equal
    seeds."""
    return stratified_bootstrap(np.stack([first, second]), probability_of_improvement)


def proposal_seconds(data: StudyResults, policy: str) -> float:
    """CPU seconds of a proposal of a method: the mean over the problems."""
    return float(
        np.mean([data.array("seconds_per_proposal", problem=p, policy=policy).mean() for p in data.problems()])
    )
