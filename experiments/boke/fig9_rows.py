"""What a smaller workload does to a task's score: `python -m experiments.boke.fig9_rows rf_wine`.

Tuning on all rows is beyond what this artifact can afford (a forest of 200 trees on California Housing takes some 13 s
an evaluation, and a panel has tens of thousands), so that scale paper, too, has part of the rows and smaller models.
This says what is given up: the score itself, the order of configurations, and what is lost by choosing by that score.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.stats import qmc

from experiments.boke import fig9
from experiments.boke.fig9 import WHOLE, WORKLOADS
from experiments.workloads.tuning.evaluations import Evaluations
from experiments.workloads.tuning.tasks import TASKS, Objective, Workload

__all__ = ["Reduction", "compared"]

STAND_INS = tuple(dict.fromkeys(TASKS[task].stand_in for task in fig9.TASKS))

POINTS = 32
"""Configurations compared: Sobol' points of the unit cube."""


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line a task and workload; returns 0."""
    parser = argparse.ArgumentParser(prog="python -m experiments.boke.fig9_rows", description=__doc__)
    parser.add_argument("tasks", nargs="+", choices=(*fig9.TASKS, *STAND_INS), metavar="task")
    parser.add_argument("--points", type=int, default=POINTS, help="configurations (default: %(default)s)")
    options = parser.parse_args(arguments)
    for task in options.tasks:
        points = qmc.Sobol(len(TASKS[task].space), rng=np.random.default_rng(7)).random(options.points)
        for scale in ("quick", "paper"):
            one = compared(task, WORKLOADS[scale], WHOLE, points)
            used = WORKLOADS[scale]
            print(
                f"{task}, {used.rows} rows and at most {used.size} trees: score less that of all rows and {WHOLE.size} "
                f"{one.offset:+.3f} (sd {one.deviation:.3f}), rank correlation {one.rank_correlation:.2f}, lost by its "
                f"best {one.lost:.3f}; {one.seconds:.2f} s an evaluation for {one.whole_seconds:.2f} s"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
