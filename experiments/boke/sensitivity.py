"""Figure A-S (ours): final regret against each constant that the paper leaves open, the others at our values.

Two problems, each without noise and with Figure 7's. Nothing was chosen from this figure: see `docs/constants/boke.md`.
The constants are leaves of the policies, so one compiled program serves all values of a method on a problem; budgets
are those of Figures 6 and 7. It is no experiment of the paper's, and no claim is judged by it: like the other sweeps of
constants it runs by its own name only.
"""

from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np

from core import policies
from core.designs import default_initial_size, seed_keys
from core.policies import constants as chosen
from core.simulate import simulate
from experiments import problems
from experiments.boke.regret import BUDGETS, NOISE_FRACTION
from experiments.engine.study import Cell, Study

__all__ = ["STUDY", "VALUES", "run", "run_with"]

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)


def _around(value: float) -> tuple[float, ...]:
    return tuple(value * factor for factor in FACTORS)


def _through(value: float, grid: tuple[float, ...]) -> tuple[float, ...]:
    """The grid, and our value where it is not in it."""
    return tuple(sorted({*grid, value}))


VALUES: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "boke": {
        "bandwidth": _around(chosen.BANDWIDTH),
        "noise_scale": _around(chosen.NOISE_SCALE),
        "delta": _through(chosen.DELTA, (0.0001, 0.001, 0.01, 0.1, 0.5)),
    },
    "boke_plus": {
        "exploration_probability": _through(chosen.EXPLORATION_PROBABILITY, (0.1, 0.25, 0.5, 0.75, 1.0)),
    },
    "kr_ucb": {
        "bandwidth": _around(chosen.BANDWIDTH),
        "exploration": _around(chosen.KR_UCB_EXPLORATION),
        "widening": _through(chosen.KR_UCB_WIDENING, (0.5, 0.6, 0.7, 0.85, 0.95)),
        "threshold": _through(chosen.KR_UCB_THRESHOLD, (0.1, 0.3, 0.5, 0.7, 0.9)),
    },
    "gp_ucb": {
        "lengthscale": _around(chosen.LENGTHSCALE),
        "noise_scale": _around(chosen.GP_NOISE_SCALE),
        "beta": _around(chosen.GP_BETA),
    },
}
"""Values of each constant, by method: a quarter to four times ours, or a grid of its range through ours."""

PROBLEMS = {
    "smoke": ("forrester",),
    "quick": ("goldstein_price", "hartmann3"),
    "paper": ("goldstein_price", "hartmann3"),
}
SEEDS = {"smoke": 2, "quick": 4, "paper": 30}
NOISE = {"smoke": (0.0,), "quick": (0.0, NOISE_FRACTION), "paper": (0.0, NOISE_FRACTION)}
SMOKE_POLICIES = ("boke", "kr_ucb")


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `simple_regret` (s,T), `initial_size` (), `range` ()."""
    return run_with(cell, {str(cell.options["constant"]): float(cell.options["value"])})


def run_with(cell: Cell, constants: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The cell's method with these constants; arrays as those of `run`."""
    options = cell.options
    problem = problems.get(str(options["problem"])).with_relative_noise(jnp.asarray(options["noise_fraction"], float))
    policy = policies.make(cell.policy, problem.dim, **constants)
    size = default_initial_size(problem.dim)
    trajectory = simulate(policy, problem, seed_keys(cell.seeds), int(options["budget"]), initial_size=size)
    regret = np.asarray(trajectory.simple_regret(problem.optimum))
    return {"simple_regret": regret, "initial_size": np.asarray(size), "range": np.asarray(problem.range)}


def _cell(scale: str, problem: str, noise: float, policy: str, constant: str, value: float) -> Cell:
    """The cell of one value of one constant; noisy problems get a name of their own."""
    options = {
        "problem": problem,
        "noise_fraction": noise,
        "constant": constant,
        "value": value,
        "budget": BUDGETS[scale][problems.get(problem).dim],
    }
    name = f"{problem}, noisy" if noise else problem
    return Cell(name, policy, tuple(range(SEEDS[scale])), options)


def cells(scale: str) -> list[Cell]:
    """One cell a value of a constant; at smoke scale two methods and three values."""
    smoke = scale == "smoke"
    return [
        _cell(scale, problem, noise, policy, constant, value)
        for problem in PROBLEMS[scale]
        for noise in NOISE[scale]
        for policy, swept in VALUES.items()
        if not smoke or policy in SMOKE_POLICIES
        for constant, values in swept.items()
        for value in (values[0], values[len(values) // 2], values[-1])[: 3 if smoke else 0] or values
    ]


STUDY = Study(
    __name__,
    title="Sensitivity to each constant",
    caption=(
        "Simple regret after the whole budget against each constant that the paper leaves open, one at a time, on "
        "Goldstein-Price and Hartmann3, without noise and with Gaussian noise of 5 % of the range."
    ),
    cells=cells,
    run=run,
    default=False,
)
