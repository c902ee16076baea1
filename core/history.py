"""What :func:`core.loop.optimize` returns and accepts: the history of evaluations, and the checks of its input."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from core.policies import FINITE_SET, Policy, contextual, make

__all__ = [
    "Evaluation",
    "EvaluationError",
    "History",
    "Interrupted",
    "check_bounds",
    "check_budget",
    "check_count",
    "check_key",
    "check_observations",
    "check_policy",
    "is_key",
]


class Evaluation(NamedTuple):
    """What an objective may return in place of a number.

    Attributes:
        value: to be maximised.
        noise_variance: variance of its observation noise where it is known, in squared units of the value; zero for an
            exact one. Given for all evaluations or for none; none means that the policy estimates the noise.
        context: observed context, for the policies that use one.
    """

    value: float
    noise_variance: float | None = None
    context: Any = None


@dataclass(frozen=True)
class History:
    """What :func:`optimize` returns, in the units of the objective; hand it back to continue.

    Attributes:
        x: points evaluated, shape (t, d).
        y: values returned, shape (t,); NaN where the evaluation failed.
        bounds: the box, shape (d, 2).
        recommended: the point the policy believes best (the observed point of largest surrogate value), shape (d,).
        state: the policy's state after the last observation.
        failures: evaluation number and message of every failed evaluation.
        noise_variance: known noise variances, shape (t,), NaN where the evaluation failed; None where they are unknown.
        context: contexts observed, as they were returned, shape (t, c), NaN where the evaluation failed; None without.
        context_bounds: the box they are scaled by, shape (c, 2); None without.
    """

    x: np.ndarray
    y: np.ndarray
    bounds: np.ndarray
    recommended: np.ndarray | None = None
    state: Any = None
    failures: dict[int, str] = field(default_factory=dict)
    noise_variance: np.ndarray | None = None
    context: np.ndarray | None = None
    context_bounds: np.ndarray | None = None

    @property
    def best_x(self) -> np.ndarray:
        """The point of the largest value observed: the one to use where the objective is noise-free."""
        self._require_success()
        point: np.ndarray = self.x[int(np.nanargmax(self.y))]
        return point

    @property
    def best_y(self) -> float:
        """The largest value observed."""
        self._require_success()
        return float(np.nanmax(self.y))

    def _require_success(self) -> None:
        if not np.isfinite(self.y).any():
            raise ValueError(f"no evaluation has succeeded yet, of {len(self.y)}")


class EvaluationError(ValueError):
    """The objective failed or returned something that is not finite; ``history`` holds all that came before."""

    def __init__(self, message: str, history: History) -> None:
        """Keep the history: nothing that was paid for is lost."""
        super().__init__(message)
        self.history = history


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while the objective ran; ``history`` holds all that came before, to be handed back to ``optimize``."""

    def __init__(self, message: str, history: History) -> None:
        """Keep the history: nothing that was paid for is lost."""
        super().__init__(message)
        self.history = history


def check_count(name: str, count: Any) -> None:
    if not isinstance(count, (int, np.integer)) or count < 1:
        raise ValueError(f"{name} must be an integer of at least 1, got {count!r}")


def check_budget(budget: int, initial_size: int) -> None:
    check_count("budget", budget)
    check_count("initial_size", initial_size)
    if budget < initial_size:
        raise ValueError(
            f"budget {budget} is below the initial design of {initial_size} points; raise budget or lower initial_size"
        )


def check_bounds(bounds: Any, name: str = "bounds") -> np.ndarray:
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


def check_policy(policy: str | Policy, dim: int, context_dim: int = 0) -> Policy:
    if isinstance(policy, str):
        if policy in FINITE_SET:
            raise ValueError(f"policy {policy!r} works on a finite set; optimize searches a box")
        if contextual(policy) and not context_dim:
            raise ValueError(
                f"policy {policy!r} learns from contexts: give context_bounds, and return (value, context)"
            )
        return make(policy, dim, **({"context_dim": context_dim} if contextual(policy) else {}))
    if policy.dim != dim:
        raise ValueError(f"policy works in dimension {policy.dim}, bounds have {dim}")
    if policy.context_dim not in (0, context_dim):
        raise ValueError(f"policy reads contexts of dimension {policy.context_dim}, context_bounds have {context_dim}")
    return policy


def is_key(key: Any) -> bool:
    return isinstance(key, jax.Array) and bool(jnp.issubdtype(key.dtype, jax.dtypes.prng_key))


def check_key(key: Any) -> None:
    if not (is_key(key) and key.ndim == 0):
        raise ValueError("key must be a single JAX key, such as jax.random.key(0)")


def check_observations(
    observations: History | tuple[Any, ...] | None, box: np.ndarray, context_box: np.ndarray | None = None
) -> History:
    dim, context_dim = box.shape[0], 0 if context_box is None else context_box.shape[0]
    if observations is None:
        return History(np.zeros((0, dim)), np.zeros(0), box)
    if isinstance(observations, History):
        if not np.array_equal(observations.bounds, box):
            raise ValueError("observations were made with other bounds")
        same = np.array_equal(np.asarray(observations.context_bounds), np.asarray(context_box))  # also both None
        if len(observations.y) and not same:
            raise ValueError("observations were made with other context_bounds")
        return observations
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
