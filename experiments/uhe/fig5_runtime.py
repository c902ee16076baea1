"""Figure 5 (appendix D), second part: running time of UHE-BO beside MAP and MCMC.

Seconds of a whole run, as a user would wait for it: initial data, fits or chains, searches. The three methods are timed
in turn in one process, seed by seed, after a first run of each that compiles and is thrown away. CPU seconds stand
beside wall seconds, because other work on the machine disturbs them less. The paper's third problem, a random forest,
would add the same training time to all three.
"""

import time
from collections.abc import Mapping, Sequence

import jax
import numpy as np

from core.designs import default_initial_size, seed_keys
from core.policies import Policy
from core.simulate import simulate
from experiments import problems
from experiments.engine.study import Cell, Study
from experiments.problems import Problem
from experiments.uhe.benchmarks import STEPS, make_policy

__all__ = ["METHODS", "STUDY", "run", "timed"]

METHODS: Mapping[str, tuple[str, ...]] = {
    "smoke": ("uhe_bo", "gp_ucb_map"),
    "quick": ("uhe_bo", "gp_ucb_map", "gp_ucb_mcmc"),
    "paper": ("uhe_bo", "gp_ucb_map", "gp_ucb_mcmc"),
}

PROBLEMS: Mapping[str, tuple[str, ...]] = {
    "smoke": ("deceptive2",),
    "quick": ("deceptive2", "hartmann3"),
    "paper": ("deceptive2", "hartmann3"),
}

REPETITIONS: Mapping[str, int] = {"smoke": 2, "quick": 3, "paper": 20}
"""The repetitions at each scale. Scale quick has enough for an interval; the readings use scale paper."""


def timed(
    problem: Problem, made: Mapping[str, Policy], seeds: Sequence[int], steps: int
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Wall and CPU seconds of whole runs (repetitions,) by method; the methods run in turn, seed by seed."""
    size, methods = default_initial_size(problem.dim), tuple(made)
    wall: dict[str, list[float]] = {name: [] for name in methods}
    processor: dict[str, list[float]] = {name: [] for name in methods}
    for repetition, seed in enumerate((seeds[0], *seeds)):
        turn = repetition % len(methods)
        for name in methods[turn:] + methods[:turn]:
            start = time.perf_counter(), time.process_time()
            done = simulate(
                made[name],
                problem,
                seed_keys((seed,)),
                size + steps,
                initial_size=size,
                design="uniform",
                one_program=True,
            )
            jax.block_until_ready(done.y)
            if repetition:  # the first one compiled
                wall[name].append(time.perf_counter() - start[0])
                processor[name].append(time.process_time() - start[1])
    return {name: np.asarray(values) for name, values in wall.items()}, {
        name: np.asarray(values) for name, values in processor.items()
    }


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: for every method `seconds_<name>`, `cpu_seconds_<name>` (repetitions,); `steps` ()."""
    problem, steps = problems.get(cell.problem), int(cell.options["steps"])
    made = {name: make_policy(name, problem.dim, steps) for name in METHODS[cell.scale]}
    wall, processor = timed(problem, made, cell.seeds, steps)
    return {
        **{f"seconds_{name}": values for name, values in wall.items()},
        **{f"cpu_seconds_{name}": values for name, values in processor.items()},
        "steps": np.asarray(steps),
    }


STUDY = Study(
    __name__,
    title="Running time of UHE-BO, MAP and MCMC",
    caption="Seconds of whole runs of UHE-BO, MAP and MCMC on Deceptive and Hartmann3, timed in turn.",
    cells=lambda scale: [
        Cell(problem, "all", tuple(range(REPETITIONS[scale])), {"steps": STEPS[scale]}) for problem in PROBLEMS[scale]
    ],
    run=run,
)
