"""Bayesian optimisation of a Python function, in the function's own units, by asking and telling.

:class:`Optimizer` proposes points and is told their values, in any order; :func:`core.optimizer.optimize.optimize` is a
loop on it. For runs of many seeds as one compiled program there is :func:`core.simulate.simulate`.
"""

import math
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Unpack

import numpy as np

from core.checks import check_count
from core.environment import owned
from core.optimizer import checkpoint
from core.optimizer.history import History
from core.optimizer.options import Bounds, Options, Settings, complete, fingerprint, spelled_out
from core.optimizer.programs import past_state
from core.optimizer.proposals import Proposals
from core.optimizer.record import Evaluation, Progress, Record
from core.optimizer.validation import check_observations, inconsistent, read
from core.policies import Policy
from core.spaces.domain import Domain

__all__ = ["Optimizer"]

MANY = 20
"""The number of pending points from which a told point that matches none of them gives a warning."""


class Optimizer:
    """Maximise over a box, or a space, by asking for points and telling the observations there::

        optimizer = Optimizer([(20.0, 90.0), (4.0, 9.0)], key=jax.random.key(0))
        for _ in range(30):
            x = optimizer.ask()[0]
            optimizer.tell(x, measure(x))
        optimizer.history.best_x, optimizer.recommended

    Told each point before the next is asked for, and given the same ``budget``, it gives exactly the points of
    :func:`core.optimizer.optimize.optimize`. Points that were asked for and not yet told are *pending*: the policy is
    shown them with the value it expects there (:meth:`core.policies.Policy.predict`; "hallucinated observations",
    Desautels, Krause and Burdick 2014), so that several can be evaluated at once. What it learns in
    :meth:`core.policies.Policy.update`, such as hyperparameters, it learns from real observations only.

    Attributes:
        progress: the state of the run, an immutable record that :meth:`ask` and :meth:`tell` replace.
        settings: the options, as understood.

    Threads may share one: calls wait for each other.
    """

    progress: Progress
    settings: Settings

    @spelled_out
    @owned
    def __init__(
        self, bounds: Bounds, *, failures: str | None = None, budget: int | None = None, **options: Unpack[Options]
    ) -> None:
        """A run that starts from the given evaluations, if any.

        Args:
            bounds: d pairs (lower, upper), finite, lower < upper; or a :class:`core.spaces.space.Space`, or the mapping
                of names to parameters that makes a space.
            failures: the value that the policy sees for a failed evaluation: "worst", the worst value seen so far, or
                "skip", the median (with contexts, nothing); None for "worst", with contexts for "skip".
            budget: number of evaluations, where it is known: programs of a larger capacity are then made in time.
            options: :class:`core.optimizer.options.Options`: the key, the policy, observations given, ...

        Raises:
            TypeError: an unknown option; no key.
            ValueError: bad bounds, key, observations, ``initial_size``, ``budget``, ``failures`` or ``context_bounds``;
            a policy that cannot work on this space or under a constraint.
            KeyError: an unknown policy.
        """
        settings = Settings.of(bounds, failures, budget, **options)
        domain, noise = settings.domain, settings.noise
        given = complete(options)["observations"]
        past = check_observations(given, domain.box, settings.context_box, domain.space, settings.maximize)
        state = past_state(settings.policy, settings.init_key, past.state)
        fits = past.policy is None or fingerprint(past.policy) == fingerprint(settings.policy)
        fits = fits and state is not None and (past.scale is None or settings.transforms)
        if noise is not None and past.noise_variance is None:
            past, fits = replace(past, noise_variance=np.where(past.ok, noise, math.nan)), False
        past = replace(past, policy=settings.policy)
        # a state that was fitted under other options is where the next fit begins
        self._begin(settings, Progress(past, state=state, shown=len(past) if fits else -1))

    def _begin(self, settings: Settings, progress: Progress) -> None:
        self.settings, self.progress = settings, progress
        self._proposals = Proposals(settings)
        self._lock = threading.RLock()
        self._warned = False

    @property
    def _domain(self) -> Domain:
        return self.settings.domain

    @owned
    def ask(self, n: int = 1) -> Any:
        """The next ``n`` points to evaluate: an array of shape (n, d) in the units of the objective.

        With a space, a list of n dictionaries. The first ``initial_size`` points of a run are a Latin hypercube; where
        a constraint forbids one, the nearest of many allowed ones is taken. Asking again without telling gives
        further points, not the same ones.

        Raises:
            ValueError: n below 1; a second point before the first is told, where the policy allows one at a time; a
            constraint that no point satisfies. No point is pending then that was not pending before.
        """
        check_count("n", n)
        with self._lock:
            first, progress = len(self.progress.pending), self.progress
            for _ in range(int(n)):
                progress = self._proposals.with_next(progress)
            points = self._domain.points([x.copy() for x in progress.pending[first:]])
            self.progress = progress
            return points

    def tell(
        self,
        x: Sequence[float] | np.ndarray | Mapping[str, Any],
        y: float | None = None,
        *,
        noise_variance: float | None = None,
        context: Any = None,
        failure: str | None = None,
    ) -> None:
        """Tell the observation at a point: a point that was asked for, in any order, or any other point of the box.

        A point that differs by rounding alone from a point asked for (:data:`core.spaces.domain.ROUNDED`) counts as
        that point. One warning is given where a point matches none of more than ``MANY`` pending points.

        Args:
            x: the point, shape (d,), or its parameters.
            y: the value there.
            noise_variance: the known variance of its noise, given for all evaluations or for none.
            context: the context observed with it, shape (c,), with ``context_bounds``.
            failure: in place of y, the message of a failed evaluation: the point is recorded, and the policy learns of
                the failure (``failures``).

        Raises:
            ValueError: a point of another shape or outside the box; neither or both of y and failure; numbers that are
                not finite; a noise variance or context that is missing or was not expected. Nothing is recorded then.
        """
        with self._lock:
            point, which = self._domain.read(x, self.progress.pending)
            history = self.progress.history
            if failure is not None and not isinstance(failure, str):
                raise ValueError(f"failure must be a message, got {failure!r}")
            if failure is not None and y is None:
                self._record(history.append(point, failure=failure), which)
                return
            if failure is not None or y is None:
                raise ValueError("tell needs either the value y or the failure's message")
            noise = self.settings.noise if noise_variance is None else noise_variance
            outcome = read(Evaluation(y, noise, context), history.context_dim)
            message = outcome.message or inconsistent(outcome.noise_variance, history)
            if message is not None:
                shown = x if isinstance(x, Mapping) else point.tolist()
                raise ValueError(f"tell({shown}, ...) {message}; where an evaluation failed, give failure=")
            self._record(history.append(point, outcome.value, outcome.noise_variance, outcome.context), which)

    def forget(self, x: Sequence[float] | np.ndarray | Mapping[str, Any]) -> None:
        """Withdraw a point that was asked for and will not be evaluated: the point is no longer pending, and nothing is
        recorded.

        The policy may propose the point again. Where the point cannot be evaluated, use ``tell(x, failure=...)``.

        Raises:
            ValueError: a point that is not pending, of another shape or outside the box.
        """
        with self._lock:
            point, which = self._domain.read(x, self.progress.pending)
            if which is None:
                raise ValueError(f"{x if isinstance(x, Mapping) else point.tolist()} is not pending")
            waiting, forgotten = _without(self.progress.pending, which), self.progress.forgotten + 1
            self.progress = replace(self.progress, pending=waiting, forgotten=forgotten)

    @property
    def history(self) -> History:
        """The evaluations told so far, with the policy's state: hand it to an :class:`Optimizer` to continue."""
        history: History = self._proposals.history(self.progress)
        return history

    @property
    def pending(self) -> Any:
        """The points asked for and not yet told: shape (p, d), or a list of dictionaries."""
        return self._domain.points(self.progress.pending)

    @property
    @owned
    def recommended(self) -> Any:
        """The observed point to use; None before any success.

        The observed point of best surrogate value; where observations are exact, the point of the best value. The
        option ``noise`` says whether observations are exact, or the likelihood decides
        (:func:`core.optimizer.posterior.is_exact`).
        """
        with self._lock:
            self.progress, point = self._proposals.recommended(self.progress)
        return point

    def save(self, path: str | PathLike[str]) -> None:
        """Write the whole run to a file, pending points included; see :mod:`core.optimizer.checkpoint`.

        Raises:
            OSError: a file that cannot be written.
        """
        with self._lock:
            checkpoint.save(path, self.settings, self.progress)

    @classmethod
    def load(cls, path: str | PathLike[str], *, policy: Policy | None = None, constraint: Any = None) -> "Optimizer":
        """The run of a file, which goes on exactly as the saved one would have; see
        :func:`core.optimizer.checkpoint.load`."""
        loaded = cls.__new__(cls)
        loaded._begin(*checkpoint.load(path, policy=policy, constraint=constraint))
        return loaded

    def _record(self, history: Record, which: int | None) -> None:
        waiting = self.progress.pending
        if which is not None:
            waiting = _without(waiting, which)
        elif len(waiting) > MANY and not self._warned:
            self._warned = True
            warnings.warn(
                f"the point told is none of the {len(waiting)} that wait for a result; forget(x) withdraws those that"
                " will not be evaluated",
                stacklevel=4,
            )
        self.progress = replace(self.progress, history=history, pending=waiting)

    def __getstate__(self) -> dict[str, Any]:
        """The state without the lock, which no copy shares."""
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state, with a lock of its own."""
        self.__dict__.update(state, _lock=threading.RLock())


def _without(points: tuple[np.ndarray, ...], which: int) -> tuple[np.ndarray, ...]:
    return points[:which] + points[which + 1 :]
