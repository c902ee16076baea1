"""The samples behind curves and tables: an array, or a measure, of every method in the results."""

from collections.abc import Callable
from typing import Any

import numpy as np

from paper_figures.load import StudyResults

Measure = Callable[..., np.ndarray]
"""A function `measure(data, problem=..., policy=..., ...)` that returns one row a seed."""


def by_method(data: StudyResults, measure: str | Measure, **match: Any) -> dict[str, np.ndarray]:
    """The array (or measure) of the matching results by method, one row a seed, in stored order."""
    return {name: values_of(data, measure, policy=name, **match) for name in methods(data, **match)}


def methods(data: StudyResults, **match: Any) -> list[str]:
    """The methods of the results that match, in stored order."""
    return list(dict.fromkeys(result.config["policy"] for result in data.select(**match)))


def values_of(data: StudyResults, measure: str | Measure, **match: Any) -> np.ndarray:
    """The named array, or the measure, of the results that match."""
    return data.array(measure, **match) if isinstance(measure, str) else measure(data, **match)


def ends(samples: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The last column of every method's curves, one number a seed."""
    return {name: values[:, -1] for name, values in samples.items()}
