"""Checks of users' arguments: a ValueError or KeyError names the argument before any program is compiled."""

import difflib
from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

__all__ = [
    "check_bounds",
    "check_budget",
    "check_count",
    "check_function",
    "check_key",
    "check_threshold",
    "check_truth",
    "is_key",
    "near_names",
    "require",
]


def require(condition: bool | np.bool_, message: str) -> None:
    """Raise ``ValueError(message)`` unless the condition holds; for constructors, before anything compiles."""
    if not condition:
        raise ValueError(message)


def near_names(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the known names nearest to ``name``, or all of them where none is near."""
    names = sorted(known)
    near = difflib.get_close_matches(str(name).lower(), names, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {', '.join(names)}"


def check_count(name: str, count: Any) -> None:
    """Raise ValueError unless ``count`` is an integer of at least 1."""
    if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < 1:
        raise ValueError(f"{name} must be an integer of at least 1, got {count!r}")


def check_function(name: str, function: Any, optional: bool = False) -> None:
    """Raise ValueError unless it can be called; None passes where it is optional."""
    if not (callable(function) or (optional and function is None)):
        raise ValueError(f"{name} must be a function, got {function!r}")


def check_truth(name: str, value: Any) -> None:
    """Raise ValueError unless it is True or False: "no" and None would silently count as True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {value!r}")


def check_budget(budget: int, initial_size: int) -> None:
    """Raise ValueError unless both are counts and the budget holds the initial design."""
    check_count("budget", budget)
    check_count("initial_size", initial_size)
    if budget < initial_size:
        raise ValueError(
            f"budget {budget} is below the initial design of {initial_size} points; raise budget or lower initial_size"
        )


def check_threshold(name: str, kappa: Any, unit: str = "in the unit of y") -> float:
    """The threshold as a number; ``unit`` is for the message.

    Raises:
        ValueError: the threshold is not a positive finite number.
    """
    try:
        value = float(kappa)
    except (TypeError, ValueError):
        value = float("nan")
    if not 0.0 < value < float("inf"):
        raise ValueError(f"{name} must be a positive finite number, {unit}, got {kappa!r}")
    return value


def check_bounds(bounds: Any, name: str = "bounds") -> np.ndarray:
    """The box as an array of shape (d, 2). Raises ValueError unless it is finite with lower < upper on every axis."""
    try:
        box = np.asarray(bounds if hasattr(bounds, "__len__") else list(bounds), dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be d pairs (lower, upper) of numbers, got {bounds!r}") from error
    if box.ndim != 2 or box.shape[1] != 2 or box.shape[0] < 1:
        raise ValueError(f"{name} must be d pairs (lower, upper), got shape {box.shape}")
    if not np.isfinite(box).all():
        raise ValueError(f"{name} must be finite, got {box.tolist()}")
    with np.errstate(over="ignore"):
        too_wide = ~np.isfinite(box[:, 1] - box[:, 0])
    if too_wide.any():
        raise ValueError(f"{name}[{int(np.flatnonzero(too_wide)[0])}] is wider than a double can hold")
    if not (box[:, 0] < box[:, 1]).all():
        wrong = int(np.flatnonzero(box[:, 0] >= box[:, 1])[0])
        raise ValueError(f"{name}[{wrong}] must have lower < upper, got {box[wrong].tolist()}")
    return box


def is_key(key: Any) -> bool:
    """Return True for a JAX key, or an array of keys, of the new style (``jax.random.key``)."""
    return isinstance(key, jax.Array) and bool(jnp.issubdtype(key.dtype, jax.dtypes.prng_key))


def check_key(key: Any) -> None:
    """Raise ValueError unless it is one JAX key."""
    if not (is_key(key) and key.ndim == 0):
        raise ValueError(
            f"key must be an integer from 0 to 2**32 - 1, or one key of jax.random.key (not PRNGKey), got {key!r}"
        )
