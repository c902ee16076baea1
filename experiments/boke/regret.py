"""The shared parts of Figures 6 and 7: problems, methods, budgets, noise, and how one cell is computed.

Every method starts from the same Latin hypercube and sees the same noise for the same seed (`core.simulate`), with
the constants of `core.policies.constants`. Simple regret is measured on the noise-free objective at the points queried,
A (4), the initial design included.

The noise is Gaussian with a standard deviation that is a fraction of the problem's range; noise-free runs are the same
program with the fraction 0, so that both figures compile once.
"""

from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np

from core import policies
from core.designs import default_initial_size, seed_keys
from core.simulate import Trajectory, simulate
from experiments import problems
from experiments.engine.slim import Kept
from experiments.engine.study import Cell
from experiments.problems import Problem

__all__ = [
    "BUDGETS",
    "KEPT",
    "NOISE_FRACTION",
    "PANELS",
    "POLICIES",
    "PROBLEMS",
    "SEEDS",
    "SHOWN",
    "cells",
    "regret_arrays",
    "run",
]

NOISE_FRACTION = 0.05
"""The standard deviation of Figure 7's noise as a fraction of the problem's range (max − min); the paper prints no
number."""

BUDGETS: Mapping[str, Mapping[int, int]] = {
    "smoke": {1: 12, 2: 12, 3: 20, 4: 20, 6: 20},
    "quick": {1: 30, 2: 30, 3: 60, 4: 60, 6: 60},
    "paper": {1: 50, 2: 50, 3: 100, 4: 100, 6: 100},
}
"""The number of observations, the initial design of max(5, 2d + 1) points included, by scale and dimension; the paper
prints no number."""

SEEDS = {"smoke": 2, "quick": 30, "paper": 150}
"""The seeds at each scale. The paper has 30. The number at scale paper distinguishes methods that differ by a factor of
two on a panel, with probability 0.9."""

PANELS: Mapping[str, tuple[str, ...]] = {
    "A": ("forrester",),
    "B": ("goldstein_price", "log_goldstein_price"),
    "C": ("six_hump_camel",),
    "D": ("hartmann3",),
    "E": ("rosenbrock4",),
    "F": ("sphere6", "rotated_sphere"),
}
"""The functions that a panel may show: the usual form, and the form of the reference after which the paper names its
functions. The second form is left out where it differs by shift and scale alone, as for Rosenbrock."""

PROBLEMS: Mapping[str, tuple[str, ...]] = {
    "smoke": ("forrester", "sphere6"),
    "quick": tuple(problem for panel in PANELS.values() for problem in panel),
    "paper": tuple(problem for panel in PANELS.values() for problem in panel),
}
"""The problems in the order of the panels A to F; at smoke scale the smallest and the largest."""

POLICIES = ("boke", "boke_plus", "kr_ucb", "gp_ucb", "gp_ucb_refit", "random_search")
"""The paper's four methods; GP-UCB with refitted hyperparameters and random search are ours."""

SHOWN: Mapping[str, tuple[str, ...]] = {
    "smoke": POLICIES,
    "quick": tuple(policy for policy in POLICIES if policy != "gp_ucb_refit"),
    "paper": POLICIES,
}
"""The methods at each scale. Scale quick leaves out refitted GP-UCB, which takes almost half of the time."""

KEPT = Kept(unread=("y", "value"), design_only=("x",))
"""The parts of the results that are kept; see `experiments.engine.slim`."""


def cells(scale: str, noise_fraction: float) -> list[Cell]:
    """One cell a problem and method, all seeds in it."""
    return [
        Cell(
            problem,
            policy,
            tuple(range(SEEDS[scale])),
            {"noise_fraction": noise_fraction, "budget": BUDGETS[scale][problems.get(problem).dim]},
        )
        for problem in PROBLEMS[scale]
        for policy in SHOWN[scale]
    ]


def regret_arrays(problem: Problem, trajectory: Trajectory) -> dict[str, Any]:
    """The stored arrays of a run of s seeds and T observations.

    `simple_regret`, `y`, `value` (s,T); `x` (s,T,d) in the unit cube and the policy's diagnostics `info_<name>` (s,K)
    of the K proposals, both in single precision, because they serve pictures and no computation; `initial_size`,
    `optimum`, `range` ().
    """
    info = {f"info_{name}": np.asarray(values, np.float32) for name, values in trajectory.info.items()}
    return {
        "simple_regret": trajectory.simple_regret(problem.optimum),
        "y": trajectory.y,
        "value": trajectory.value,
        "x": np.asarray(trajectory.x, np.float32),
        "initial_size": trajectory.initial_size,
        "optimum": problem.optimum,
        "range": problem.range,
        **info,
    }


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Run the cell's policy on its problem; `regret_arrays` lists the arrays."""
    problem = problems.get(cell.problem).with_relative_noise(jnp.asarray(cell.options["noise_fraction"], float))
    policy = policies.make(cell.policy, problem.dim)
    size = default_initial_size(problem.dim)
    trajectory = simulate(policy, problem, seed_keys(cell.seeds), int(cell.options["budget"]), initial_size=size)
    return {name: np.asarray(values) for name, values in regret_arrays(problem, trajectory).items()}
