"""Calibration (ours): every method on functions drawn at random, over a grid of the open constants.

No problem that a figure shows takes part. `experiments.boke.chosen_constants` holds the rule that turns these results
into values of `core.policies.constants`. Grids, functions and rule were fixed before the run:

* functions: those of `experiments.boke.calibration_functions` in `DIMENSIONS`, four families in turn, half of them
  sample paths of Gaussian processes (on which GP-UCB's model is right) and half not;
* noise: none, and Gaussian with a standard deviation of `NOISE_FRACTION` of the function's range;
* grids: the same number of configurations for every method and bandwidth rule, all on the same functions, starts and
  noise; the methods with kernels are run with the first of `RULES`, and at scale paper with the others;
* with every final regret the one after the initial design is stored: a run that does not improve on it is a failure.

The methods search their acquisitions as they do in the figures: with a quarter of the candidates and starts, BOKE was
flattered in six dimensions, where a fuller search finds the corners of the cube.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core import policies
from core.designs import seed_keys
from core.policies import Policy, SearchEffort
from core.simulate import simulate
from experiments.boke.calibration_functions import calibration_problem
from experiments.boke.regret import BUDGETS
from experiments.engine.study import Cell, Study
from experiments.problems import Problem

__all__ = ["GRIDS", "METHODS", "NOISE_LEVELS", "RULES", "STUDY", "configurations", "grid_of", "run"]

BANDWIDTHS: Mapping[str, tuple[float, ...]] = {"scott": (0.25, 0.5, 1.0, 2.0), "scott_box": (0.05, 0.1, 0.2, 0.4)}
"""The constants tried for each bandwidth rule (`core.models.bandwidth.RULES`)."""

RULES = tuple(BANDWIDTHS)
NOISE_SCALES = (0.01, 0.03, 0.1, 0.3)

GRIDS: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "boke": {"noise_scale": NOISE_SCALES, "delta": (0.1, 0.001)},
    "boke_plus": {"noise_scale": NOISE_SCALES, "exploration_probability": (0.25, 0.5)},
    "kr_ucb": {"exploration": (0.3, 1.0), "widening": (0.7, 0.95), "threshold": (0.5, 0.9)},
    "gp_ucb": {"lengthscale": (0.1, 0.2, 0.4, 0.8), "noise_scale": NOISE_SCALES, "beta": (1.0, 4.0)},
}
"""The values tried for each constant, by method; with the four values of the bandwidth, 32 configurations each."""

KERNEL_METHODS = ("boke", "boke_plus", "kr_ucb")

METHODS: tuple[tuple[str, str], ...] = (
    *((policy, RULES[0]) for policy in KERNEL_METHODS),
    ("gp_ucb", ""),
    *((policy, rule) for rule in RULES[1:] for policy in KERNEL_METHODS),
)
"""The pairs that are calibrated: policy and bandwidth rule. GP-UCB has no rule; its bandwidth is its lengthscale."""

FIXED: Mapping[str, Mapping[str, float]] = {"boke_plus": {"delta": 0.1}}
"""Constants that a method does not vary."""

NOISE_FRACTION = 0.1
NOISE_LEVELS = (0.0, NOISE_FRACTION)
DIMENSIONS = {"smoke": (1,), "quick": (1, 2, 4, 6), "paper": (1, 2, 3, 4, 6)}
FUNCTIONS = {"smoke": 4, "quick": 8, "paper": 48}
EFFORT = {"raw_candidates": 1024, "starts": 8, "max_steps": 200}
"""The effort of every acquisition's search, which is that of `SearchEffort.of`."""


def configurations(grid: Mapping[str, Sequence[float]]) -> list[dict[str, float]]:
    """Every combination of the values of a grid; the last constant varies fastest."""
    names = list(grid)
    return [dict(zip(names, values, strict=True)) for values in itertools.product(*(grid[name] for name in names))]


def grid_of(policy: str, rule: str) -> dict[str, tuple[float, ...]]:
    """The values tried for each constant of a method with that rule; the bandwidth's values come first."""
    return {**({"bandwidth": BANDWIDTHS[rule]} if rule else {}), **GRIDS[policy]}


def stacked_policies(name: str, rule: str, dim: int, grid: Mapping[str, Sequence[float]]) -> Policy:
    """One policy whose constants carry a leading axis with one entry a configuration; constants are
    leaves, not code."""
    fixed: dict[str, Any] = {**FIXED.get(name, {}), "effort": SearchEffort.of(dim, **EFFORT)}
    fixed |= {"rule": rule} if rule else {}
    made = [policies.make(name, dim, **configuration, **fixed) for configuration in configurations(grid)]
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *made)


def regrets(policy: Policy, problem: Problem, seed: int, budget: int) -> tuple[Float[Array, " k"], Float[Array, " k"]]:
    """Simple regret after the initial design and after the budget, as a fraction of the range, for k policies."""

    def regret(one: Policy) -> tuple[Array, Array]:
        trajectory = simulate(one, problem, seed_keys([seed]), budget)
        simple = trajectory.simple_regret(problem.optimum)[0] / problem.range
        return simple[trajectory.initial_size - 1], simple[-1]

    initial, final = eqx.filter_vmap(regret)(policy)
    return initial, final


def run(cell: Cell) -> dict[str, np.ndarray]:
    """All configurations of a method on the functions of one dimension.

    Arrays: `initial_regret`, `final_regret` (functions, noise levels, configurations), simple regret after the initial
    design and after the budget as a fraction of the function's range.
    """
    dim, budget = int(cell.options["dim"]), int(cell.options["budget"])
    policy = stacked_policies(cell.policy, str(cell.options["rule"]), dim, cell.options["grid"])
    found = [
        [
            regrets(policy, calibration_problem(dim, seed).with_relative_noise(fraction), seed, budget)
            for fraction in jnp.asarray(cell.options["noise_fractions"], float)
        ]
        for seed in cell.seeds
    ]
    both: np.ndarray = np.asarray(found)
    return {"initial_regret": both[:, :, 0], "final_regret": both[:, :, 1]}


def cells(scale: str) -> list[Cell]:
    """One cell a method and dimension."""
    return [
        Cell(
            f"calibration{dim}",
            policy,
            tuple(range(FUNCTIONS[scale])),
            {
                "dim": dim,
                "rule": rule,
                "budget": BUDGETS[scale][dim],
                "noise_fractions": list(NOISE_LEVELS),
                "grid": {name: list(values) for name, values in grid_of(policy, rule).items()},
            },
        )
        for policy, rule in METHODS
        if scale == "paper" or rule in ("", RULES[0])
        for dim in DIMENSIONS[scale]
    ]


STUDY = Study(
    __name__,
    title="Choice of the constants, on functions drawn at random",
    caption=(
        "Final simple regret of every method over a grid of the constants that the paper leaves open, on functions of "
        "four families drawn at random. All constants but the bandwidth of BOKE, BOKE+ and KR-UCB, and the noise scale "
        "of BOKE and BOKE+, were chosen from these results alone."
    ),
    cells=cells,
    run=run,
    default=False,
)
"""The study runs by its own name only: its results are kept, and a run by other code would choose other constants."""
