"""The parameters of a space: real, integer, on a logarithmic scale or in steps, and choices.

Each parameter has ``width`` coordinates in a cube, none where it has one value only. :mod:`core.spaces.space` joins the
cubes and gives the values at a point of the joint cube.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from core.checks import require

__all__ = ["Categorical", "Integer", "Parameter", "Real", "numbers"]

CHOICES = "strings, numbers, truth values, None or tuples of these"


@dataclass(frozen=True)
class Real:
    """A real number between ``low`` and ``high``; with ``log`` the search uses its logarithm.

    Raises:
        ValueError: bounds are not finite, not in order, or not positive where ``log``; ``log`` is no truth value.
    """

    low: float
    high: float
    log: bool = False
    rounds: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check the bounds and the scale."""
        require(isinstance(self.log, bool), f"log must be True or False, got {self.log!r}")
        require(numbers(self.low, self.high), f"bounds of {self} must be two finite numbers")
        require(self.low <= self.high, f"{self} must have low <= high")
        require(math.isfinite(self.high - self.low), f"{self} is wider than a double can hold")
        require(not self.log or self.low > 0, f"{self} has a logarithmic scale and must have low > 0")
        if self.log and self.low < self.high:
            require(math.log(self.low) < math.log(self.high), f"bounds of {self} have one logarithm")
        object.__setattr__(self, "low", float(self.low))
        object.__setattr__(self, "high", float(self.high))

    @property
    def width(self) -> int:
        """Coordinates in the cube: one, or none where there is nothing to choose."""
        return int(self.low < self.high)

    @property
    def size(self) -> float:
        """The number of values."""
        return math.inf if self.width else 1.0

    @property
    def values(self) -> Sequence[float]:
        """The value, where it is the only one."""
        return [self.low]

    def decode(self, unit: np.ndarray) -> float:
        """The number at a coordinate of the cube, shape (1,)."""
        if not self.width:
            return self.low
        low, high = (math.log(end) if self.log else end for end in (self.low, self.high))
        value = low + float(unit[0]) * (high - low)
        return min(max(math.exp(value) if self.log else value, self.low), self.high)

    def gap(self, value: Any, unit: np.ndarray) -> float:
        """The distance of a number, inside the bounds or not, from a coordinate of the cube; infinity for other
        values."""
        if self.decode(unit) == value:
            return 0.0
        if not (self.width and numbers(value)) or (self.log and value <= 0):
            return math.inf
        low, high, at = (math.log(end) if self.log else end for end in (self.low, self.high, value))
        return abs((at - low) / (high - low) - float(unit[0]))

    def encode(self, value: Any) -> np.ndarray:
        """The coordinate of a number, shape (1,). Raises ValueError outside the bounds."""
        require(numbers(value) and self.low <= value <= self.high, f"{value!r} does not lie in {self}")
        if not self.width:
            return np.zeros(0)
        low, high, at = (math.log(end) if self.log else end for end in (self.low, self.high, value))
        return np.array([(at - low) / (high - low)])

    def snap(self, unit: Float[Any, "*m w"], xp: Any = jnp) -> Float[Any, "*m w"]:
        """Every point can be evaluated."""
        del xp
        return unit


