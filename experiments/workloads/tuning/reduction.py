"""The effect of a smaller workload on a task's score.

Tuning with all rows and models of full size is beyond what this artifact can afford: a panel has tens of thousands of
evaluations. Scale paper, too, has smaller models and, in Paper A's tasks, part of the rows. This module measures the
loss: the change of the score, the change of the order of configurations, and the loss of a choice by the smaller
workload's score.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.stats import qmc

from experiments.workloads.tuning.evaluations import Evaluations
from experiments.workloads.tuning.tasks import TASKS, Objective, Workload

__all__ = ["Reduction", "compared", "command"]

POINTS = 32
"""The number of configurations compared: Sobol' points of the unit cube."""


@dataclass(frozen=True)
class Reduction:
    """A task's scores on a smaller workload beside those on a whole one, at the same points of the unit cube.

    Attributes:
        offset, deviation: mean and standard deviation of the smaller workload's score less the whole one's.
        rank_correlation: Spearman's.
        lost: best score of the whole less its score at the point that is best on the smaller one.
        seconds, whole_seconds: CPU seconds of an evaluation.
    """

    offset: float
    deviation: float
    rank_correlation: float
    lost: float
    seconds: float
    whole_seconds: float


def compared(
    task: str, smaller: Workload, whole: Workload, points: np.ndarray, evaluations: Evaluations | None = None
) -> Reduction:
    """The scores of a task under two workloads at `points`, (n, d). Errors as `Objective`."""
    (reduced, seconds), (full, whole_seconds) = (
        _scores(Objective(task, workload, evaluations), points) for workload in (smaller, whole)
    )
    return Reduction(
        offset=float(np.mean(reduced - full)),
        deviation=float(np.std(reduced - full, ddof=1)),
        rank_correlation=float(stats.spearmanr(reduced, full).statistic),
        lost=float(np.max(full) - full[np.argmax(reduced)]),
        seconds=seconds,
        whole_seconds=whole_seconds,
    )


def _scores(objective: Objective, points: np.ndarray) -> tuple[np.ndarray, float]:
    objective.prepare()
    scores, seconds = [], []
    for point in points:
        scores.append(objective(point))
        seconds.append(objective.seconds)
    return np.asarray(scores), float(np.mean(seconds))


def command(
    module: str,
    tasks: Sequence[str],
    workloads: Callable[[str], tuple[Workload, ...]],
    arguments: Sequence[str] | None = None,
) -> int:
    """The command of a study: prints a line a task and smaller workload; returns 0.

    Args:
        module: the study's, as `python -m` takes it.
        tasks: which may be asked for.
        workloads: of a task: the smaller ones, then the whole one.
        arguments: of the command line.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=__doc__)
    parser.add_argument("tasks", nargs="+", choices=tasks, metavar="task")
    parser.add_argument("--points", type=int, default=POINTS, help="configurations (default: %(default)s)")
    options = parser.parse_args(arguments)
    for task in options.tasks:
        points = qmc.Sobol(len(TASKS[task].space), rng=np.random.default_rng(7)).random(options.points)
        *smaller, whole = workloads(task)
        for used in smaller:
            one = compared(task, used, whole, points)
            print(
                f"{task}, {_in_words(used)}: score less that of {_in_words(whole)} {one.offset:+.4f} (sd "
                f"{one.deviation:.4f}), rank correlation {one.rank_correlation:.2f}, lost by its best {one.lost:.4f}; "
                f"{one.seconds:.3f} s an evaluation for {one.whole_seconds:.3f} s"
            )
    return 0


def _in_words(workload: Workload) -> str:
    return f"{workload.rows or 'all'} rows and size {workload.size}"
