"""The record of a run: the evaluated points and the returned values, in the units of the objective."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Array

from core.spaces.space import Space

__all__ = ["Evaluation", "EvaluationError", "Interrupted", "Progress", "Record"]


class Evaluation(NamedTuple):
    """The values that an objective may return in place of a number.

    Attributes:
        value: to be maximised, or minimised.
        noise_variance: the known variance of the value's noise, in squared units of the value; zero for an exact value.
            It is given for all evaluations or for none; without it the policy estimates the noise.
        context: observed context, for the policies that use one.
    """

    value: float
    noise_variance: float | None = None
    context: Any = None


@dataclass(frozen=True, eq=False)
class Record:
    """The evaluations of a run, in the units of the objective.

    Under noise the best value observed is the luckiest of many draws, and its point is no better than points nearby.
    The policy's model, which averages over nearby observations, chooses ``recommended``. Where observations are exact,
    the two points agree, or nearly.

    Attributes:
        x: points evaluated, shape (t, d); with a ``space``, in its cube: :attr:`points` has the parameters.
        y: values returned, shape (t,); NaN where the evaluation failed.
        bounds: the box of ``x``, shape (d, 2).
        recommended: the point the policy believes best (the observed point of best surrogate value), shape (d,), or its
            parameters; the one to use where observations are noisy. Only the history that ``optimize`` returns has it;
            it is None in any other, and :attr:`core.optimizer.optimizer.Optimizer.recommended` computes it.
        state: the policy's state after the last observation.
        failures: evaluation number and message of every failed evaluation.
        noise_variance: known noise variances, shape (t,), NaN where the evaluation failed; None where they are unknown.
        context: contexts observed, as they were returned, shape (t, c), NaN where the evaluation failed; None without.
        context_bounds: the box that scales the contexts, shape (c, 2); None without.
        maximize: True where the largest value is the best one, False where the smallest is.
        space: the named parameters; None where points are arrays.
        scale: the scale of the transformation of values under which the policy's state was fitted
            (:mod:`core.models.output_transform`).
        policy: the policy that proposed the points, for pictures and the summary; None where observations were given.
    """

    x: np.ndarray
    y: np.ndarray
    bounds: np.ndarray
    recommended: Any = None
    state: Any = None
    failures: dict[int, str] = field(default_factory=dict)
    noise_variance: np.ndarray | None = None
    context: np.ndarray | None = None
    context_bounds: np.ndarray | None = None
    maximize: bool = True
    space: Space | None = None
    policy: Any = field(default=None, repr=False)
    scale: float | None = None

    def __post_init__(self) -> None:
        """Private copies of the arrays, which nobody can change, so that a run continues from the values that it was
        told."""
        for name in ("x", "y", "bounds", "noise_variance", "context", "context_bounds"):
            array = getattr(self, name)
            if isinstance(array, np.ndarray) and array.flags.writeable:
                array = array.copy()
                array.flags.writeable = False
                object.__setattr__(self, name, array)

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
    ) -> "Record":
        """The record with one more evaluation; a ``failure`` is the message of an evaluation without a value.

        The recommended point of the shorter record no longer holds, and is left out.
        """
        known = self.noise_variance
        if known is None and noise_variance is not None:
            known = np.full(len(self), math.nan)  # only failures came before
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

    def point(self, x: np.ndarray) -> Any:
        """A point of the box in the form that the objective gets: an array, or its parameters with a space."""
        return x.copy() if self.space is None else self.space.decode(x)

    @property
    def points(self) -> Sequence[Any]:
        """The evaluated points in the form that the objective gets: rows of ``x``, or dictionaries."""
        return [self.point(x) for x in self.x]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters; x0, x1, ... where they have none."""
        return tuple(f"x{j}" for j in range(self.x.shape[1])) if self.space is None else self.space.names

    @property
    def best_x(self) -> Any:
        """The point of the best value observed: the one to use where the objective is noise-free.

        Raises:
            ValueError: no evaluation has succeeded.
        """
        self._require_success()
        return self.point(self.x[int(np.nanargmax(self.gains))])

    @property
    def best_y(self) -> float:
        """The best value observed: the largest, or with ``maximize=False`` the smallest.

        Raises:
            ValueError: no evaluation has succeeded.
        """
        self._require_success()
        return float(self.y[int(np.nanargmax(self.gains))])

    @property
    def gains(self) -> np.ndarray:
        """The values with the sign under which larger is better, shape (t,)."""
        return self.y if self.maximize else -self.y

    @property
    def best_so_far(self) -> np.ndarray:
        """The best value observed up to every evaluation, shape (t,); NaN before the first success."""
        best = np.fmax.accumulate(self.gains) if len(self) else self.gains
        return best if self.maximize else -best

    def _require_success(self) -> None:
        if not self.ok.any():
            raise ValueError(f"no evaluation has succeeded yet, of {len(self.y)}")


@dataclass(frozen=True, eq=False)
class Progress:
    """The state of a run; it is immutable, and keeping it keeps a snapshot.

    Attributes:
        history: the evaluations told, in the order in which they were told.
        pending: points asked for and not yet told, in the box of ``history``, in the order of asking.
        state: the policy's state after the evaluations it was last shown; None before any.
        shown: number of evaluations that ``state`` has seen; -1 for none.
        carried: the policy's state after its latest proposal.
        info: diagnostics of the latest proposal; empty for points of the initial design.
        forgotten: number of points asked for and withdrawn.
    """

    history: Record
    pending: tuple[np.ndarray, ...] = ()
    state: Any = None
    shown: int = -1
    carried: Any = None
    info: Mapping[str, Array] = field(default_factory=dict)
    forgotten: int = 0

    @property
    def proposals(self) -> int:
        """The index of the next proposal: the number of points told, pending or withdrawn."""
        return len(self.history) + len(self.pending) + self.forgotten

    @property
    def latest(self) -> Any:
        """The state to go on from; None before any."""
        return self.state if self.carried is None else self.carried


class EvaluationError(ValueError):
    """The objective failed or returned a value that is not finite; ``history`` holds all earlier evaluations.

    Where the objective raised, its exception is the cause (``__cause__``).
    """

    def __init__(self, message: str, history: Record) -> None:
        """Keep the history, so that no evaluation is lost."""
        super().__init__(message)
        self.history = history


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; ``history`` holds all earlier evaluations, which ``optimize`` takes as ``observations``."""

    def __init__(self, message: str, history: Record) -> None:
        """Keep the history, so that no evaluation is lost."""
        super().__init__(message)
        self.history = history
