"""The shared parts of Figures 3, 7 and 8: problems, methods, budgets, the two noise arms, and how one cell is computed.

Every method starts from the same 3d scrambled Sobol points and sees the same noise for the same seed. The noise is
Gaussian with a standard deviation that is a fraction of the problem's exact range, the same at every point; the paper
says "less than or equal to" that fraction, its public code draws it so. Two arms report it to the Gaussian process:

* `known`: the variance. This is the paper's model, B (2), with its upsilon known, and what an experimenter can know;
* `leaked`: the square of the noise that occurred, as the public code does (`experiments.problems.reported_noise`).

Both are one compiled program, and so are all noise levels, and all cells of one number of seeds.

The paper's x+ is the observed point with the largest posterior mean. Before each proposal, f(x*) - f(x+) and the
distance from x+ to the nearest optimiser are stored, both without noise.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np

from core import policies
from core.designs import seed_keys
from core.simulate import simulate
from experiments import problems
from experiments.engine.slim import Kept
from experiments.engine.study import Cell
from experiments.problems import ReportedNoise

__all__ = [
    "ARMS",
    "COMPARED",
    "COMPARED_SEEDS",
    "KEPT",
    "METHODS",
    "OPTIONS",
    "PROBLEMS",
    "SEEDS",
    "STEPS",
    "cells",
    "initial_size",
    "measured",
    "run",
]

PROBLEMS: Mapping[str, tuple[str, ...]] = {
    "smoke": ("hartmann3",),
    "quick": ("hartmann3", "griewank6", "levy4", "powell5"),
    "paper": ("hartmann3", "griewank6", "levy4", "powell5"),
}
"""The problems in the order of the panels (a) to (d)."""

METHODS = ("corrected_ei", "ei", "corrected_pi", "pi", "gp_ucb_refit", "noisy_ei", "qnei")

OPTIONS: Mapping[str, Mapping[str, Any]] = {"gp_ucb_refit": {"kernel": "matern52", "beta": 1.0}}
"""The options of a method's constructor: the paper prints no beta for UCB, its public code uses 1."""

STEPS = {"smoke": 3, "quick": 40, "paper": 150}
"""The number of proposals after the initial design; the paper's "total number of iterations" is 150."""

SEEDS = {"smoke": 2, "quick": 6, "paper": 15}
"""The seeds at each scale; the paper has 15."""

COMPARED = ("corrected_ei", "ei")
COMPARED_SEEDS = {"smoke": 2, "quick": 6, "paper": 280}
"""The seeds of the two methods whose order the paper states. At the spread of the runs at scale quick a final regret
0.8 times the other takes about 1,100 pairs, 270 seeds on each of four problems; 15 seeds detect a ratio of 0.4."""

ARMS = {"known": 0.0, "leaked": 1.0}
"""The noise arms, and the `leaked` of `ReportedNoise`."""

KEPT = Kept(unread=("y", "acquisition", "value", "incumbent"), design_only=("x",))
"""The parts of the results of Figures 7 and 8 that are kept; see `experiments.engine.slim`."""


def initial_size(dim: int) -> int:
    """The number of points of the initial design, 3d."""
    return 3 * dim


def cells(
    scale: str,
    fractions: Sequence[float],
    arms: Sequence[str] = ("known",),
    names: Sequence[str] | None = None,
    methods: Sequence[str] = METHODS,
    seeds: Mapping[str, int] | None = None,
) -> list[Cell]:
    """One cell a problem, method, noise level and arm, all its seeds in it.

    These are `seeds[scale]` for every method, or else `SEEDS`, and `COMPARED_SEEDS` for the two that are compared.

    Arms and levels vary slowest: cells that share a program are far apart, so that the first has compiled it for all.
    """

    def count(method: str) -> int:
        if seeds is not None:
            return seeds[scale]
        return (COMPARED_SEEDS if method in COMPARED else SEEDS)[scale]

    return [
        Cell(
            problem,
            method,
            tuple(range(count(method))),
            {"noise_fraction": fraction, "arm": arm, "steps": STEPS[scale], **OPTIONS.get(method, {})},
        )
        for arm in arms
        for fraction in fractions
        for problem in (PROBLEMS[scale] if names is None else names)
        for method in methods
    ]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Run the cell's method on its problem; see :func:`measured`."""
    problem = problems.get(cell.problem).with_relative_noise(float(cell.options["noise_fraction"]))
    policy = policies.make(cell.policy, problem.dim, **OPTIONS.get(cell.policy, {}))
    return measured(problem, policy, ARMS[cell.options["arm"]], cell)


def measured(problem: problems.Problem, policy: policies.Policy, leaked: float, cell: Cell) -> dict[str, np.ndarray]:
    """Runs of a policy on a problem, from the initial design on, with the cell's seeds and steps.

    Arrays, for s seeds, T observations and K proposals: `gap`, `distance` (s,K) of x+ before each proposal, the first
    in the unit of f, the second in natural units of x; `t` (K,), how many observations x+ was chosen from; `incumbent`
    (s,K), which of them it was; `value` (s,T), noise-free; `y` (s,T) and `x` (s,T,d), in the unit cube, in single
    precision; `acquisition` (s,K), in the unit of f; `optimum`, `range`, `initial_size` ().
    """
    size = initial_size(problem.dim)
    trajectory = simulate(
        policy,
        ReportedNoise(problem, leaked),
        seed_keys(cell.seeds),
        size + int(cell.options["steps"]),
        initial_size=size,
        design="sobol",
        known_noise=True,
    )
    incumbent = np.asarray(trajectory.info["incumbent"]).astype(int)
    value, x = np.asarray(trajectory.value), np.asarray(trajectory.x)
    distance = np.asarray(jax.jit(jax.vmap(jax.vmap(problem.distance_to_optimizer)))(trajectory.x))
    arrays = {
        "gap": float(problem.optimum) - np.take_along_axis(value, incumbent, axis=1),
        "distance": np.take_along_axis(distance, incumbent, axis=1),
        "t": size + np.arange(incumbent.shape[1]),
        "incumbent": incumbent.astype(np.int16),
        "value": value,
        "y": np.asarray(trajectory.y, np.float32),
        "x": x.astype(np.float32),
        "acquisition": np.asarray(trajectory.info["acquisition"], np.float32),
        "optimum": np.asarray(problem.optimum),
        "range": np.asarray(problem.range),
        "initial_size": np.asarray(size),
    }
    return arrays
