"""Spaces of named parameters: real, integer, on a logarithmic scale or not, and categorical.

A point is a dictionary, ``{"rate": 0.01, "layers": 3, "kernel": "rbf"}``. Policies work in a cube, in which a real
parameter has one coordinate, an integer one too, cut into cells of equal width on its scale, and a categorical one has
a coordinate a choice, the largest of which decides ("one-hot", relaxed). What is evaluated is the centre of a cell, or
a corner of the block: :meth:`Space.snap` maps every point of the cube there. Acquisitions are maximised *behind* this
map (:mod:`core.door.search`), which is the transformation of a kernel's arguments of Garrido-Merchán and
Hernández-Lobato (2020), so that the model is asked only about points that can be evaluated.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core.checks import require

__all__ = ["Categorical", "Integer", "Parameter", "Real", "Space"]

Choice = str | int | float | bool | None


@dataclass(frozen=True)
class Real:
    """A real number between ``low`` and ``high``, which is searched by its logarithm where ``log``.

    Raises:
        ValueError: bounds that are not finite, not in order, or not positive where ``log``.
    """

    low: float
    high: float
    log: bool = False
    width: ClassVar[int] = 1
    rounds: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check the bounds."""
        require(_numbers(self.low, self.high), f"bounds of {self} must be two finite numbers")
        require(self.low < self.high, f"{self} must have low < high")
        require(math.isfinite(self.high - self.low), f"{self} is wider than a double can hold")
        require(not self.log or self.low > 0, f"{self} has a logarithmic scale and must have low > 0")
        object.__setattr__(self, "low", float(self.low))
        object.__setattr__(self, "high", float(self.high))

    def decode(self, unit: np.ndarray) -> float:
        """The number at a coordinate of the cube, shape (1,)."""
        low, high = (math.log(end) if self.log else end for end in (self.low, self.high))
        value = low + float(unit[0]) * (high - low)
        return min(max(math.exp(value) if self.log else value, self.low), self.high)

    def encode(self, value: Any) -> np.ndarray:
        """The coordinate of a number, shape (1,). Raises ValueError outside the bounds."""
        require(_numbers(value) and self.low <= value <= self.high, f"{value!r} does not lie in {self}")
        low, high, at = (math.log(end) if self.log else end for end in (self.low, self.high, value))
        return np.array([(at - low) / (high - low)])

    def snap(self, unit: Float[Array, " 1"]) -> Float[Array, " 1"]:
        """Every point can be evaluated."""
        return unit


@dataclass(frozen=True)
class Integer:
    """An integer from ``low`` to ``high``, both included, searched by its logarithm where ``log``.

    Raises:
        ValueError: bounds that are no integers, not in order, or not positive where ``log``.
    """

    low: int
    high: int
    log: bool = False
    width: ClassVar[int] = 1
    rounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the bounds."""
        whole = all(isinstance(end, (int, np.integer)) and not isinstance(end, bool) for end in (self.low, self.high))
        require(whole, f"bounds of {self} must be integers")
        require(self.low < self.high, f"{self} must have low < high")
        require(abs(self.low) < 2**52 and abs(self.high) < 2**52, f"bounds of {self} must be below 2^52")
        require(not self.log or self.low > 0, f"{self} has a logarithmic scale and must have low > 0")

    @property
    def _ends(self) -> tuple[float, float]:
        """Half a unit beyond the bounds, on the scale that is searched."""
        low, high = self.low - 0.5, self.high + 0.5
        return (math.log(low), math.log(high)) if self.log else (low, high)

    def decode(self, unit: np.ndarray) -> int:
        """The integer at a coordinate of the cube, shape (1,)."""
        low, high = self._ends
        value = low + float(unit[0]) * (high - low)
        return min(max(round(math.exp(value) if self.log else value), int(self.low)), int(self.high))

    def encode(self, value: Any) -> np.ndarray:
        """The coordinate of an integer, shape (1,). Raises ValueError where it is none, or outside the bounds."""
        inside = _numbers(value) and self.low <= value <= self.high and float(value).is_integer()
        require(inside, f"{value!r} is no integer of {self}")
        low, high = self._ends
        return np.array([((math.log(value) if self.log else float(value)) - low) / (high - low)])

    def snap(self, unit: Float[Array, " 1"]) -> Float[Array, " 1"]:
        """The coordinate of the integer there."""
        low, high = self._ends
        value = low + unit * (high - low)
        nearest = jnp.clip(jnp.round(jnp.exp(value) if self.log else value), self.low, self.high)
        return ((jnp.log(nearest) if self.log else nearest) - low) / (high - low)


@dataclass(frozen=True)
class Categorical:
    """One of several choices without an order: strings, numbers, truth values or None.

    Raises:
        ValueError: fewer than two choices, equal ones, or ones of another kind.
    """

    choices: Sequence[Choice]
    rounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the choices; any sequence of them will do."""
        one_text = isinstance(self.choices, str) or not isinstance(self.choices, Sequence)
        require(not one_text, f"choices must be a sequence of values, got {self.choices!r}")
        object.__setattr__(self, "choices", tuple(self.choices))
        require(len(self.choices) >= 2, f"{self} needs at least two choices")
        kinds = all(choice is None or isinstance(choice, (str, int, float)) for choice in self.choices)
        require(kinds, f"choices of {self} must be strings, numbers, truth values or None")
        require(len(set(self.choices)) == len(self.choices), f"choices of {self} must differ")

    @property
    def width(self) -> int:
        """Coordinates in the cube: one a choice."""
        return len(self.choices)

    def decode(self, unit: np.ndarray) -> Choice:
        """The choice with the largest coordinate; the first of equals."""
        return self.choices[int(np.argmax(unit))]

    def encode(self, value: Any) -> np.ndarray:
        """One at the choice, zero elsewhere. Raises ValueError where it is no choice."""
        require(value in self.choices, f"{value!r} is not among {list(self.choices)}")
        return np.eye(self.width)[self.choices.index(value)]

    def snap(self, unit: Float[Array, " k"]) -> Float[Array, " k"]:
        """One at the largest coordinate, zero elsewhere."""
        return jax.nn.one_hot(jnp.argmax(unit), self.width, dtype=unit.dtype)


