"""A hill in a box off the origin, and policies that search the hill cheaply, for the tests of runs."""

import functools

import jax
import numpy as np

from core.policies import Policy, SearchEffort, make

BOX = [(-5.0, 10.0), (100.0, 101.5)]
LOWER, WIDTH = np.array([-5.0, 100.0]), np.array([15.0, 1.5])
KEY = jax.random.key(17)

_EFFORT = SearchEffort.of(2, raw_candidates=64, starts=2, max_steps=60)
_OPTIONS: dict[str, dict[str, int]] = {
    **dict.fromkeys(("gp_ucb_refit", "corrected_ei", "uhe_bo", "portfolio_exp3", "a_gp_ucb"), {"fit_starts": 1}),
    "gp_ucb_mcmc": {"fit_starts": 1, "burn_in": 30, "draws": 4, "leapfrog_steps": 2},
}
"""Cheap fits."""


def hill(x: np.ndarray) -> float:
    """Largest, 3, at (4, 101.2)."""
    u = (x - np.array([4.0, 101.2])) / WIDTH
    return 3.0 - float(u @ u) - 0.1 * float(np.sin(8.0 * u[0]) ** 2)


@functools.lru_cache
def policy(name: str) -> Policy:
    """One instance a name: its programs are compiled once."""
    if name == "random_search":
        return make(name, 2)
    return make(name, 2, effort=_EFFORT, **_OPTIONS.get(name, {}))
