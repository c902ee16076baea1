"""Bayesian optimisation of a Python function, in the function's own units, by asking and telling.

:class:`Optimizer` proposes points and is told what became of them, in any order;
:func:`core.optimizer.optimize.optimize`
is a loop on it. For runs of many seeds as one compiled program there is :func:`core.simulate.simulate`.
"""

import math
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import jax
import numpy as np
from jaxtyping import Array, PRNGKeyArray

from core.checks import check_bounds, check_count, check_key, check_truth
from core.designs import default_initial_size, initial_design, seed_keys
from core.optimizer.ahead import Ahead
from core.optimizer.domain import Domain
from core.optimizer.evaluation import inconsistent, read
from core.optimizer.exactness import is_exact
from core.optimizer.given import check_noise, check_observations
from core.optimizer.history import Evaluation, History
from core.optimizer.programs import (
    design_key_and_others,
    first_state,
    log_likelihood,
    past_state,
    proposed,
    recommendation,
    updated,
)
from core.optimizer.region import Region
from core.optimizer.search import propose_from, snapping
from core.optimizer.shown import observed, to_unit, with_pending
from core.optimizer.spaces import Space
from core.optimizer.surroundings import owned
from core.optimizer.tails import checkpoint, scale_of
from core.policies import FINITE_SET, Policy, contextual, make
from core.policies.refitted import RefittedPolicy
from core.types import Observations

__all__ = ["DEFAULT_POLICY", "Optimizer", "Progress"]

DEFAULT_POLICY = "corrected_ei"
FAILURES = ("skip", "worst")

MANY = 20
"""Pending points beyond which a point told that is none of them is remarked upon."""


@dataclass(frozen=True)
class Progress:
    """Where a run stands; immutable, so that keeping one is a snapshot.

    Attributes:
        history: the evaluations told, in the order in which they were told.
        pending: points asked for and not yet told, in the box of ``history``, in the order of asking.
        state: the policy's state after the evaluations it was last shown; None before any.
        shown: how many evaluations ``state`` has seen; -1 for none.
        carried: the policy's state after its latest proposal.
        info: diagnostics of the latest proposal; empty for points of the initial design.
    """

    history: History
    pending: tuple[np.ndarray, ...] = ()
    state: Any = None
    shown: int = -1
    carried: Any = None
    info: Mapping[str, Array] = field(default_factory=dict)

    @property
    def latest(self) -> Any:
        """The state to go on from; None before any."""
        return self.state if self.carried is None else self.carried


