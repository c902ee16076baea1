"""Hyperparameters as coordinates of the unit cube."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from experiments.problems.checks import require

__all__ = ["Parameter", "decode"]


@dataclass(frozen=True)
class Parameter:
    """One hyperparameter, between two bounds, on a linear or a logarithmic scale.

    Attributes:
        name: as the library calls it.
        low, high: bounds, both included.
        log: whether equal steps of the coordinate are equal factors.
        integer: whether the value is rounded (Paper A: "we convert the integer variables to real numbers and apply
            rounding truncation").
    """

    name: str
    low: float
    high: float
    log: bool = False
    integer: bool = False

    def __post_init__(self) -> None:
        require(self.low < self.high, f"{self.name}: low {self.low} must be below high {self.high}")
        require(not self.log or self.low > 0, f"{self.name}: a logarithmic scale needs low > 0, got {self.low}")

    def value(self, coordinate: float) -> float | int:
        """The value at a coordinate in [0, 1]; ValueError outside."""
        require(0.0 <= coordinate <= 1.0, f"{self.name}: coordinate {coordinate} is outside [0, 1]")
        if self.log:
            value = math.exp(math.log(self.low) + coordinate * (math.log(self.high) - math.log(self.low)))
        else:
            value = self.low + coordinate * (self.high - self.low)
        value = min(max(value, self.low), self.high)
        return round(value) if self.integer else value


def decode(space: Sequence[Parameter], x: np.ndarray) -> dict[str, float | int]:
    """The hyperparameters at a point of the unit cube, shape (d,)."""
    require(np.shape(x) == (len(space),), f"x must have shape ({len(space)},), got {np.shape(x)}")
    return {parameter.name: parameter.value(float(u)) for parameter, u in zip(space, x, strict=True)}