@dataclass(frozen=True)
class Integer:
    """An integer from ``low`` to ``high``, both included, in steps; with ``log`` the search uses its logarithm.

    Raises:
        ValueError: bounds are no integers, not below 2^52 (2^44 where ``log``), not in order, or not positive where
            ``log``; the step is no integer of at least 1, does not lead from one bound to the other, or is above 1
            where ``log``; ``log`` is no truth value.
    """

    low: int
    high: int
    log: bool = False
    step: int = 1
    rounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the bounds, the scale and the step."""
        require(isinstance(self.log, bool), f"log must be True or False, got {self.log!r}")
        kinds = (int, np.integer)
        given = (self.low, self.high, self.step)
        whole = all(isinstance(value, kinds) and not isinstance(value, bool) for value in given)
        require(whole, f"bounds and step of {self} must be integers")
        for name, value in zip(("low", "high", "step"), given, strict=True):
            object.__setattr__(self, name, int(value))
        require(self.low <= self.high, f"{self} must have low <= high")
        bits = 44 if self.log else 52  # an integer comes back from its coordinate, which is rounded
        require(max(abs(self.low), abs(self.high)) < 2**bits, f"bounds of {self} must be below 2^{bits}")
        require(not self.log or self.low > 0, f"{self} has a logarithmic scale and must have low > 0")
        require(self.step >= 1, f"{self} must have a step of at least 1")
        require(not self.log or self.step == 1, f"{self} has a logarithmic scale and cannot have steps")
        require((self.high - self.low) % self.step == 0, f"steps of {self} must lead from low to high")

    @property
    def width(self) -> int:
        """Coordinates in the cube: one, or none where there is nothing to choose."""
        return int(self.low < self.high)

    @property
    def size(self) -> float:
        """The number of values."""
        return float((self.high - self.low) // self.step + 1)

    @property
    def values(self) -> Sequence[int]:
        """All its values."""
        return range(self.low, self.high + 1, self.step)

    @property
    def _ends(self) -> tuple[float, float]:
        """The bounds widened by half a step, on the scale of the search."""
        low, high = self.low - 0.5 * self.step, self.high + 0.5 * self.step
        return (math.log(low), math.log(high)) if self.log else (low, high)

    def decode(self, unit: np.ndarray) -> int:
        """The integer at a coordinate of the cube, shape (1,)."""
        if not self.width:
            return self.low
        low, high = self._ends
        value = low + float(unit[0]) * (high - low)
        steps = round(((math.exp(value) if self.log else value) - self.low) / self.step)
        return self.low + self.step * min(max(steps, 0), (self.high - self.low) // self.step)

    def gap(self, value: Any, unit: np.ndarray) -> float:
        """Zero for the integer at a coordinate of the cube; infinity for other values."""
        return 0.0 if self.decode(unit) == value else math.inf

    def encode(self, value: Any) -> np.ndarray:
        """The coordinate of an integer, shape (1,). Raises ValueError for other values, or outside the bounds."""
        inside = numbers(value) and self.low <= value <= self.high and float(value).is_integer()
        require(inside and (int(value) - self.low) % self.step == 0, f"{value!r} is no integer of {self}")
        if not self.width:
            return np.zeros(0)
        low, high = self._ends
        return np.array([((math.log(value) if self.log else float(value)) - low) / (high - low)])

    def snap(self, unit: Float[Any, "*m w"], xp: Any = jnp) -> Float[Any, "*m w"]:
        """The coordinate of the integer there; ``xp`` is the module that computes it."""
        low, high = self._ends
        value = low + unit * (high - low)
        steps = xp.round(((xp.exp(value) if self.log else value) - self.low) / self.step)
        nearest = xp.clip(self.low + self.step * steps, self.low, self.high)
        return ((xp.log(nearest) if self.log else nearest) - low) / (high - low)


@dataclass(frozen=True)
class Categorical:
    """One of several choices: strings, numbers, truth values, None, or tuples of such.

    Args:
        choices: a sequence or array of choices; numpy's scalars count as Python's.
        ordered: True where neighbours in the sequence are alike, as in ``(16, 32, 64)``: the parameter then has one
            coordinate in place of one for each choice.

    Raises:
        ValueError: there are no choices, equal choices, NaN, or choices of another kind.
    """

    choices: Any
    ordered: bool = False
    rounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the choices."""
        given = self.choices.tolist() if isinstance(self.choices, np.ndarray) else self.choices
        one_text = isinstance(given, str) or not isinstance(given, Sequence)
        require(not one_text, f"choices must be a sequence of values, got {given!r}")
        object.__setattr__(self, "choices", tuple(_choice(value) for value in given))
        require(len(self.choices) >= 1, f"{self} needs a choice")
        require(all(map(_can_be_chosen, self.choices)), f"choices of {self} must be {CHOICES}")
        require(len(set(self.choices)) == len(self.choices), f"choices of {self} must differ")
        require(isinstance(self.ordered, bool), f"ordered must be True or False, got {self.ordered!r}")

    @property
    def width(self) -> int:
        """Coordinates in the cube: one a choice, one in all for ordered choices, none for a single choice."""
        return 0 if len(self.choices) == 1 else 1 if self.ordered else len(self.choices)

    @property
    def size(self) -> float:
        """The number of values."""
        return float(len(self.choices))

    @property
    def values(self) -> Sequence[Any]:
        """All its values."""
        return self.choices

    def decode(self, unit: np.ndarray) -> Any:
        """The choice with the largest coordinate, the first of equals; for ordered choices the choice whose part holds
        the coordinate."""
        if self.width <= 1:
            return self.choices[min(max(int(unit[0] * self.size), 0), len(self.choices) - 1) if self.width else 0]
        return self.choices[int(np.argmax(unit))]

    def gap(self, value: Any, unit: np.ndarray) -> float:
        """Zero for the choice at a point of the block; infinity for other values."""
        return 0.0 if self.decode(unit) == _choice(value) else math.inf

    def encode(self, value: Any) -> np.ndarray:
        """One at the choice and zero elsewhere, or the middle of its part. Raises ValueError for a value that is no
        choice."""
        value = _choice(value)
        known = any(value == choice and _kind(value) == _kind(choice) for choice in self.choices)
        require(known, f"{value!r} is not among {list(self.choices)}")
        index = self.choices.index(value)
        if self.width <= 1:
            return np.full(self.width, (index + 0.5) / self.size)
        return np.eye(self.width)[index]

    def snap(self, unit: Float[Any, "*m w"], xp: Any = jnp) -> Float[Any, "*m w"]:
        """One at the largest coordinate and zero elsewhere, or the middle of the part."""
        if self.width <= 1:
            return (xp.clip(xp.floor(unit * self.size), 0, self.size - 1) + 0.5) / self.size
        largest = xp.argmax(unit, axis=-1)[..., None]
        return (xp.arange(self.width) == largest).astype(unit.dtype)


Parameter = Real | Integer | Categorical


def numbers(*values: Any) -> bool:
    """Return True where all values are finite numbers; truth values do not count as numbers."""
    kinds = (int, float, np.integer, np.floating)
    try:
        return all(
            isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value) for value in values
        )
    except OverflowError:  # an integer that no double holds
        return False


def _choice(value: Any) -> Any:
    """A choice with Python's own numbers, and tuples for lists."""
    if isinstance(value, (tuple, list)):
        return tuple(map(_choice, value))
    return value.item() if isinstance(value, np.generic) else value


def _can_be_chosen(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_can_be_chosen, value))
    return value is None or (isinstance(value, (str, int, float)) and value == value)


def _kind(value: Any) -> Any:
    """Return True for equal values of one kind: numbers equal numbers, but 1 does not equal True."""
    if isinstance(value, tuple):
        return tuple(map(_kind, value))
    return float if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value)
