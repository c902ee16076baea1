"""Measured numbers in the records of Paper D."""

from collections.abc import Mapping
from functools import cache

from theory_checks.errata.measured.runs import Mean, array


@cache
def random_probability() -> Mapping[str, Mapping[str, Mean]]:
    """The final probability of a random query: with capped rewards, and without."""
    capped = {
        problem: Mean.of(array("random_probability", "uhe.exp3", problem, "uhe_bo")[:, -1].astype(float))
        for problem in ("branin", "deceptive2", "hartmann3", "h1")
    }
    name = "info_random_probability"
    uncapped = {
        problem: Mean.of(array(name, "uhe.fig2_arms", problem, "uhe_bo", "uncapped")[:, -1])
        for problem in ("branin", "h1")
    }
    return {"capped": capped, "uncapped": uncapped}
