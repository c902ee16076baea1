"""Table 1 (appendix C): seconds for 100 evaluations on Ackley (30 at scale quick), every method by itself.

A run is everything that a user waits for except compilation: initial design, fits, searches, evaluations. The run that
compiles is timed apart. One seed at a time, in one process. CPU seconds stand beside wall seconds, because other work
on the machine disturbs them less.
"""

import time
from collections.abc import Mapping

import equinox as eqx
import jax
import numpy as np

from core.designs import seed_keys
from core.simulate import simulate
from experiments.ctx.benchmarks import INITIAL_SIZE, METHODS, make_policy
from experiments.engine.study import Cell, Study
from experiments.problems.contexts.registry import get_context

__all__ = ["EVALUATIONS", "REPETITIONS", "STUDY", "run"]

EVALUATIONS = {"smoke": 14, "quick": 30, "paper": 100}
"""The number of evaluations, the initial design included."""
REPETITIONS = {"smoke": 2, "quick": 3, "paper": 10}
SHOWN: Mapping[str, tuple[str, ...]] = {"smoke": ("context_free_ucb",), "quick": METHODS, "paper": METHODS}


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `seconds`, `cpu_seconds` (runs,) without compilation; `first_seconds` () with it; `evaluations` ()."""
    problem = get_context(cell.problem)
    problem = eqx.tree_at(lambda p: p.nodes, problem, problem.nodes[:1])  # the regret is of no interest here
    policy = make_policy(cell.policy, problem.dim, problem.context_dim)
    evaluations = int(cell.options["evaluations"])
    wall, processor = [], []
    for seed in (cell.seeds[0], *cell.seeds):
        key = seed_keys((seed,))
        start = time.perf_counter(), time.process_time()
        done = simulate(policy, problem, key, evaluations, initial_size=INITIAL_SIZE, design="sobol", one_program=True)
        jax.block_until_ready(done.y)
        wall.append(time.perf_counter() - start[0])
        processor.append(time.process_time() - start[1])
    return {
        "seconds": np.asarray(wall[1:]),
        "cpu_seconds": np.asarray(processor[1:]),
        "first_seconds": np.asarray(wall[0]),
        "evaluations": np.asarray(evaluations),
    }


STUDY = Study(
    __name__,
    title="Seconds for 100 evaluations on Ackley",
    caption="Seconds for 100 evaluations (30 at scale quick) on Ackley (2+1) by every method, compiled code.",
    cells=lambda scale: [
        Cell("context_ackley", method, tuple(range(100, 100 + REPETITIONS[scale])), {"evaluations": EVALUATIONS[scale]})
        for method in SHOWN[scale]
    ],
    run=run,
)
