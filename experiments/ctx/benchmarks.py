"""The shared parts of Figures 1 and 2: problems, methods, sizes, and how one cell is computed.

Every method starts from the same 10 scrambled Sobol decisions, with the same contexts in every round for the same seed
(`core.simulate`), with the constants of appendix B.1, and with the same search effort, as appendix C has it (appendix
B.1 gives DRBO-KDE and DRBO-MMD less). Regret is that of the expectation, C (1), which the problem knows
(`experiments.problems.contexts.problem`).
"""

import logging
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from core import policies
from core.designs import seed_keys
from core.simulate import simulate
from experiments.data import available, how_to_get
from experiments.engine.slim import Kept
from experiments.engine.study import Cell, blocks
from experiments.problems.contexts.portfolio import FILE
from experiments.problems.contexts.registry import NEEDS_DATA, get_context

__all__ = ["INITIAL_SIZE", "KEPT", "METHODS", "ROUNDS", "SEEDS", "cells", "make_policy", "run"]

METHODS = ("sbo_kde", "drbo_kde", "drbo_mmd", "drbo_mmd_minimax", "stable_opt", "context_free_ucb")
"""The paper's six methods; GP-UCB is a process on x alone."""

INITIAL_SIZE = 10
"""The number of decisions of the initial design (section 4)."""

ROUNDS: Mapping[str, int] = {"smoke": 4, "quick": 25, "paper": 340}
"""The number of rounds after the initial design; the default of the public code is 350 evaluations, 10 of them the
design."""

SEEDS: Mapping[str, tuple[int, ...]] = {
    "smoke": (100, 101),
    "quick": (100, 101, 102, 103, 104),
    "paper": tuple(range(100, 130)),
}
"""The seeds at each scale: the paper's five at scale quick, as many as the readings of the figures need
at scale paper."""

BLOCK = 5
"""The number of seeds of a cell."""

KEPT = Kept(design_only=("x", "context"))
"""The parts of the results that are kept; see `experiments.engine.slim`."""


@cache
def _say_skipped() -> None:
    logging.getLogger(__name__).warning("portfolio skipped: %s", how_to_get(FILE))


def _listed(problem: str) -> bool:
    """True where a problem's data are there; otherwise a message, printed once a process, says how to get them."""
    if problem not in NEEDS_DATA or available(FILE):
        return True
    _say_skipped()
    return False


def cells(scale: str, problems: Sequence[str], methods: Sequence[str] = METHODS) -> list[Cell]:
    """One cell a problem, method and block of seeds; problems without their data are left out."""
    return [
        Cell(problem, method, block, {"rounds": ROUNDS[scale]})
        for problem in problems
        if _listed(problem)
        for method in methods
        for block in blocks(SEEDS[scale], BLOCK)
    ]


def make_policy(name: str, dim: int, context_dim: int, **options: Any) -> policies.Policy:
    """A policy of `METHODS` with the constants of the paper, but for `options`."""
    context = {"context_dim": context_dim} if policies.contextual(name) else {}
    return policies.make(name, dim, **context, **options)


def run(cell: Cell, **options: Any) -> dict[str, np.ndarray]:
    """Run the cell's method on its problem; `options` are the policy's.

    Arrays, for s seeds and T observations, the initial design included: `regret` (s,T), the optimum less the
    expectation at each decision, C (1) before summing; `y` (s,T), the rewards observed; `x` (s,T,d) and `context`
    (s,T,c), in single precision; `optimum`, `initial_size` ().
    """
    problem = get_context(cell.problem)
    policy = make_policy(cell.policy, problem.dim, problem.context_dim, **options)
    trajectory = simulate(
        policy,
        problem,
        seed_keys(cell.seeds),
        INITIAL_SIZE + int(cell.options["rounds"]),
        initial_size=INITIAL_SIZE,
        design="sobol",
    )
    return {
        "regret": np.asarray(problem.optimum - trajectory.value),
        "y": np.asarray(trajectory.y),
        "x": np.asarray(trajectory.x, np.float32),
        "context": np.asarray(trajectory.context, np.float32),
        "optimum": np.asarray(problem.optimum),
        "initial_size": np.asarray(INITIAL_SIZE),
    }