class Optimizer:
    """Maximise over a box, or a space, by asking for points and telling what was observed there::

        optimizer = Optimizer([(20.0, 90.0), (4.0, 9.0)], key=jax.random.key(0))
        for _ in range(30):
            x = optimizer.ask()[0]
            optimizer.tell(x, measure(x))
        optimizer.history.best_x, optimizer.recommended

    Told each point before the next is asked for, it gives exactly the points of
    :func:`core.optimizer.optimize.optimize`. Points that were asked for and not yet told are *pending*: the policy is
    shown
    them with the value it expects there (:meth:`core.policies.Policy.predict`; "hallucinated observations", Desautels,
    Krause and Burdick 2014), so that several can be evaluated at once. What it learns in
    :meth:`core.policies.Policy.update`, such as hyperparameters, it learns from real observations only.

    Attributes:
        progress: where the run stands; an immutable record, replaced by :meth:`ask` and :meth:`tell`.
        domain: the box or space, and the constraint.
        policy: what proposes; ``policy_name`` is its name, None where an instance was given.
        key, failures, initial_size: as given; ``noise`` is the variance of the noise, None where it is unknown.
        design: the initial design, in the unit cube.
        ahead: has programs made in time.

    Threads may share one: calls wait for each other.
    """

    progress: Progress

    @owned
    def __init__(
        self,
        bounds: Sequence[Any] | np.ndarray | Space | Mapping[str, Any],
        *,
        policy: str | Policy = DEFAULT_POLICY,
        key: PRNGKeyArray | int,
        observations: "History | tuple[Any, ...] | None" = None,
        initial_size: int | None = None,
        first: Sequence[Any] = (),
        failures: str | None = None,
        context_bounds: Sequence[Any] | np.ndarray | None = None,
        maximize: bool = True,
        constraint: Any = None,
        noise: str | float = "unknown",
        transform: bool | None = None,
        budget: int | None = None,
    ) -> None:
        """The arguments are those of :func:`core.optimizer.optimize.optimize`, but for two.

        Args:
            bounds, policy, key, observations, initial_size, first: as there.
            context_bounds, maximize, constraint, noise, transform: as there.
            failures: "worst" or "skip", its ``on_failure``; None for "worst", with contexts for "skip".
            budget: evaluations in all, where that is known: programs of a larger capacity are then made in time.

        Raises:
            ValueError: bad bounds, key, observations, ``initial_size``, ``failures`` or ``context_bounds``; a policy
            that cannot work on this space or under a constraint.
            KeyError: an unknown policy.
        """
        check_truth("maximize", maximize)
        self.domain = Domain.of(bounds, constraint)
        context_box = None if context_bounds is None else check_bounds(context_bounds, "context_bounds")
        dim, context_dim = self.domain.dim, 0 if context_box is None else len(context_box)
        self.policy = _policy_for(policy, dim, context_dim)
        self.policy_name = policy if isinstance(policy, str) else None
        number = isinstance(key, (int, np.integer)) and not isinstance(key, bool)
        given: Any = seed_keys([int(key)])[0] if number else key
        check_key(given)
        self.key = given
        if failures is None:
            failures = "skip" if context_dim else "worst"
        if failures not in FAILURES:
            raise ValueError(f"failures must be 'skip' or 'worst', got {failures!r}")
        if failures == "worst" and context_dim:
            raise ValueError("failures='worst' cannot be had with contexts, a failed evaluation has none: use 'skip'")
        self.failures = failures
        self._searching = snapping(self.policy, self.domain.space, constrained=self.domain.constrained)
        past = check_observations(observations, self.domain.box, context_box, self.domain.space, maximize)
        self.noise = check_noise(noise)
        if self.noise is not None and past.noise_variance is None:
            past = replace(past, noise_variance=np.where(past.ok, self.noise, math.nan))
        self.initial_size = _size(initial_size, self.domain.varying, budget)
        design_key, self._init_key, self._step_key = design_key_and_others(given)
        self.design = np.asarray(initial_design(design_key, self.initial_size, dim))
        if len(first):
            own = np.stack([self.domain.own(point) for point in first])
            self.design = np.concatenate([own, self.design[len(own) :]])
            self.initial_size = len(self.design)
        state = past_state(self.policy, self._init_key, past.state)
        past = replace(past, policy=self.policy)
        searches = None if self.domain.constrained else self._searching
        self.ahead = Ahead(self.policy, searches, self._init_key, self._step_key, self.initial_size, failures)
        self.ahead.budget = None if budget is None else int(budget)
        named = self.policy_name is not None if transform is None else transform
        likeliest = isinstance(self.policy, RefittedPolicy) and self.policy.log_prior is None
        self._transforms = named and likeliest and not context_dim and self.noise is None
        self._scales: dict[int, float | None] = {}
        self._lock = threading.RLock()
        self._warned = False
        self.progress = Progress(past, state=state, shown=-1 if state is None else len(past))

    @owned
    def ask(self, n: int = 1) -> Any:
        """The next ``n`` points to evaluate: an array of shape (n, d) in the units of the objective.

        With a space, a list of n dictionaries. The first ``initial_size`` points of a run are a Latin hypercube; where
        a constraint forbids one, the nearest of many allowed ones is taken. Asking again without telling gives
        further points, not the same ones.

        Raises:
            ValueError: n below 1; a second point before the first is told, where the policy allows one at a time; a
            constraint that no point satisfies.
        """
        check_count("n", n)
        with self._lock:
            return self.domain.points([self._ask_one() for _ in range(int(n))])

    def tell(
        self,
        x: Sequence[float] | np.ndarray | Mapping[str, Any],
        y: float | None = None,
        *,
        noise_variance: float | None = None,
        context: Any = None,
        failure: str | None = None,
    ) -> None:
        """What was observed at one point: one that was asked for, in any order, or any other point of the box.

        A point that differs by rounding from one asked for (:data:`core.optimizer.domain.ROUNDED`) is that one, told as
        it was evaluated. One warning is given where a point matches none of more than ``MANY`` pending ones.

        Args:
            x: the point, shape (d,), or its parameters.
            y: the value there.
            noise_variance: variance of its noise, where that is known: for all evaluations or for none.
            context: the context observed with it, shape (c,), with ``context_bounds``.
            failure: in place of y, what went wrong: the point is recorded, and the policy learns that nothing is to be
                had there (``failures``).

        Raises:
            ValueError: a point of another shape or outside the box; neither or both of y and failure; numbers that are
                not finite; a noise variance or context that is missing or was not expected. Nothing is recorded then.
        """
        with self._lock:
            point, which = self.domain.read(x, self.progress.pending)
            history = self.progress.history
            if failure is not None and not isinstance(failure, str):
                raise ValueError(f"failure must be a message, got {failure!r}")
            if failure is not None and y is None:
                self._record(history.append(point, failure=failure), which)
                return
            if failure is not None or y is None:
                raise ValueError("tell needs either the value y or the failure's message")
            noise = self.noise if noise_variance is None else noise_variance
            outcome = read(Evaluation(y, noise, context), history.context_dim)
            message = outcome.message or inconsistent(outcome.noise_variance, history)
            if message is not None:
                shown = x if isinstance(x, Mapping) else point.tolist()
                raise ValueError(f"tell({shown}, ...) {message}; where an evaluation failed, give failure=")
            self._record(history.append(point, outcome.value, outcome.noise_variance, outcome.context), which)

    def forget(self, x: Sequence[float] | np.ndarray | Mapping[str, Any]) -> None:
        """Withdraw a point that was asked for and will not be evaluated: it is pending no more, nothing is recorded.

        Raises:
            ValueError: a point that is not pending.
        """
        with self._lock:
            point, which = self.domain.read(x, self.progress.pending)
            if which is None:
                raise ValueError(f"{x if isinstance(x, Mapping) else point.tolist()} is not pending")
            self.progress = replace(self.progress, pending=_without(self.progress.pending, which))

    @property
    def history(self) -> History:
        """The evaluations told so far, with the policy's state: hand it to an :class:`Optimizer` to continue."""
        progress = self.progress
        state = progress.state if progress.shown == len(progress.history) else None
        return replace(progress.history, state=state, scale=None if state is None else self._scale)

    @property
    def pending(self) -> Any:
        """The points asked for and not yet told: shape (p, d), or a list of dictionaries."""
        return self.domain.points(self.progress.pending)

    @property
    @owned
    def recommended(self) -> Any:
        """The point to use, of those observed; None before any success.

        The one of best surrogate value; where observations are exact, that of the best value. Whether they are is what
        was said (``noise``), or what the likelihood says (:mod:`core.optimizer.exactness`).
        """
        with self._lock:
            history, scale = self.progress.history, self._scale
            known, succeeded = (observed(history, failures, scale=scale) for failures in (self.failures, "drop"))
            if known is None or succeeded is None:
                return None
            self._show(known)
            if not self.progress.history.context_dim and self._exact:
                return self.progress.history.best_x
            unit = np.asarray(recommendation(self.policy, self.progress.state, succeeded))
        return self.domain.point(self.domain.to_box(unit))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the whole run to a file, pending points included; see :mod:`core.optimizer.saved`."""
        from core.optimizer.saved import save

        with self._lock:
            save(self, path)

    @staticmethod
    def load(path: str | PathLike[str], *, policy: Policy | None = None, constraint: Any = None) -> "Optimizer":
        """The run of a file, which goes on exactly as the saved one would have; see
        :func:`core.optimizer.saved.load`."""
        from core.optimizer.saved import load

        return load(path, policy=policy, constraint=constraint)

    def _ask_one(self) -> np.ndarray:
        progress = self.progress
        index, known = (
            len(progress.history) + len(progress.pending),
            observed(self.progress.history, self.failures, scale=self._scale),
        )
        carried, info = progress.carried, dict[str, Array]()
        self.ahead.look(progress.history, progress.latest)
        if index < self.initial_size or known is None:
            unit = self._design_point(index)
        else:
            self._show(known)
            state = self.progress.carried
            if progress.pending and not self.policy.batches:
                name = type(self.policy).__name__
                raise ValueError(f"{name} learns from one proposal at a time: tell the pending one first")
            if progress.pending:
                known = with_pending(self.policy, state, known, to_unit(np.stack(progress.pending), self.domain.box))
            query, carried, info = self._propose(index, state, known)
            if self._scale is not None and self.policy.expects_gain and "acquisition" in info:
                info = {
                    **info,
                    "acquisition": self._scale * info["acquisition"],
                }  # the slope at the best is one over it
            unit = self.domain.snapped(np.asarray(query))
        x = self.domain.to_box(unit)
        self.progress = replace(self.progress, pending=(*progress.pending, x), carried=carried, info=info)
        return x.copy()

    def _propose(self, index: int, state: Any, known: Observations) -> tuple[Any, Any, dict[str, Array]]:
        """Point in the cube, state and diagnostics."""

        def propose(policy: Policy) -> tuple[Any, Any, dict[str, Array]]:
            return proposed(policy, self._step_key, index, state, known)

        region = self._region
        if not self.domain.constrained:
            result = propose(self._searching)
            if region.allowed(self.domain.snapped(np.asarray(result[0]))):
                return result
        return propose_from(propose, self._searching, self._rng(index), region)

    def _design_point(self, index: int) -> np.ndarray:
        """A point of the initial design, or a random one after it, in the cube."""
        if index < self.initial_size:
            unit = self.design[index]
        else:
            unit = np.asarray(jax.random.uniform(jax.random.fold_in(self._step_key, index), (self.domain.dim,)))
        unit = np.asarray(self.policy.project(jax.device_put(unit)))
        return self.domain.allowed_near(unit, self._rng(index), self._region)

    @property
    def _scale(self) -> float | None:
        """Of the transformation of the values that the policy is shown, by the evaluations up to a checkpoint."""
        history = self.progress.history
        if not self._transforms or history.noise_variance is not None or len(history) < self.initial_size:
            return None
        at = checkpoint(len(history), self.initial_size)
        if at not in self._scales:
            self._scales[at] = self._decided(replace(history, x=history.x[:at], y=history.y[:at]))
        return self._scales[at]

    def _decided(self, history: History) -> float | None:
        """The scale that the likelihood of these evaluations is for."""
        if history.ok.sum() < 5:
            return None

        def likelihood(scale: float | None) -> float:
            known: Any = observed(history, "drop", len(self.progress.history), scale)
            theta: Any = updated(self.policy, first_state(self.policy, self._init_key), known)
            return float(log_likelihood(self.policy, theta, known))

        return scale_of(history.gains[history.ok], likelihood)

    @property
    def _exact(self) -> bool:
        """Whether observations are exact, by what is known of their noise or by a likelihood."""
        decides = self.progress.history.noise_variance is not None or isinstance(self.policy, RefittedPolicy)
        return decides and bool(is_exact(self.history))

    @property
    def _region(self) -> Region:
        """What may be evaluated next. Of the points of a space none twice, unless there is noise or none is left."""
        history = self.progress.history
        asked = [*history.x, *self.progress.pending]
        known = to_unit(np.stack(asked), self.domain.box) if asked else np.zeros((0, self.domain.dim))
        space, noise = self.domain.space, history.noise_variance
        if space is None or not space.rounds or (noise is not None and np.any(noise > 0.0)):
            return self.domain.region(known)
        region = self.domain.region(known, known)
        if region.cells is None or any(map(region.allowed, region.cells)):
            return region
        count = len(region.cells)
        warnings.warn(
            f"all {count} points of the space, or those allowed, have been evaluated: more repeat", stacklevel=5
        )
        return self.domain.region(known)

    def _rng(self, index: int) -> np.random.Generator:
        """Draws the candidates of a constrained search."""
        return np.random.default_rng([*np.asarray(jax.random.key_data(self._step_key)).ravel().tolist(), index])

    def _show(self, known: Observations) -> None:
        """Update the policy's state on evaluations that it has not seen."""
        progress = self.progress
        if progress.shown != len(progress.history):
            before = first_state(self.policy, self._init_key) if progress.latest is None else progress.latest
            state = updated(self.policy, before, known)
            self.progress = replace(progress, state=state, carried=state, shown=len(progress.history))
        elif progress.carried is None:
            self.progress = replace(progress, carried=progress.state)

    def _record(self, history: History, which: int | None) -> None:
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
        """All but the lock, which no copy shares."""
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """With a lock of its own."""
        self.__dict__.update(state, _lock=threading.RLock())


