"""Our contestants: whole runs of all seeds in one compiled program, and single runs as a practitioner makes them."""

from collections.abc import Callable
from functools import partial

import jax
import numpy as np

from benchmarks.proposal.task import ProposalSettings
from benchmarks.timing import timed
from core import Trajectory, optimize, simulate
from core.designs import seed_keys
from core.policies import Policy, make
from experiments.problems import Problem

__all__ = ["NAMES", "initial_points", "policy", "run_alone", "run_together"]

NAMES = ("boke", "gp_ucb", "gp_ucb_refit")


def policy(name: str, problem: Problem, settings: ProposalSettings) -> Policy:
    """The policy with its default constants and the benchmark's search effort."""
    return make(name, problem.dim, effort=settings.effort(problem.dim))


def run_together(
    method: Policy, problem: Problem, settings: ProposalSettings, first_seed: int
) -> tuple[float, Trajectory]:
    """Wall seconds of one program over all seeds (designs, proposals and evaluations), and its trajectories."""
    keys = seed_keys(range(first_seed, first_seed + settings.seeds))
    spent, trajectory = timed(
        partial(simulate, initial_size=settings.initial_size), method, problem, keys, settings.budget
    )
    return spent.wall, trajectory


def run_alone(
    method: Policy, problem: Problem, settings: ProposalSettings, seed: int, f: Callable[[np.ndarray], float]
) -> tuple[float, float]:
    """Wall seconds of one run of :func:`core.optimize` on a function of the unit cube, and the best value seen."""
    spent, history = timed(
        partial(
            optimize,
            policy=method,
            budget=settings.budget,
            initial_size=settings.initial_size,
            key=jax.random.key(seed),
        ),
        f,
        np.array([[0.0, 1.0]] * problem.dim),
    )
    return spent.wall, float(np.max(history.y))


def initial_points(trajectory: Trajectory, seed: int) -> np.ndarray:
    """The initial design of one seed, in the unit cube, for the peer to start from."""
    return np.asarray(trajectory.x[seed, : trajectory.initial_size])
