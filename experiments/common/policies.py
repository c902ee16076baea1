"""The choice of a practitioner: every method of the papers that maximises a plain function, on one set of problems.

Methods: the whole registry but those of Paper C, which answer another question (the best decision over a random
context, or without regard to the context), and the pure explorations, which search no maximum. Constants are as
shipped; none was tuned on these problems.

Problems: the synthetic ones of two to six dimensions in the figures of Papers A, B and D, each in its usual form, at
scale quick one a dimension. Each is observed exactly and with Gaussian noise of 5 % of its range. No method is told the
noise's variance, as in most applications: those that can, fit it. Every method starts from the same Latin hypercube and
sees the same noise for the same seed (`core.simulate`).

A cell runs both noise levels as one compiled program, exact first: the CPU time of the second run holds no compilation,
and is the cost of a proposal.
"""

import time
from collections.abc import Mapping

import jax
import jax.numpy as jnp
import numpy as np

from core import policies
from core.designs import default_initial_size, seed_keys
from core.simulate import simulate
from experiments import problems
from experiments.engine.study import Cell, Study, blocks

__all__ = ["LEFT_OUT", "NOISE_FRACTIONS", "POLICIES", "PROBLEMS", "SEEDS", "STEPS", "STUDY", "cells", "run"]

LEFT_OUT = ("density_exploration", "gp_exploration", "context_free_ucb")
"""The methods left out: pure explorations, and Paper C's method that ignores its context."""

_ALL = tuple(name for name in policies.REGISTRY if not policies.contextual(name) and name not in LEFT_OUT)

POLICIES: Mapping[str, tuple[str, ...]] = {
    "smoke": ("boke", "corrected_ei", "uhe_bo", "random_search"),
    "quick": tuple(name for name in _ALL if name != "gp_ucb_mcmc"),
    "paper": _ALL,
}
"""The methods at each scale; scale quick leaves out one whose proposals cost thirty times those of the others."""

PROBLEMS: Mapping[str, tuple[str, ...]] = {
    "smoke": ("branin",),
    "quick": ("branin", "hartmann3", "rosenbrock4", "powell5", "griewank6"),
    "paper": (
        "branin", "deceptive2", "goldstein_price", "h1", "six_hump_camel", "hartmann3", "levy4", "rosenbrock4",
        "powell5", "griewank6", "sphere6",
    ),
}  # fmt: skip
"""The problems by dimension, 2 to 6."""

NOISE_FRACTIONS = (0.0, 0.05)
"""The standard deviations of the noise as fractions of the problem's range (max − min)."""

STEPS: Mapping[str, int] = {"smoke": 4, "quick": 30, "paper": 60}
"""The number of proposals after the initial design of max(5, 2d + 1) points; even, so that every pair of UHE-BO is
whole."""

SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 30, "paper": 30}
BLOCK = 10
"""The number of seeds of a cell, so that seeds can be added without a new computation of the first ones."""


def cells(scale: str) -> list[Cell]:
    """One cell a problem, method and block of seeds; blocks of one method and problem are far apart, so that the first
    has compiled the program for all."""
    return [
        Cell(problem, policy, seeds, {"steps": STEPS[scale], "noise_fractions": list(NOISE_FRACTIONS)})
        for seeds in blocks(range(SEEDS[scale]), BLOCK)
        for problem in PROBLEMS[scale]
        for policy in POLICIES[scale]
    ]


def steps_from_best(x: np.ndarray, y: np.ndarray, initial: int) -> np.ndarray:
    """(s, K) distance in the unit cube from each proposal to the best observation before it, of queries (s, T, d) and
    outcomes (s, T) whose first `initial` are the design."""
    rows = np.stack([y[:, :count].argmax(axis=1) for count in range(initial, y.shape[1])], axis=1)
    return np.asarray(np.linalg.norm(x[:, initial:] - np.take_along_axis(x, rows[:, :, None], axis=1), axis=-1))


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Runs the cell's method on its problem under N noise levels.

    Arrays, for s seeds and T observations: `simple_regret` (s,N,T), A (4), noise-free at the points queried, in the
    unit of f, in single precision; `step` (s,N), the median of :func:`steps_from_best`; `noise_fraction` (N,);
    `seconds_per_proposal` (1,), CPU time of a proposal on average over the last level's runs; `initial_size`,
    `range` ().
    """
    problem, steps = problems.get(cell.problem), int(cell.options["steps"])
    horizon = {"horizon": steps} if policies.with_horizon(cell.policy) else {}
    policy = policies.make(cell.policy, problem.dim, **horizon)
    keys, size = seed_keys(cell.seeds), default_initial_size(problem.dim)
    fractions = [float(fraction) for fraction in cell.options["noise_fractions"]]
    regrets, steps_taken, seconds = [], [], 0.0
    for fraction in fractions:
        noisy = problem.with_relative_noise(jnp.asarray(fraction))
        start = time.process_time()
        runs = simulate(policy, noisy, keys, size + steps, initial_size=size, one_program=True)
        trajectory = jax.block_until_ready(runs)
        seconds = time.process_time() - start
        regrets.append(np.asarray(trajectory.simple_regret(problem.optimum), np.float32))
        taken = steps_from_best(np.asarray(trajectory.x), np.asarray(trajectory.y), size)
        steps_taken.append(np.median(taken, axis=1))
    return {
        "simple_regret": np.stack(regrets, axis=1),
        "step": np.stack(steps_taken, axis=1),
        "noise_fraction": np.array(fractions),
        "seconds_per_proposal": np.array([seconds / (steps * len(cell.seeds))]),
        "initial_size": np.asarray(size),
        "range": np.asarray(problem.range),
    }


STUDY = Study(
    __name__,
    title="Every method on one set of problems",
    caption=(
        "All methods of the four papers that maximise a plain function, constants as shipped, on the papers' synthetic "
        "problems of two to six dimensions, exact and noisy."
    ),
    cells=cells,
    run=run,
    default=False,
)
