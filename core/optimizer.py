"""Bayesian optimisation of a Python function, in the function's own units: ask, tell, and a loop on the two.

:class:`Optimizer` proposes points and is told what became of them, in any order; :func:`optimize` is a short loop on
it. For runs of many seeds as one compiled program there is :func:`core.simulate.simulate`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from core.checks import check_bounds, check_budget, check_count, check_key, check_observations, check_threshold
from core.designs import default_initial_size, initial_design
from core.evaluation import evaluate, inconsistent, read
from core.history import Evaluation, EvaluationError, History, Interrupted
from core.policies import FINITE_SET, Policy, contextual, make
from core.shown import observed, to_box, to_unit, with_pending
from core.types import Observations

__all__ = ["Optimizer", "Progress", "optimize"]

FAILURES = ("skip", "worst")


@dataclass(frozen=True)
class Progress:
    """Where a run stands; immutable, so that keeping one is a snapshot.

    Attributes:
        history: the evaluations told, in the order in which they were told.
        pending: points asked for and not yet told, in the units of the objective, in the order of asking.
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


class Optimizer:
    """Maximise over a box by asking for points and telling what was observed there::

        optimizer = Optimizer([(20.0, 90.0), (4.0, 9.0)], policy="gp_ucb_refit", key=jax.random.key(0))
        for _ in range(30):
            x = optimizer.ask()[0]
            optimizer.tell(x, measure(x))
        optimizer.history.best_x, optimizer.recommended

    Told each point before the next is asked for, it gives the very points of :func:`optimize`. Points that were asked
    for and not yet told are *pending*: the policy is shown them with the value it expects there
    (:meth:`core.policies.Policy.predict`; "hallucinated observations", Desautels, Krause and Burdick 2014), so that
    several can be evaluated at once. What it learns in :meth:`core.policies.Policy.update`, such as
    hyperparameters, it learns from real observations only.

    Attributes:
        progress: where the run stands; an immutable record, replaced by :meth:`ask` and :meth:`tell`.
    """

    progress: Progress

    def __init__(
        self,
        bounds: Sequence[Any] | np.ndarray,
        *,
        policy: str | Policy = "boke",
        key: PRNGKeyArray,
        observations: "History | tuple[Any, ...] | None" = None,
        initial_size: int | None = None,
        failures: str = "skip",
        context_bounds: Sequence[Any] | np.ndarray | None = None,
    ) -> None:
        """The arguments are those of :func:`optimize`; ``failures`` is its ``on_failure``, "skip" or "worst".

        Raises:
            ValueError: bad bounds, key, observations, ``initial_size``, ``failures`` or ``context_bounds``.
            KeyError: an unknown policy.
        """
        self._box = check_bounds(bounds)
        self._context_box = None if context_bounds is None else check_bounds(context_bounds, "context_bounds")
        dim, context_dim = len(self._box), 0 if self._context_box is None else len(self._context_box)
        self.policy = _policy_for(policy, dim, context_dim)
        check_key(key)
        if failures not in FAILURES:
            raise ValueError(f"failures must be 'skip' or 'worst', got {failures!r}")
        if failures == "worst" and context_dim:
            raise ValueError("failures='worst' cannot be had with contexts, a failed evaluation has none: use 'skip'")
        self._failures = failures
        past = check_observations(observations, self._box, self._context_box)
        self.initial_size = default_initial_size(dim) if initial_size is None else initial_size
        check_count("initial_size", self.initial_size)
        design_key, self._init_key, self._step_key = jax.random.split(key, 3)
        self._design = np.asarray(initial_design(design_key, self.initial_size, dim))
        state = _past_state(self.policy, self._init_key, past)
        self.progress = Progress(past, state=state, shown=-1 if state is None else len(past))

    def ask(self, n: int = 1) -> np.ndarray:
        """The next ``n`` points to evaluate, in the units of the objective, shape (n, d).

        The first ``initial_size`` points of a run are a Latin hypercube. Asking again without telling gives further
        points, not the same ones.

        Raises:
            ValueError: n below 1, or a second point before the first is told, where the policy allows one at a time.
        """
        check_count("n", n)
        return np.stack([self._ask_one() for _ in range(n)])

    def tell(
        self,
        x: Sequence[float] | np.ndarray,
        y: float | None = None,
        *,
        noise_variance: float | None = None,
        context: Any = None,
        failure: str | None = None,
    ) -> None:
        """What was observed at one point: one that was asked for, in any order, or any other point of the box.

        Args:
            x: the point, shape (d,).
            y: the value there, to be maximised.
            noise_variance: variance of its noise, where that is known: for all evaluations or for none.
            context: the context observed with it, shape (c,), with ``context_bounds``.
            failure: in place of y, what went wrong: the point is recorded, and not proposed again while it is pending.

        Raises:
            ValueError: a point of another shape or outside the box; neither or both of y and failure; numbers that are
                not finite; a noise variance or context that is missing or was not expected. Nothing is recorded then.
        """
        point = np.asarray(x, dtype=float)
        if point.shape != (len(self._box),):
            raise ValueError(f"x must be one point of shape ({len(self._box)},), got {point.shape}")
        if not np.all((point >= self._box[:, 0]) & (point <= self._box[:, 1])):
            raise ValueError(f"x = {point.tolist()} lies outside the bounds")
        history = self.progress.history
        if failure is not None and y is None:
            self._record(history.append(point, failure=failure), point)
            return
        if failure is not None or y is None:
            raise ValueError("tell needs either the value y or the failure's message")
        outcome = read(Evaluation(y, noise_variance, context), history.context_dim)
        message = outcome.message or inconsistent(outcome.noise_variance, history)
        if message is not None:
            raise ValueError(f"tell({point.tolist()}, ...) {message}; where an evaluation failed, give failure=")
        self._record(history.append(point, outcome.value, outcome.noise_variance, outcome.context), point)

    @property
    def history(self) -> History:
        """The evaluations told so far, with the policy's state: hand it to an :class:`Optimizer` to continue."""
        progress = self.progress
        return replace(progress.history, state=progress.state if progress.shown == len(progress.history) else None)

    @property
    def pending(self) -> np.ndarray:
        """The points asked for and not yet told, shape (p, d)."""
        return np.asarray(self.progress.pending).reshape(-1, len(self._box))

    @property
    def recommended(self) -> np.ndarray | None:
        """The observed point of largest surrogate value, the one to use under noise; None before any success."""
        known = observed(self.progress.history, self._failures)
        if known is None:
            return None
        self._show(known)
        return to_box(np.asarray(self.policy.recommend(self.progress.state, known)), self._box)

    def _ask_one(self) -> np.ndarray:
        progress = self.progress
        index, known = len(progress.history) + len(progress.pending), observed(self.progress.history, self._failures)
        carried: Any = progress.carried
        info: Mapping[str, Array] = {}
        if index < self.initial_size or known is None:
            key = jax.random.fold_in(self._step_key, index)
            unit = self._design[index] if index < self.initial_size else jax.random.uniform(key, (len(self._box),))
            unit = self.policy.project(jnp.asarray(unit))
        else:
            self._show(known)
            state = self.progress.carried
            if progress.pending:
                if not self.policy.batches:
                    name = type(self.policy).__name__
                    raise ValueError(f"{name} learns from one proposal at a time: tell the pending one first")
                known = with_pending(self.policy, state, known, to_unit(self.pending, self._box))
            unit, carried, info = _propose(self.policy, jax.random.fold_in(self._step_key, index), state, known)
        x = to_box(np.asarray(unit), self._box)
        self.progress = replace(self.progress, pending=(*progress.pending, x), carried=carried, info=info)
        return x.copy()

    def _show(self, known: Observations) -> None:
        """Update the policy's state on evaluations that it has not seen."""
        progress = self.progress
        if progress.shown != len(progress.history):
            before = progress.state if progress.carried is None else progress.carried
            state = _update(self.policy, self.policy.init(self._init_key) if before is None else before, known)
            self.progress = replace(progress, state=state, carried=state, shown=len(progress.history))
        elif progress.carried is None:
            self.progress = replace(progress, carried=progress.state)

    def _record(self, history: History, point: np.ndarray) -> None:
        waiting = list(self.progress.pending)
        for number, asked in enumerate(waiting):
            if np.array_equal(asked, point):
                del waiting[number]
                break
        self.progress = replace(self.progress, history=history, pending=tuple(waiting))


