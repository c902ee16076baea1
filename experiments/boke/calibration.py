"""Calibration (ours): every method on Gaussian-process sample paths, over a grid of the open constants.

No problem that a figure shows takes part. `experiments.boke.chosen_constants` holds the rule that turns these results
into the values of `core.policies.constants`. Grids, paths and rule were fixed before the run:

* paths: `DIMENSIONS`, squared exponential and Matérn-5/2 in turn, lengthscale uniform in `LENGTHSCALES`, variance 1;
* noise: none, and Gaussian with a standard deviation of `NOISE_FRACTION` of the path's range;
* grids: the same number of configurations for every method, all on the same paths, starts and noise.

The methods search their acquisitions with a quarter of the usual effort (`EFFORT`), all alike, to keep this affordable.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from core import policies
from core.designs import seed_keys
from core.loop import simulate
from core.policies import Policy, SearchEffort
from experiments.boke.regret import BUDGETS
from experiments.engine.study import Cell, Study
from experiments.problems import Problem
from experiments.problems.gp_sample import extremes
from experiments.problems.sample_path import sample_path

__all__ = ["GRIDS", "NOISE_LEVELS", "STUDY", "configurations", "path_problem", "run"]

BANDWIDTHS = (0.05, 0.1, 0.2, 0.4)
NOISE_SCALES = (0.01, 0.03, 0.1, 0.3)

GRIDS: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "boke": {"bandwidth": BANDWIDTHS, "noise_scale": NOISE_SCALES, "delta": (0.1, 0.001)},
    "boke_plus": {"bandwidth": BANDWIDTHS, "noise_scale": NOISE_SCALES, "exploration_probability": (0.25, 0.5)},
    "kr_ucb": {
        "bandwidth": BANDWIDTHS,
        "exploration": (0.3, 1.0),
        "widening": (0.7, 0.95),
        "threshold": (0.5, 0.9),
    },
    "gp_ucb": {"lengthscale": (0.1, 0.2, 0.4, 0.8), "noise_scale": NOISE_SCALES, "beta": (1.0, 4.0)},
}
"""Values tried of each constant, by method: 32 configurations each."""

FIXED: Mapping[str, Mapping[str, float]] = {"boke_plus": {"delta": 0.1}}
"""Constants that a method does not vary."""

NOISE_FRACTION = 0.1
NOISE_LEVELS = (0.0, NOISE_FRACTION)
LENGTHSCALES = (0.15, 0.4)
DIMENSIONS = {"smoke": (1,), "quick": (1, 2, 3, 4, 6), "paper": (1, 2, 3, 4, 6)}
PATHS = {"smoke": 2, "quick": 16, "paper": 48}
EFFORT = {"raw_candidates": 256, "starts": 4, "max_steps": 50}


def configurations(grid: Mapping[str, Sequence[float]]) -> list[dict[str, float]]:
    """Every combination of the values of a grid, the last constant running fastest."""
    names = list(grid)
    return [dict(zip(names, values, strict=True)) for values in itertools.product(*(grid[name] for name in names))]


def path_problem(dim: int, seed: int) -> Problem:
    """The sample path of that number: kernel by parity, lengthscale drawn from `LENGTHSCALES`; optimum by search."""
    lengthscale = float(np.random.default_rng([seed, dim]).uniform(*LENGTHSCALES))
    path = sample_path(seed, dim, ("squared_exponential", "matern52")[seed % 2], lengthscale, features=512)
    highest, where, lowest = extremes(path, candidates=2**12, starts=16)
    return Problem(
        name=f"gp_sample{dim}",
        dim=dim,
        formula=path,
        sign=1.0,
        bounds=[[0.0, 1.0]] * dim,
        optimum=highest,
        optimizers=jnp.asarray(where)[None],
        range=highest - lowest,
    )


def stacked_policies(name: str, dim: int, grid: Mapping[str, Sequence[float]]) -> Policy:
    """One policy whose constants carry a leading axis, an entry a configuration; constants are leaves, not code."""
    effort = SearchEffort.of(dim, **EFFORT)
    fixed: dict[str, Any] = {**FIXED.get(name, {}), "effort": effort}
    made = [policies.make(name, dim, **configuration, **fixed) for configuration in configurations(grid)]
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *made)


def run(cell: Cell) -> dict[str, np.ndarray]:
    """All configurations of a method on the paths of one dimension.

    Arrays: `final_regret` (paths, noise levels, configurations), simple regret after the budget as a fraction of the
    path's range; `lengthscale` (paths,).
    """
    dim, budget = int(cell.options["dim"]), int(cell.options["budget"])
    policy = stacked_policies(cell.policy, dim, cell.options["grid"])
    final, lengthscales = [], []
    for seed in cell.seeds:
        exact = path_problem(dim, seed)
        lengthscales.append(np.random.default_rng([seed, dim]).uniform(*LENGTHSCALES))
        rows = []
        for fraction in cell.options["noise_fractions"]:
            problem = exact.with_relative_noise(fraction)

            def regret(one: Policy, problem: Problem = problem, seed: int = seed) -> jax.Array:
                trajectory = simulate(one, problem, seed_keys([seed]), budget)
                return trajectory.simple_regret(problem.optimum)[0, -1] / problem.range

            rows.append(np.asarray(eqx.filter_vmap(regret)(policy)))
        final.append(rows)
    return {"final_regret": np.asarray(final), "lengthscale": np.asarray(lengthscales)}


def cells(scale: str) -> list[Cell]:
    """One cell a dimension and method."""
    return [
        Cell(
            f"gp_sample{dim}",
            policy,
            tuple(range(PATHS[scale])),
            {
                "dim": dim,
                "budget": BUDGETS[scale][dim],
                "noise_fractions": list(NOISE_LEVELS),
                "grid": {name: list(values) for name, values in grid.items()},
            },
        )
        for dim in DIMENSIONS[scale]
        for policy, grid in GRIDS.items()
    ]


STUDY = Study(
    __name__,
    title="Choice of the constants, on Gaussian-process sample paths",
    caption=(
        "Final simple regret of every method over a grid of the constants that the paper leaves open, on "
        "Gaussian-process sample paths. The values used everywhere else were chosen from these results alone."
    ),
    cells=cells,
    run=run,
    default=False,
)
"""Not run unless named: its results are kept, and running it again on other code would choose other constants."""
