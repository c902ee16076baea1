"""Checks of a user's data: observations to start from, and the return value of an objective."""

import math
import reprlib
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from core.checks import require
from core.optimizer.history import History
from core.optimizer.record import Evaluation, Record
from core.spaces.parameters import numbers
from core.spaces.space import Space

__all__ = ["Outcome", "check_noise", "check_observations", "failed", "inconsistent", "read"]


def check_observations(
    observations: History | tuple[Any, ...] | None,
    box: np.ndarray,
    context_box: np.ndarray | None = None,
    space: Space | None = None,
    maximize: bool = True,
) -> History:
    """The record of the given observations: a history of the same boxes, or arrays, or None for no observations.

    With a space, points are dictionaries.

    Raises:
        ValueError: other bounds, shapes that do not match, values that are infinite.
    """
    dim, context_dim = box.shape[0], 0 if context_box is None else context_box.shape[0]
    if observations is None:
        none = np.zeros((0, context_dim)) if context_dim else None
        start = History(np.zeros((0, dim)), np.zeros(0), box, context=none, context_bounds=context_box)
        return replace(start, maximize=maximize, space=space)
    if isinstance(observations, History):
        if not np.array_equal(observations.bounds, box):
            raise ValueError("observations were made with other bounds")
        if observations.space != space:
            raise ValueError("observations were made on another space")
        if observations.maximize != maximize:
            raise ValueError("observations were made with another maximize")
        # equal also where both are None
        same = np.array_equal(np.asarray(observations.context_bounds), np.asarray(context_box))
        if same:
            return observations
        if len(observations.y):
            raise ValueError("observations were made with other context_bounds")
        return check_observations(None, box, context_box, space, maximize)
    if not isinstance(observations, (tuple, list)):
        raise ValueError(f"observations must be a History or arrays (x, y), got {observations!r}")
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
    contexts = _numbers("contexts", observations[3]) if context_dim else None
    points = observations[0]
    beyond: dict[int, str] = {}
    if space is not None:
        points, beyond = _encoded(points, space)
    names, parts = ("x", "y", "noise variances"), (points, *observations[1:3])
    x, y, *noise = (_numbers(name, part) for name, part in zip(names, parts, strict=False) if part is not None)
    x = x.reshape(0, dim) if x.size == 0 else x
    if x.ndim != 2 or x.shape[1] != dim or y.shape != x.shape[:1]:
        raise ValueError(f"observations must be x of shape (t, {dim}) and y of shape (t,), got {x.shape} and {y.shape}")
    for name, array in (("x", x), ("y", np.nan_to_num(y, nan=0.0, posinf=np.inf, neginf=-np.inf)[:, None])):
        bad = np.flatnonzero(~np.isfinite(array).all(axis=1))
        if bad.size:
            raise ValueError(f"observations: {name} is not finite in rows {bad.tolist()}")
    if noise:
        if noise[0].shape != y.shape:
            raise ValueError(f"observations must have one noise variance a row, {y.shape}, got {noise[0].shape}")
        bad = np.flatnonzero(~((np.isfinite(noise[0]) & (noise[0] >= 0.0)) | np.isnan(y)))
        if bad.size:
            raise ValueError(f"observations: noise_variance is not a finite number >= 0 in rows {bad.tolist()}")
    if contexts is not None:
        if contexts.shape != (len(y), context_dim):
            raise ValueError(
                f"observations must have contexts of shape ({len(y)}, {context_dim}), got {contexts.shape}"
            )
        bad = np.flatnonzero(~(np.isfinite(contexts).all(axis=1) | np.isnan(y)))
        if bad.size:
            raise ValueError(f"observations: context is not finite in rows {bad.tolist()}")
    known = noise[0] if noise else None
    inside = np.asarray(((x >= box[:, 0]) & (x <= box[:, 1])).all(axis=1))
    inside[list(beyond)] = False
    if not inside.all():
        rows = np.flatnonzero(~inside).tolist()
        where = "the bounds" if space is None else "the space"
        reason = "".join(f" ({message})" for message in [*beyond.values()][:1])
        warnings.warn(f"observations: rows {rows} lie outside {where} and are left out{reason}", stacklevel=5)
        x, y = x[inside], y[inside]
        known, contexts = (None if part is None else part[inside] for part in (known, contexts))
    failures = {int(number): "no value was given" for number in np.flatnonzero(np.isnan(y))}
    if known is not None:
        known = np.where(np.isnan(y), np.nan, known)
    record = History(x, y, box, noise_variance=known, context=contexts, context_bounds=context_box)
    return replace(record, failures=failures, maximize=maximize, space=space)