def optimize(
    f: Callable[[np.ndarray], float | Evaluation],
    bounds: Sequence[Any] | np.ndarray,
    *,
    policy: str | Policy = "boke",
    budget: int,
    key: PRNGKeyArray,
    observations: "History | tuple[Any, ...] | None" = None,
    initial_size: int | None = None,
    on_failure: str = "raise",
    stop_below: float | None = None,
    context_bounds: Sequence[Any] | np.ndarray | None = None,
) -> History:
    """Maximise a Python function over a box.

    Args:
        f: maps a point, shape (d,), in its own units, to a number to be maximised, or to an :class:`Evaluation`, which
            can carry the variance of its noise and a context; with ``context_bounds``, also to a pair (value, context).
        bounds: d pairs (lower, upper), finite, lower < upper.
        policy: a name in :data:`core.policies.REGISTRY`, or an instance.
        budget: evaluations in all, those in ``observations`` included.
        key: a JAX key; the same key, function and budget give the same history.
        observations: a :class:`History` to continue, exactly as if it had never stopped, or arrays ``(x, y)`` or
            ``(x, y, noise_variance)``; with ``context_bounds``, ``(x, y, noise_variance or None, context)``.
        initial_size: points of the Latin hypercube evaluated first; observations given count towards it.
        on_failure: what to do where f raises or returns NaN or an infinity. "raise": :class:`EvaluationError`, which
            carries the history. "skip": record the failure, and do not show it to the policy. "worst": record it, and
            show the policy the worst value seen so far, which keeps it away.
        stop_below: stop before the budget is spent, once the gain that the policy expects of its next query is below
            this number, in the unit of f: the cost of an evaluation (B (11)). Needs a
            policy that expects a gain, such as "corrected_ei".
        context_bounds: c pairs (lower, upper): f has a random context that nobody controls, drawn while it is
            evaluated and returned by it; the policy, such as "sbo_kde", maximises the expectation over it. Contexts
            outside their box are recorded as they are, and shown to the policy clipped.

    Returns:
        The history; :attr:`History.recommended` is the point to use.

    Raises:
        ValueError: bad bounds, budget, key, observations, ``on_failure``, ``stop_below`` or ``context_bounds``.
        KeyError: an unknown policy.
        EvaluationError: see ``on_failure``.
        Interrupted: Ctrl-C while f ran; a KeyboardInterrupt that carries the history.
    """
    if on_failure not in ("raise", *FAILURES):
        raise ValueError(f"on_failure must be 'raise', 'skip' or 'worst', got {on_failure!r}")
    if on_failure == "worst" and context_bounds is not None:
        raise ValueError("on_failure='worst' cannot be had with contexts, a failed evaluation has none: use 'skip'")
    optimizer = Optimizer(
        bounds,
        policy=policy,
        key=key,
        observations=observations,
        initial_size=initial_size,
        failures="skip" if on_failure == "raise" else on_failure,
        context_bounds=context_bounds,
    )
    if stop_below is not None:
        stop_below = check_threshold("stop_below", stop_below)
        if not optimizer.policy.expects_gain:
            name = type(optimizer.policy).__name__
            raise ValueError(f"stop_below needs a policy that expects a gain, {name} does not")
    check_count("budget", budget)
    given = len(optimizer.history)
    if given < optimizer.initial_size:
        check_budget(budget, optimizer.initial_size)
    elif budget < given:
        raise ValueError(f"budget {budget} is below the {given} observations given")

    for index in range(given, budget):
        x = optimizer.ask()[0]
        gain = optimizer.progress.info.get("acquisition")
        if stop_below is not None and gain is not None and float(gain) < stop_below:
            break
        try:
            outcome = evaluate(f, x, optimizer.history.context_dim)
        except KeyboardInterrupt as stop:
            raise Interrupted(f"interrupted in evaluation {index} at x = {x.tolist()}", optimizer.history) from stop
        message = outcome.message or inconsistent(outcome.noise_variance, optimizer.history)
        if message is None:
            optimizer.tell(x, outcome.value, noise_variance=outcome.noise_variance, context=outcome.context)
        elif on_failure == "raise":
            raise EvaluationError(f"evaluation {index} at x = {x.tolist()} {message}", optimizer.history)
        else:
            optimizer.tell(x, failure=message)
    recommended = optimizer.recommended
    return replace(optimizer.history, recommended=recommended)


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
    if policy.dim != dim:
        raise ValueError(f"policy works in dimension {policy.dim}, bounds have {dim}")
    if policy.context_dim not in (0, context_dim):
        raise ValueError(f"policy reads contexts of dimension {policy.context_dim}, context_bounds have {context_dim}")
    return policy


@eqx.filter_jit
def _propose(
    policy: Policy, key: PRNGKeyArray, state: Any, observations: Observations
) -> tuple[Float[Array, " d"], Any, dict[str, Array]]:
    return policy.propose(key, state, observations)


@eqx.filter_jit
def _update(policy: Policy, state: Any, observations: Observations) -> Any:
    return policy.update(state, observations)


def _past_state(policy: Policy, init_key: PRNGKeyArray, past: History) -> Any:
    """The state to continue from, or None: there is none, or another kind of policy left it."""
    fresh = jax.eval_shape(policy.init, init_key)
    if jax.tree.structure(past.state) != jax.tree.structure(fresh):  # type: ignore[operator]
        return None
    pairs = zip(jax.tree.leaves(past.state), jax.tree.leaves(fresh), strict=True)
    return past.state if all(jnp.shape(leaf) == like.shape for leaf, like in pairs) else None
