"""The probabilities of EXP3 by the end of a run (section 7.2): UHE-BO alone, over as many seeds as the reading needs.

Where a bandit has learnt nothing, the probability of a random query ends anywhere, with a deviation of 0.17 to 0.19
between runs: the mean over the 80 seeds of `experiments.uhe.fig2` leaves open whether the probability moved by a
twentieth. Policy, problems, initial data and budget are those of that study; the seeds are others, so that nothing seen
there counts twice, and no predictions are watched, which changes no query and would take half of the time. It runs by
its own name only.
"""

from collections.abc import Mapping

import numpy as np

from core.designs import default_initial_size, seed_keys
from core.simulate import simulate
from experiments import problems
from experiments.engine.study import Cell, Study, blocks
from experiments.uhe.benchmarks import LONG_STEPS, STEPS, make_policy

__all__ = ["POLICY", "PROBLEMS", "SEEDS", "STUDY", "run"]

POLICY = "uhe_bo"
PROBLEMS: Mapping[str, tuple[str, ...]] = {
    "smoke": ("deceptive2",),
    "quick": ("branin", "deceptive2", "hartmann3", "h1"),
    "paper": ("branin", "deceptive2", "hartmann3", "h1"),
}
SEEDS: Mapping[str, tuple[int, ...]] = {
    "smoke": (1000, 1001),
    "quick": tuple(range(1000, 1080)),
    "paper": tuple(range(1000, 1400)),
}
"""The seeds at each scale; no seed of `experiments.uhe.fig2` is among them. Scale paper has as many as
`uhe.exp3_learns` needs."""

BLOCK = 100
"""The largest number of seeds of a cell."""

EVERY = 10
"""The number of evaluations from one record to the next; the last evaluation is always recorded."""


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `random_probability` (s,P), that of arm 0 when the evaluations `t` (P,) after the initial data were
    chosen, counted from 1, in single precision.
    """
    problem, steps = problems.get(cell.problem), int(cell.options["steps"])
    size = default_initial_size(problem.dim)
    policy = make_policy(cell.policy, problem.dim, steps, str(cell.options["arm"]))
    keys = seed_keys(cell.seeds)
    trajectory = simulate(policy, problem, keys, size + steps, initial_size=size, design="uniform")
    t = np.arange(steps, 0, -EVERY)[::-1]
    probabilities = np.asarray(trajectory.info["random_probability"])[:, t - 1]
    return {"random_probability": probabilities.astype(np.float32), "t": t}


def study_cells(scale: str) -> list[Cell]:
    """One cell a problem and block of seeds."""
    return [
        Cell(problem, POLICY, block, {"steps": steps_of(problem, scale), "arm": "rate"})
        for problem in PROBLEMS[scale]
        for block in blocks(SEEDS[scale], BLOCK)
    ]


def steps_of(problem: str, scale: str) -> int:
    """Evaluations after the initial data, as in `experiments.uhe.fig2`."""
    return LONG_STEPS if scale == "quick" and problem.startswith("h1") else STEPS[scale]


STUDY = Study(
    __name__,
    title="What EXP3 has learnt, many runs of UHE-BO",
    caption="Probability of a random query in runs of UHE-BO on Branin, Deceptive, Hartmann3 and h1.",
    cells=study_cells,
    run=run,
    default=False,
)