def _encoded(points: Any, space: Space) -> tuple[np.ndarray, dict[int, str]]:
    """Points of a list of dictionaries, or of a table, in the space's cube, and the rows that are no points of it, with
    the reason."""
    if hasattr(points, "to_dict") and hasattr(points, "columns"):
        missing = [name for name in space.names if name not in points.columns]
        require(not missing, f"observations: the table has no columns {missing}")
        points = points[list(space.names)].to_dict("records")
    found, beyond = np.zeros((len(points), space.dim)), dict[int, str]()
    for row, point in enumerate(points):
        try:
            found[row] = space.encode(point)
        except ValueError as error:
            if not isinstance(point, Mapping) or set(point) != set(space.names):
                raise
            beyond[row] = str(error)
    return found, beyond


def check_noise(noise: Any) -> float | None:
    """The variance of every observation's noise; None where it is unknown.

    Raises:
        ValueError: a value that is neither "unknown" nor "exact" nor a finite number of at least 0.
    """
    if isinstance(noise, str) and noise in ("unknown", "exact"):
        return None if noise == "unknown" else 0.0
    if not (numbers(noise) and noise >= 0.0):
        raise ValueError(f"noise must be 'unknown', 'exact' or the variance of an observation's noise, got {noise!r}")
    return float(noise)


def _numbers(name: str, part: Any) -> np.ndarray:
    """Return the values as an array of doubles. Raises ValueError, with the name, for other contents."""
    try:
        return np.asarray(part, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"observations: {name} must be an array of numbers ({error})") from error


class Outcome(NamedTuple):
    """Value, noise variance and context; or NaN, None and None with the message of the failure, and its exception."""

    value: float
    noise_variance: float | None = None
    context: np.ndarray | None = None
    message: str | None = None
    error: BaseException | None = None


def failed(message: str, error: BaseException | None = None) -> Outcome:
    """The outcome of an evaluation without a value, with the message of the failure and the exception behind it."""
    return Outcome(math.nan, message=message, error=error)


def read(returned: Any, context_dim: int = 0) -> Outcome:
    """The checked return of an objective: a number, an :class:`Evaluation`, or a pair (value, context)."""
    pair = isinstance(returned, tuple) and not isinstance(returned, Evaluation) and len(returned) == 2
    if context_dim and pair:
        returned = Evaluation(returned[0], context=returned[1])
    evaluation = returned if isinstance(returned, Evaluation) else Evaluation(returned)
    try:
        value = _number(evaluation.value)
        noise = None if evaluation.noise_variance is None else _number(evaluation.noise_variance)
        context = None
        if context_dim and evaluation.context is not None:
            context = np.atleast_1d(np.asarray(evaluation.context, dtype=float))
    except Exception as error:  # a value that raises when it is read
        return failed(f"raised {type(error).__name__}: {error}", error)
    if value is None:
        hint = ": a pair (value, context) needs context_bounds" if pair else ""
        return failed(f"returned {_shown(evaluation.value)}, which is not a number{hint}")
    if noise is None and evaluation.noise_variance is not None:
        return failed(f"returned the noise_variance {_shown(evaluation.noise_variance)}, which is not a number")
    if evaluation.context is not None and not context_dim:
        return failed("returned a context, which needs context_bounds")
    if not math.isfinite(value):
        return failed(f"returned {value}, which is not a finite number")
    if noise is not None and not 0.0 <= noise < math.inf:
        return failed(f"returned the noise_variance {noise}, which is not a finite number >= 0")
    if context_dim:
        if context is None:
            return failed(f"returned no context; expected (value, context of length {context_dim})")
        if context.shape != (context_dim,) or not np.isfinite(context).all():
            wrong = f"returned the context {context.tolist()}, expected {context_dim} finite numbers"
            return failed(wrong)
    return Outcome(value, noise, context)


def _number(value: Any) -> float | None:
    """The value as a number, also of an array of one; None where it is not a number."""
    try:
        if np.size(value) == 1:
            value = np.reshape(value, ())
            if value.dtype.kind in "cSUmM":
                return None
            value = value.item() if value.dtype.kind == "O" else value
        return None if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError):
        return None


def _shown(value: Any) -> str:
    """The kind of a value, and its beginning."""
    return f"{type(value).__name__} {reprlib.repr(value)}"


def inconsistent(noise_variance: float | None, history: Record) -> str | None:
    """An error where a successful evaluation has a noise variance and earlier ones have none, or the reverse."""
    if noise_variance is None and history.noise_variance is not None:
        return "returned no noise_variance, but earlier evaluations did"
    if noise_variance is not None and history.noise_variance is None and history.ok.any():
        return "returned a noise_variance, but earlier evaluations did not"
    return None