def _without(points: tuple[np.ndarray, ...], which: int) -> tuple[np.ndarray, ...]:
    return points[:which] + points[which + 1 :]


def _size(wanted: int | None, parameters: int, budget: int | None) -> int:
    """Points of the initial design: as wanted, or by the number of parameters; half of a budget that is smaller."""
    if wanted is not None:
        check_count("initial_size", wanted)
        return int(wanted)
    usual = default_initial_size(parameters)
    return usual if budget is None or budget >= usual else max(1, int(budget) // 2)


def _policy_for(policy: str | Policy, dim: int, context_dim: int) -> Policy:
    """The policy, made by name or as given, once it fits the dimensions."""
    if isinstance(policy, str):
        if policy in FINITE_SET:
            raise ValueError(f"policy {policy!r} works on a finite set; optimize searches a box")
        if contextual(policy) and not context_dim:
            raise ValueError(
                f"policy {policy!r} learns from contexts: give context_bounds, and return (value, context)"
            )
        return make(policy, dim, **({"context_dim": context_dim} if contextual(policy) else {}))
    if not isinstance(policy, Policy):
        raise ValueError(f"policy must be a name or an instance, as make(name, dim) gives, got {policy!r}")
    if policy.dim != dim:
        raise ValueError(f"policy works in dimension {policy.dim}, bounds have {dim}")
    if policy.context_dim not in (0, context_dim):
        raise ValueError(f"policy reads contexts of dimension {policy.context_dim}, context_bounds have {context_dim}")
    return policy
