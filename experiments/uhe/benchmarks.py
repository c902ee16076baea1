"""The shared parts of Figures 2, 4 and 5: problems, methods, budgets, and how one cell is computed.

Every method starts from the same initial data for the same seed: uniform points, because UHE-BO is about i.i.d. data.
The paper's text gives neither their number nor the number of evaluations; those are ours. It names no noise for the
benchmarks: evaluations are exact, and every method fits a noise variance all the same.

Simple regret is that of section 6, f(x*) less the best value queried, the initial data included. Figure 4 is drawn from
the same runs: the mean squared error of each method's Gaussian process is recorded on the way
(`experiments.uhe.prediction`), over scrambled Sobol' points in place of the paper's 216,000 to 250,000 points.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy.stats import qmc

from core import policies
from core.designs import default_initial_size, seed_keys
from core.policies import Policy
from core.simulate import Trajectory, simulate
from experiments import problems
from experiments.engine.slim import Kept
from experiments.engine.study import Cell
from experiments.problems import Problem
from experiments.uhe.prediction import Predicting

__all__ = [
    "ABLATIONS",
    "ARMS",
    "KEPT",
    "METHODS",
    "PROBLEMS",
    "SEEDS",
    "STEPS",
    "cell",
    "cells",
    "make_policy",
    "run",
    "watched_run",
]

PROBLEMS: Mapping[str, tuple[str, ...]] = {
    "smoke": ("deceptive2",),
    "quick": ("branin", "deceptive2", "hartmann3", "h1"),
    "paper": ("branin", "deceptive2", "hartmann3", "h1"),
}
"""The problems in the order of section 7.1; h1 has the literature's denominator. With the printed denominator, a
misprint that no claim reads, h1 is a problem of its own, `h1_printed`. No study runs this problem: ten cells, two
core-hours."""

METHODS = (
    "uhe_bo", "gp_ucb_map", "gp_ucb_mcmc", "a_gp_ucb", "wang_de_freitas", "portfolio_exp3", "random_search",
)  # fmt: skip
"""UHE-BO and the six baselines of section 7."""

ABLATIONS = ("uhe_bo", "ra_bo", "random_exp3")
"""Figure 5: with both components, without EXP3, without the pseudo-data."""

ARMS: Mapping[str, Mapping[str, Any]] = {
    "rate": {},
    "scale": {"prior_rate": 0.1},
    "uncapped": {"capped_rewards": False},
    "gpy_hmc": {"step_size": 0.1, "leapfrog_steps": 20},
}
"""The options of the policies under each reading of the text: the priors' 10 as a rate, in all studies except
`experiments.uhe.fig2_arms`; the 10 as a scale; rewards above the best of D_0 not cut off; HMC with GPy's defaults.
Results that name no reading were made when the scale was the rule."""

STEPS: Mapping[str, int] = {"smoke": 6, "quick": 36, "paper": 100}
"""The number of evaluations after the initial data, T of Algorithm 1; even, so that every pair is whole."""

LONG_STEPS = 56
"""The number of evaluations on h1 at scale quick, where regret falls late."""

SLOW = "gp_ucb_mcmc"
SLOW_SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 3, "paper": 20}
"""The seeds of the peer whose runs take thirty times as long as the others'. Scale paper has the number of section 7,
except on h1, where all seeds had been run when the number was fixed. Scale quick has three on one problem, for the
curve: readings with this peer use scale paper."""
SLOW_ARM_SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 3, "paper": 10}
"""The seeds of the same peer under another reading of the text; scale paper has the number of appendix C."""

SLOW_AT_QUICK = "hartmann3"
"""The problem of the slow peer at scale quick."""

EVERY: Mapping[str, int] = {"smoke": 2, "quick": 4, "paper": 10}
"""The number of evaluations from one record of the predictions to the next."""

SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 10, "paper": 80}
"""The seeds at each scale. Section 7 says 20, appendix C 10; the readings of `theory_checks.readings.uhe` need 80."""

POINTS: Mapping[str, int] = {"smoke": 2**8, "quick": 2**12, "paper": 2**18}
"""The number of points where predictions are compared with the objective."""

KEPT = Kept(unread=("value",), design_only=("x",))
"""The parts of the results that are kept; see `experiments.engine.slim`."""


def cells(scale: str, methods: Sequence[str]) -> list[Cell]:
    """One cell a problem and method, all seeds in it."""
    return [
        cell(scale, problem, method)
        for problem in PROBLEMS[scale]
        for method in methods
        if (scale, method) != ("quick", SLOW) or problem == SLOW_AT_QUICK
    ]


def cell(scale: str, problem: str, method: str, arm: str = "rate") -> Cell:
    """A method on a problem under one of `ARMS`, all its seeds of the scale."""
    long = scale == "quick" and problem.startswith("h1")
    counts = SEEDS
    if method == SLOW and (scale, problem, arm) != ("paper", "h1", "rate"):
        counts = SLOW_SEEDS if arm == "rate" and problem in PROBLEMS[scale] else SLOW_ARM_SEEDS
    seeds = range(counts[scale])
    steps = LONG_STEPS if long else STEPS[scale]
    options = {"steps": steps, "every": EVERY[scale], "points": POINTS[scale], "arm": arm}
    return Cell(problem, method, tuple(seeds), options)


def make_policy(name: str, dim: int, steps: int, arm: str = "rate") -> Policy:
    """A policy of `METHODS` or `ABLATIONS` under one of `ARMS`, told that `steps` evaluations are planned where it
    asks."""
    horizon = {"horizon": steps} if policies.with_horizon(name) else {}
    return policies.make(name, dim, **horizon, **ARMS[arm])


@cache
def comparison_points(count: int, dim: int) -> np.ndarray:
    """Scrambled Sobol' points of the unit cube, (count, d); always the same."""
    return qmc.Sobol(dim, rng=np.random.default_rng(2)).random(count)


