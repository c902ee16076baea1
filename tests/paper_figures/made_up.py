"""Made-up results with the arrays that a study promises, so that the tests of figures run no experiment."""

from collections.abc import Callable
from typing import Any

import numpy as np

from experiments.engine.store import Result
from paper_figures.load import StudyResults

Studies = dict[str, Callable[[], StudyResults]]
"""Study → its made-up results, made when called."""

METADATA = {
    "commit": "0123456789ab",
    "wall_seconds": 12.5,
    "cpu_seconds": 11.0,
    "machine": {"processor": "Test processor", "cores": 2, "system": "Linux x86_64"},
    "platform": "cpu",
}


def made_up(
    study: str, problem: str, policy: str, seeds: tuple[int, ...], options: dict[str, Any], **arrays: Any
) -> Result:
    """One result with the metadata above."""
    config = {
        "study": study,
        "problem": problem,
        "policy": policy,
        "seeds": list(seeds),
        "scale": "quick",
        "options": options,
    }
    return Result(config, {name: np.asarray(value) for name, value in arrays.items()}, dict(METADATA))


def results_of(study: str, results: list[Result]) -> StudyResults:
    """The study's results as `load` would return them."""
    return StudyResults(study, "quick", "quick", "reference", tuple(results))


def regret_curves(rng: np.random.Generator, seeds: int, budget: int, rate: float) -> np.ndarray:
    """Non-increasing positive curves (seeds, budget)."""
    steps = rng.exponential(rate, size=(seeds, budget))
    return np.exp(rng.normal(0.5, 0.4, size=(seeds, 1)) - np.cumsum(steps, axis=1) * rng.uniform(0.5, 1.5, (seeds, 1)))
