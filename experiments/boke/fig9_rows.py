"""The effect of a part of the rows on the scores of Figure 9: `python -m experiments.boke.fig9_rows rf_wine`.

On all rows a forest of 200 trees on California Housing takes some 13 s an evaluation.
"""

from collections.abc import Sequence

from experiments.boke.fig9 import TASKS, WHOLE, WORKLOADS
from experiments.workloads.tuning import reduction, tasks

STAND_INS = tuple(dict.fromkeys(tasks.get(task).stand_in for task in TASKS))


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line a task and scale; returns 0."""
    used = (WORKLOADS["quick"], WORKLOADS["paper"], WHOLE)
    return reduction.command("experiments.boke.fig9_rows", (*TASKS, *STAND_INS), lambda task: used, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