def watched_run(cell: Cell, problem: Problem) -> tuple[Predicting, Trajectory]:
    """The cell's method on the problem, its predictions recorded; options `steps`, `every`, `points`, `arm`."""
    size, steps = default_initial_size(problem.dim), int(cell.options["steps"])
    points = jnp.asarray(comparison_points(int(cell.options["points"]), problem.dim))
    truth = jax.jit(jax.vmap(problem.value))(points)
    inner = make_policy(cell.policy, problem.dim, steps, str(cell.options["arm"]))
    policy = Predicting(inner, points, truth, size, int(cell.options["every"]))
    trajectory = simulate(policy, problem, seed_keys(cell.seeds), size + steps, initial_size=size, design="uniform")
    return policy, trajectory


def arrays(problem: Problem, trajectory: Trajectory) -> dict[str, Any]:
    """The stored arrays of a run of s seeds, T observations and K proposals.

    `simple_regret`, `value` (s,T); `x` (s,T,d) in the unit cube, in single precision, as all that follows but the
    scalars: `mse` (s,C), of the predictions from the first `t` (C,) observations over points where the objective has
    the variance `truth_variance` (); `fit_lengthscale` (s,C,d), `fit_variance`, `fit_noise_variance` (s,C), the
    hyperparameters behind them, on standardised outputs; the policy's diagnostics `info_<name>` (s,K);
    `initial_size`, `optimum`, `range` ().
    """
    info = dict(trajectory.info)
    names = ["mse", *(f"fit_lengthscale_{i}" for i in range(problem.dim)), "fit_variance", "fit_noise_variance"]
    recorded = {name: np.asarray(info.pop(name)) for name in names}
    places = np.flatnonzero(~np.isnan(recorded["mse"]).all(axis=0))
    shown = {name: values[:, places].astype(np.float32) for name, values in recorded.items()}
    lengthscales = [shown.pop(f"fit_lengthscale_{i}") for i in range(problem.dim)]
    return {
        "simple_regret": trajectory.simple_regret(problem.optimum),
        "value": trajectory.value,
        "x": np.asarray(trajectory.x, np.float32),
        "t": trajectory.initial_size + places,
        **shown,
        "fit_lengthscale": np.stack(lengthscales, axis=-1),
        "initial_size": trajectory.initial_size,
        "optimum": problem.optimum,
        "range": problem.range,
        **{f"info_{name}": np.asarray(values, np.float32) for name, values in info.items()},
    }


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Run the cell's method on its problem; `arrays` lists the stored arrays."""
    problem = problems.get(cell.problem)
    policy, trajectory = watched_run(cell, problem)
    found = {name: np.asarray(values) for name, values in arrays(problem, trajectory).items()}
    return {**found, "truth_variance": np.asarray(jnp.var(policy.truth))}
