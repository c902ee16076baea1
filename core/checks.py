"""Checks of what users hand in: a ValueError or KeyError, before anything compiles, that names the argument."""

import difflib
from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from core.history import History

__all__ = [
    "check_bounds",
    "check_budget",
    "check_count",
    "check_key",
    "check_observations",
    "check_threshold",
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
    near = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {', '.join(names)}"


def check_count(name: str, count: Any) -> None:
    """Raise ValueError unless ``count`` is an integer of at least 1."""
    if not isinstance(count, (int, np.integer)) or count < 1:
        raise ValueError(f"{name} must be an integer of at least 1, got {count!r}")


def check_budget(budget: int, initial_size: int) -> None:
    """Raise ValueError unless both are counts and the budget holds the initial design."""
    check_count("budget", budget)
    check_count("initial_size", initial_size)
    if budget < initial_size:
        raise ValueError(
            f"budget {budget} is below the initial design of {initial_size} points; raise budget or lower initial_size"
        )


def check_threshold(name: str, kappa: Any) -> float:
    """The threshold as a number.

    Raises:
        ValueError: one that is not a positive finite number.
    """
    try:
        value = float(kappa)
    except (TypeError, ValueError):
        value = float("nan")
    if not 0.0 < value < float("inf"):
        raise ValueError(f"{name} must be a positive finite number, in the unit of y, got {kappa!r}")
    return value


def check_bounds(bounds: Any, name: str = "bounds") -> np.ndarray:
    """The box as an array of shape (d, 2). Raises ValueError unless it is finite with lower < upper on every axis."""
    box = np.asarray(bounds, dtype=float)
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
    """Whether it is a JAX key, or an array of keys, of the new style (``jax.random.key``)."""
    return isinstance(key, jax.Array) and bool(jnp.issubdtype(key.dtype, jax.dtypes.prng_key))


def check_key(key: Any) -> None:
    """Raise ValueError unless it is one JAX key."""
    if not (is_key(key) and key.ndim == 0):
        raise ValueError("key must be a single JAX key, such as jax.random.key(0)")


def check_observations(
    observations: History | tuple[Any, ...] | None, box: np.ndarray, context_box: np.ndarray | None = None
) -> History:
    """The record of observations given: a history of the same boxes, or arrays, or None for no observations.

    Raises:
        ValueError: other bounds, shapes that do not match, values that are not finite, points outside the box.
    """
    dim, context_dim = box.shape[0], 0 if context_box is None else context_box.shape[0]
    if observations is None:
        none = np.zeros((0, context_dim)) if context_dim else None
        return History(np.zeros((0, dim)), np.zeros(0), box, context=none, context_bounds=context_box)
    if isinstance(observations, History):
        if not np.array_equal(observations.bounds, box):
            raise ValueError("observations were made with other bounds")
        same = np.array_equal(np.asarray(observations.context_bounds), np.asarray(context_box))  # also both None
        if same:
            return observations
        if len(observations.y):
            raise ValueError("observations were made with other context_bounds")
        return check_observations(None, box, context_box)
    if len(observations) not in ((4,) if context_dim else (2, 3)):
        raise ValueError(
            "observations must be a History or "
            + (
                "four parts (x, y, noise variances or None, contexts)"
                if context_dim
                else "a pair of arrays (x, y), with the noise variances as a possible third"
            )
            + f", got {len(observations)} parts"
        )
    contexts = np.asarray(observations[3], dtype=float) if context_dim else None
    x, y, *noise = (np.asarray(part, dtype=float) for part in observations[:3] if part is not None)
    if x.ndim != 2 or x.shape[1] != dim or y.shape != x.shape[:1]:
        raise ValueError(f"observations must be x of shape (t, {dim}) and y of shape (t,), got {x.shape} and {y.shape}")
    for name, array in (("x", x), ("y", y)):
        bad = np.flatnonzero(~np.isfinite(array.reshape(len(array), -1)).all(axis=1))
        if bad.size:
            raise ValueError(f"observations: {name} is not finite in rows {bad.tolist()}")
    if noise:
        if noise[0].shape != y.shape:
            raise ValueError(f"observations must have one noise variance a row, {y.shape}, got {noise[0].shape}")
        bad = np.flatnonzero(~(np.isfinite(noise[0]) & (noise[0] >= 0.0)))
        if bad.size:
            raise ValueError(f"observations: noise_variance is not a finite number >= 0 in rows {bad.tolist()}")
    outside = np.flatnonzero(((x < box[:, 0]) | (x > box[:, 1])).any(axis=1))
    if outside.size:
        raise ValueError(f"observations: x lies outside the bounds in rows {outside.tolist()}")
    if contexts is not None:
        if contexts.shape != (len(y), context_dim):
            raise ValueError(
                f"observations must have contexts of shape ({len(y)}, {context_dim}), got {contexts.shape}"
            )
        bad = np.flatnonzero(~np.isfinite(contexts).all(axis=1))
        if bad.size:
            raise ValueError(f"observations: context is not finite in rows {bad.tolist()}")
    known = noise[0] if noise else None
    return History(x, y, box, noise_variance=known, context=contexts, context_bounds=context_box)
