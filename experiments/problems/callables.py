"""Functions as parts of pytrees, so that problems and noise models can be passed to compiled functions."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax

__all__ = ["callable_leaf"]


def callable_leaf(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as a pytree: a module stays as it is, a plain function becomes static structure.

    Raises:
        ValueError: not a callable.
    """
    if not callable(function):
        raise ValueError(f"expected a function, got {type(function).__name__}")
    if isinstance(function, (eqx.Module, jax.tree_util.Partial)):
        return function
    return jax.tree_util.Partial(function)
