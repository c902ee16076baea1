"""The computation of one cell of a tuning study: a method on a task, all its seeds, by `core.optimize`.

All methods start from the same Latin hypercube for the same seed. A failed evaluation is recorded, and the method is
shown the worst score so far. Two times are kept apart: that of the evaluations, as measured when each was first
computed (later ones are read from disk), and that of the method between two evaluations, without compilation.
"""

import time

import numpy as np

from core.designs import default_initial_size, seed_keys
from core.optimizer.history import History
from core.optimizer.optimize import optimize
from core.policies import Policy
from experiments.engine.slim import Kept
from experiments.engine.study import Cell
from experiments.workloads.tuning.parameters import Parameter
from experiments.workloads.tuning.tasks import Objective, Workload

__all__ = ["KEPT", "arrays_of", "best_so_far", "run"]

KEPT = Kept(unread=("value",), design_only=("x",))
"""The parts of the results that are kept; see `experiments.engine.slim`."""


class _Clock:
    """Calls an objective and notes the CPU seconds of the method before every call, and of the evaluation."""

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self.proposal: list[float] = []
        self.evaluation: list[float] = []
        self.left = time.process_time()

    def __call__(self, x: np.ndarray) -> float:
        self.proposal.append(time.process_time() - self.left)
        self.objective.seconds = 0.0
        try:
            return self.objective(x)
        finally:
            self.evaluation.append(self.objective.seconds)
            self.left = time.process_time()


def best_so_far(values: np.ndarray) -> np.ndarray:
    """Running maximum over (s, T) scores; failures (NaN) count as the worst of their run."""
    worst = np.fmin.reduce(values, axis=1, keepdims=True)
    best: np.ndarray = np.maximum.accumulate(np.where(np.isnan(values), worst, values), axis=1)
    return best


def run(cell: Cell, policy: Policy, space: tuple[Parameter, ...] | None = None) -> dict[str, np.ndarray]:
    """Tune the cell's task with a policy, once a seed, in its own box or another `space`.

    Arrays, for s seeds and T evaluations, the initial design included: `value` (s,T), the scores, NaN where an
    evaluation failed; `best` (s,T), the largest so far; `x` (s,T,d), in the unit cube, in single precision;
    `proposal_seconds`, `evaluation_seconds` (s,T), CPU time; `failures`, one message each; `initial_size`, `rows`,
    `size` ().

    Raises DataUnavailable, DataCorrupted or ModelUnavailable before anything is evaluated, RuntimeError where every
    evaluation of a seed failed.
    """
    budget, rows, size = (int(cell.options[name]) for name in ("budget", "rows", "size"))
    initial = default_initial_size(policy.dim)
    objective = Objective(cell.problem, Workload(rows, size), space=space)
    objective.prepare()
    bounds = [(0.0, 1.0)] * policy.dim
    # this call compiles
    optimize(lambda x: -float(np.sum(x**2)), bounds, policy=policy, budget=budget, key=seed_keys((0,))[0])
    histories, clocks = [], []
    for key in seed_keys(cell.seeds):
        clock = _Clock(objective)
        history = optimize(clock, bounds, policy=policy, budget=budget, key=key, on_failure="worst")
        if len(history.failures) == budget:
            raise RuntimeError(f"every evaluation of {cell.label} failed; the first {history.failures[0]}")
        histories.append(history)
        clocks.append(clock)
    return arrays_of(histories, clocks) | {
        "initial_size": np.asarray(initial),
        "rows": np.asarray(rows),
        "size": np.asarray(size),
    }


def arrays_of(histories: list[History], clocks: list[_Clock]) -> dict[str, np.ndarray]:
    """The arrays of :func:`run` that come from the runs themselves."""
    values = np.stack([history.y for history in histories])
    messages = [message for history in histories for message in history.failures.values()]
    return {
        "value": values,
        "best": best_so_far(values),
        "x": np.stack([history.x for history in histories]).astype(np.float32),
        "proposal_seconds": np.asarray([clock.proposal for clock in clocks]),
        "evaluation_seconds": np.asarray([clock.evaluation for clock in clocks]),
        "failures": np.asarray(messages, dtype=str),
    }
