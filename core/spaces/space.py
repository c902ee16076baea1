"""Spaces of named parameters: real, integer, on a logarithmic scale or not, and categorical.

A point is a dictionary, ``{"rate": 0.01, "layers": 3, "kernel": "rbf"}``. Policies work in a cube. A real parameter has
one coordinate in the cube. An integer parameter has one too, cut into cells of equal width on its scale. A categorical
parameter has a coordinate for each choice, the largest of which decides ("one-hot", relaxed), or a single coordinate
where the choices are ordered. A parameter with one value has no coordinate. The evaluation takes the centre of a cell,
or a corner of the block: :meth:`Space.snap` maps every point of the cube there. Acquisitions are maximised *behind*
this map (:mod:`core.policies.restricted`), which is the transformation of a kernel's arguments of Garrido-Merchán and
Hernández-Lobato (2020), so that the model is asked only about points that can be evaluated.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from core.checks import require
from core.spaces.parameters import Categorical, Integer, Parameter, Real, numbers

__all__ = ["Categorical", "Integer", "Parameter", "Real", "Space"]

KINDS: Mapping[str, type[Parameter]] = {"real": Real, "integer": Integer, "categorical": Categorical}


@dataclass(frozen=True, eq=False)
class Space:
    """Named parameters, in an order.

    ``Space({"rate": Real(1e-4, 1.0, log=True), "layers": Integer(1, 6), "kernel": Categorical(("rbf", "poly"))})``; a
    pair ``(low, high)`` stands for ``Real(low, high)``.

    Raises:
        ValueError: no parameters, a name that is no string, or an invalid parameter.
    """

    parameters: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Check the parameters, and read pairs as reals."""
        require(isinstance(self.parameters, Mapping) and len(self.parameters) > 0, "a space needs named parameters")
        object.__setattr__(self, "parameters", {name: _parameter(name, p) for name, p in self.parameters.items()})
        require(self.dim > 0, "every parameter of the space has one value only: there is nothing to choose")

    def __hash__(self) -> int:
        """The hash of names and parameters, in their order."""
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
    def varying(self) -> int:
        """Parameters with more than one value."""
        return sum(parameter.width > 0 for parameter in self.parameters.values())

    @property
    def size(self) -> float:
        """The number of points that can be evaluated; infinity with a real parameter."""
        return math.prod(parameter.size for parameter in self.parameters.values())

    @property
    def exact(self) -> np.ndarray:
        """True for the coordinates that have single values and no range, shape (d,)."""
        return np.concatenate([np.full(p.width, p.rounds) for p in self.parameters.values()])

    @property
    def rounds(self) -> bool:
        """True where some points of the cube cannot be evaluated as they are."""
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

    def gap(self, point: Mapping[str, Any], unit: np.ndarray) -> float:
        """The distance of a point with these names from a point of the cube: the largest gap of a real, in its
        coordinate.

        The distance is infinite where an integer or a choice differs.
        """
        parts = np.split(np.asarray(unit, float), self._cuts)
        return max(p.gap(point[name], part) for (name, p), part in zip(self.parameters.items(), parts, strict=True))

    def clipped(self, point: Mapping[str, Any]) -> dict[str, Any]:
        """The point with its reals moved between their bounds."""
        return {
            name: min(max(float(point[name]), p.low), p.high) if isinstance(p, Real) else point[name]
            for name, p in self.parameters.items()
        }

    def snap(self, unit: Float[Any, "*m d"], xp: Any = jnp) -> Float[Any, "*m d"]:
        """The points that are evaluated in place of these points of the cube; constant on every cell.

        Args:
            unit: points of the cube.
            xp: jax.numpy or numpy.
        """
        parts = xp.split(unit, self._cuts, axis=-1)
        snapped = [p.snap(part, xp) for p, part in zip(self.parameters.values(), parts, strict=True)]
        return xp.concatenate(snapped, axis=-1)

    def snapped(self, unit: np.ndarray) -> np.ndarray:
        """:meth:`snap` without JAX, the same point to the last bit whichever program proposed it."""
        parts = np.split(np.asarray(unit, float), self._cuts)
        pairs = zip(self.parameters.values(), parts, strict=True)
        return np.concatenate([p.encode(p.decode(part)) if p.rounds else np.clip(part, 0.0, 1.0) for p, part in pairs])

    def described(self) -> list[Any]:
        """The space as lists, strings and numbers, for a file; :meth:`of` reads it."""
        kinds = {kind: name for name, kind in KINDS.items()}
        return [[name, kinds[type(p)], _described(p)] for name, p in self.parameters.items()]

    @staticmethod
    def of(description: Sequence[Any]) -> "Space":
        """The space of a :meth:`described`."""
        return Space({name: KINDS[kind](**values) for name, kind, values in description})  # lists are read as tuples

    @property
    def _cuts(self) -> list[int]:
        return np.cumsum([parameter.width for parameter in self.parameters.values()])[:-1].tolist()


def _parameter(name: Any, given: Any) -> Parameter:
    require(isinstance(name, str) and name != "", f"parameters are named by strings, got {name!r}")
    if isinstance(given, (Real, Integer, Categorical)):
        return given
    pair = isinstance(given, (tuple, list)) and len(given) == 2 and numbers(*given)
    require(pair, f"{name}: expected Real, Integer, Categorical or a pair (low, high), got {given!r}")
    return Real(float(given[0]), float(given[1]))


def _described(parameter: Parameter) -> dict[str, Any]:
    """The fields of the description; a field that came later stands there only with a value other than its default, so
    that older files compare equal."""
    found = {field.name: _plain(getattr(parameter, field.name)) for field in fields(parameter)}
    return {name: value for name, value in found.items() if (name, value) not in (("step", 1), ("ordered", False))}


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
