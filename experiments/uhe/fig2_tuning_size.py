"""The effect of fewer trees and epochs on the scores of Figure 2: `python -m
experiments.uhe.fig2_tuning_size rf_wilt`."""

from collections.abc import Sequence

from experiments.uhe.fig2_tuning import TASKS, WHOLE, WORKLOADS
from experiments.workloads.tuning import reduction, tasks
from experiments.workloads.tuning.tasks import Workload

STAND_INS = tuple(dict.fromkeys(tasks.get(task).stand_in for task in TASKS))


def workloads(task: str) -> tuple[Workload, ...]:
    """The workloads of a task: scale quick's, scale paper's, and HPOBench's full fidelity."""
    model = task.partition("_")[0]
    used = (WORKLOADS[scale].get(task) or WORKLOADS[scale][model] for scale in ("quick", "paper"))
    return (*used, Workload(0, WHOLE[model]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line a task and scale; returns 0."""
    return reduction.command("experiments.uhe.fig2_tuning_size", (*TASKS, *STAND_INS), workloads, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
