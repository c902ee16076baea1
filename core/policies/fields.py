"""Fields of policies: a number that is a leaf of the pytree, and a choice by name that is static.

A policy is a dataclass: its fields are the options of its constructor, with their defaults, and ``__check_init__`` says
what they must satisfy. Numbers are leaves, so that policies that differ by a constant share a compiled program.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, ArrayLike, Float

from core.checks import require

__all__ = ["as_floats", "choice", "number"]

Choice = TypeVar("Choice")


def number(default: float | None = None) -> Any:
    """A field that holds a real number as a float64 scalar; the constructor demands it where there is no default."""
    return eqx.field(converter=as_floats) if default is None else eqx.field(default=default, converter=as_floats)


def as_floats(values: ArrayLike) -> Float[Array, "..."]:
    """The numbers as a float64 array."""
    return jnp.asarray(values, float)


def choice(name: str, table: Mapping[str, Choice], default: str) -> Any:
    """A static field that is given as a key of the table, or as one of its values, and holds the value.

    Raises:
        ValueError: on construction of the policy, a key that the table lacks.
    """

    def chosen(value: str | Choice) -> Choice:
        if not isinstance(value, str):
            return value
        require(value in table, f"{name} must be one of {sorted(table)}, got {value!r}")
        return table[value]

    return eqx.field(static=True, default=default, converter=chosen)
