"""The record of a run: what was evaluated and what came back, in the units of the objective."""

import math
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Evaluation", "EvaluationError", "History", "Interrupted"]


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
    """What was evaluated, in the units of the objective; hand it back to continue.

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

    def __len__(self) -> int:
        """Number of evaluations, failed ones included."""
        return len(self.y)

    @property
    def ok(self) -> np.ndarray:
        """True for the evaluations that succeeded, shape (t,)."""
        return np.isfinite(self.y)

    @property
    def context_dim(self) -> int:
        """Dimension of the contexts; 0 without."""
        return 0 if self.context_bounds is None else len(self.context_bounds)

    def append(
        self,
        x: np.ndarray,
        y: float = math.nan,
        noise_variance: float | None = None,
        context: np.ndarray | None = None,
        failure: str | None = None,
    ) -> "History":
        """The record with one more evaluation; a ``failure`` is the message of one that has no value.

        The recommended point is that of the shorter record no more, and is left out.
        """
        known = self.noise_variance
        if known is None and noise_variance is not None:
            known = np.full(len(self), math.nan)  # nothing but failures before it
        if known is not None:
            known = np.append(known, math.nan if noise_variance is None else noise_variance)
        seen = self.context
        if self.context_bounds is not None:
            before = np.zeros((0, self.context_dim)) if seen is None else seen
            row = np.full(self.context_dim, math.nan) if context is None else context
            seen = np.concatenate([before, row[None]])
        failures = self.failures if failure is None else {**self.failures, len(self): failure}
        return replace(
            self,
            x=np.concatenate([self.x, x[None]]),
            y=np.append(self.y, y),
            recommended=None,
            failures=failures,
            noise_variance=known,
            context=seen,
        )

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
        if not self.ok.any():
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