Parameter = Real | Integer | Categorical
KINDS: Mapping[str, type[Parameter]] = {"real": Real, "integer": Integer, "categorical": Categorical}


@dataclass(frozen=True, eq=False)
class Space:
    """Named parameters, in an order.

    ``Space({"rate": Real(1e-4, 1.0, log=True), "layers": Integer(1, 6), "kernel": Categorical(("rbf", "poly"))})``; a
    pair ``(low, high)`` stands for ``Real(low, high)``.

    Raises:
        ValueError: no parameters, a name that is no string, or something that is no parameter.
    """

    parameters: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Check the parameters, and read pairs as reals."""
        require(isinstance(self.parameters, Mapping) and len(self.parameters) > 0, "a space needs named parameters")
        object.__setattr__(self, "parameters", {name: _parameter(name, p) for name, p in self.parameters.items()})

    def __hash__(self) -> int:
        """By names and parameters, in their order."""
        return hash(tuple(self.parameters.items()))

    def __eq__(self, other: object) -> bool:
        """The same names and parameters in the same order."""
        return isinstance(other, Space) and tuple(self.parameters.items()) == tuple(other.parameters.items())

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters' names, in their order."""
        return tuple(self.parameters)

    @property
    def dim(self) -> int:
        """Dimension of the cube."""
        return sum(parameter.width for parameter in self.parameters.values())

    @property
    def rounds(self) -> bool:
        """Whether some points of the cube cannot be evaluated as they are."""
        return any(parameter.rounds for parameter in self.parameters.values())

    def decode(self, unit: np.ndarray) -> dict[str, Any]:
        """The parameters at a point of the cube, shape (d,)."""
        parts = np.split(np.asarray(unit, float), self._cuts)
        pairs = zip(self.parameters.items(), parts, strict=True)
        return {name: parameter.decode(part) for (name, parameter), part in pairs}

    def encode(self, point: Mapping[str, Any]) -> np.ndarray:
        """The point of the cube, shape (d,), at which parameters have these values.

        Raises:
            ValueError: names that are missing or unknown, or a value that its parameter does not have.
        """
        require(isinstance(point, Mapping), f"a point of this space is a dictionary, got {point!r}")
        require(set(point) == set(self.names), f"a point names {list(self.names)}, got {list(point)}")
        parts = []
        for name, parameter in self.parameters.items():
            try:
                parts.append(parameter.encode(point[name]))
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
        return np.concatenate(parts)

    def snap(self, unit: Float[Array, " d"]) -> Float[Array, " d"]:
        """The point of the cube that is evaluated in place of this one; a JAX function, constant on every cell."""
        parts = jnp.split(unit, self._cuts)
        return jnp.concatenate([p.snap(part) for p, part in zip(self.parameters.values(), parts, strict=True)])

    def snapped(self, unit: np.ndarray) -> np.ndarray:
        """:meth:`snap` without JAX, the same point to the last bit whichever program proposed it."""
        parts = np.split(np.asarray(unit, float), self._cuts)
        pairs = zip(self.parameters.values(), parts, strict=True)
        return np.concatenate([p.encode(p.decode(part)) if p.rounds else np.clip(part, 0.0, 1.0) for p, part in pairs])

    def described(self) -> list[Any]:
        """As lists, strings and numbers, for a file; :meth:`of` reads it."""
        kinds = {kind: name for name, kind in KINDS.items()}
        return [
            [name, kinds[type(p)], {field.name: _plain(getattr(p, field.name)) for field in fields(p)}]
            for name, p in self.parameters.items()
        ]

    @staticmethod
    def of(description: Sequence[Any]) -> "Space":
        """The space of a :meth:`described`."""
        return Space({name: KINDS[kind](**values) for name, kind, values in description})

    @property
    def _cuts(self) -> list[int]:
        return np.cumsum([parameter.width for parameter in self.parameters.values()])[:-1].tolist()


def _parameter(name: Any, given: Any) -> Parameter:
    require(isinstance(name, str) and name != "", f"parameters are named by strings, got {name!r}")
    if isinstance(given, (Real, Integer, Categorical)):
        return given
    pair = isinstance(given, (tuple, list)) and len(given) == 2 and _numbers(*given)
    require(pair, f"{name}: expected Real, Integer, Categorical or a pair (low, high), got {given!r}")
    return Real(float(given[0]), float(given[1]))


def _numbers(*values: Any) -> bool:
    """Whether all are finite numbers (truth values are none)."""
    kinds = (int, float, np.integer, np.floating)
    return all(isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value) for value in values)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else list(value) if isinstance(value, tuple) else value
