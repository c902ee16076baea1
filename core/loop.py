"""The two loops of Bayesian optimisation.

:func:`simulate` runs a policy on a JAX objective, for many seeds, as one compiled program: ``lax.scan`` over steps, one
seed after the other on a CPU and all at once on an accelerator. It serves experiments. :func:`optimize` runs a policy
on any Python function, in the function's own units, and can be resumed from its own history. It serves practitioners.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key, PRNGKeyArray

from core.designs import default_initial_size, initial_design, initial_designs
from core.evaluation import evaluate, inconsistent
from core.history import (
    Evaluation,
    EvaluationError,
    History,
    Interrupted,
    check_bounds,
    check_budget,
    check_count,
    check_key,
    check_observations,
    check_policy,
    is_key,
)
from core.policies import Policy
from core.search.batching import batch
from core.stopping import check_threshold
from core.types import ContextObjective, Objective, Observations

__all__ = ["Evaluation", "EvaluationError", "History", "Interrupted", "Trajectory", "optimize", "simulate"]


class Trajectory(eqx.Module):
    """What :func:`simulate` returns; s seeds, T observations each, the first ``initial_size`` of them the design.

    Attributes:
        x: queries in the unit cube, shape (s, T, d).
        y: observed values, shape (s, T).
        value: noise-free objective at the queries, shape (s, T).
        info: diagnostics of the proposals, each of shape (s, T - initial_size).
        context: contexts observed, shape (s, T, c); c = 0 where the objective has none.
        initial_size: size of the initial design.
    """

    x: Float[Array, "s T d"]
    y: Float[Array, "s T"]
    value: Float[Array, "s T"]
    info: dict[str, Float[Array, "s p"]]
    context: Float[Array, "s T c"]
    initial_size: int = eqx.field(static=True)

    def simple_regret(self, optimum: float | Float[Array, ""]) -> Float[Array, "s T"]:
        """Eq. (4): ``f(x*) - max_{i <= t} f(x_i)``, noise-free, for every t."""
        return optimum - jax.lax.cummax(self.value, axis=1)

    def cumulative_regret(self, optimum: float | Float[Array, ""]) -> Float[Array, "s T"]:
        """Eq. (3): ``sum_{i <= t} (f(x*) - f(x_i))``, for every t."""
        return jnp.cumsum(optimum - self.value, axis=1)


def simulate(
    policy: Policy,
    objective: Objective | ContextObjective,
    keys: Key[Array, " s"],
    budget: int,
    *,
    initial_size: int | None = None,
    design: str = "lhs",
    known_noise: bool = False,
) -> Trajectory:
    """Run a policy on an objective once a key, all keys in one compiled program.

    Each key is split by purpose: initial design, policy, and one noise key an observation. The design, the noise and
    the contexts depend on the key alone, so policies given the same keys can be compared in pairs.

    Where the objective has a random context, it is drawn after each query is chosen, and observed with the value.

    Args:
        policy: an instance from :data:`core.policies.REGISTRY`.
        objective: pure JAX functions of a point of the unit cube, see :class:`core.types.Objective` and
            :class:`core.types.ContextObjective`.
        keys: shape (s,), for instance :func:`core.designs.seed_keys`.
        budget: T, observations in all, the initial design included.
        initial_size: points of the initial design; :func:`core.designs.default_initial_size` by default.
        design: one of :data:`core.designs.DESIGNS`.
        known_noise: hand the policy the variance of each observation's noise.

    Raises:
        ValueError: dimensions that differ, contexts of another dimension than the policy reads, keys that are not a
            vector, or a budget below the initial design.
    """
    if policy.dim != objective.dim:
        raise ValueError(f"policy works in dimension {policy.dim}, objective in {objective.dim}")
    context_dim = getattr(objective, "context_dim", 0)
    if policy.context_dim not in (0, context_dim):
        raise ValueError(f"policy reads contexts of dimension {policy.context_dim}, objective has {context_dim}")
    if not is_key(keys) or keys.ndim != 1 or keys.shape[0] == 0:
        raise ValueError(f"keys must be a non-empty vector of JAX keys, such as seed_keys(range(30)), got {keys!r}")
    size = default_initial_size(policy.dim) if initial_size is None else initial_size
    check_budget(budget, size)
    streams = jax.vmap(lambda key: jax.random.split(key, 3))(keys)
    designs = initial_designs(streams[:, 0], size, policy.dim, design)
    result = _simulate(policy, objective, streams[:, 1], streams[:, 2], designs, budget, known_noise)
    return Trajectory(*result, size)


@eqx.filter_jit
def _simulate(
    policy: Policy,
    objective: Objective | ContextObjective,
    policy_keys: Key[Array, " s"],
    noise_keys: Key[Array, " s"],
    designs: Float[Array, "s n d"],
    budget: int,
    known_noise: bool,
) -> tuple[Array, Array, Array, dict[str, Array], Array]:
    """All seeds at once."""
    size = designs.shape[1]

    def one(policy_key: PRNGKeyArray, noise_key: PRNGKeyArray, design: Float[Array, "n d"]) -> tuple[Any, ...]:
        init_key, step_key = jax.random.split(policy_key)

        def observe(
            step: Array, x: Float[Array, " d"]
        ) -> tuple[Float[Array, ""], Float[Array, ""], Float[Array, " c"]]:
            """Value, noise variance and context."""
            key = jax.random.fold_in(noise_key, step)
            if isinstance(objective, ContextObjective):
                context_key, key = jax.random.split(key)
                context = objective.draw_context(context_key)
                return *objective.observe(key, x, context), context
            return *objective.observe(key, x), jnp.zeros(0)

        design = jax.vmap(policy.project)(design)
        y, variance, context = jax.vmap(observe)(jnp.arange(size), design)
        stages = _capacities(size, budget)
        known = variance if known_noise else None
        start = Observations.of(design, y, context, noise_variance=known, capacity=stages[0])
        state = policy.update(policy.init(init_key), start)

        def step(carry: tuple[Any, Observations], index: Array) -> tuple[tuple[Any, Observations], dict[str, Array]]:
            state, observations = carry
            query, state, info = policy.propose(jax.random.fold_in(step_key, index), state, observations)
            observed, noise_variance, context = observe(index, query)
            observations = observations.append(query, observed, context, noise_variance)
            return (policy.update(state, observations), observations), info

        carry, infos, done = (state, start), [], size
        for capacity in stages:
            carry = (carry[0], carry[1].grow(capacity))
            carry, info = jax.lax.scan(step, carry, jnp.arange(done, capacity))
            infos.append(info)
            done = capacity
        final, info = carry[1], jax.tree.map(lambda *parts: jnp.concatenate(parts), *infos)
        return final.x, final.y, jax.vmap(objective.value)(final.x), info, final.context

    result: tuple[Array, Array, Array, dict[str, Array], Array] = batch(one, policy_keys, noise_keys, designs)
    return result


def _capacities(size: int, budget: int) -> list[int]:
    """Sizes of the arrays in the stages of a run: powers of two from 64, then the budget.

    Every step costs as much as the capacity, whether its rows are used or not; every stage costs a compilation. A
    stage that would save less than a fifth of the rows is left out.
    """
    stages = [2**power for power in range(6, 31) if size < 2**power <= 0.8 * budget]
    return [*stages, budget]


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
            this number, in the unit of f: the cost of an evaluation (eq. (11) of the corrected-EI paper). Needs a
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
    box = check_bounds(bounds)
    dim = box.shape[0]
    context_box = None if context_bounds is None else check_bounds(context_bounds, "context_bounds")
    context_dim = 0 if context_box is None else context_box.shape[0]
    method = check_policy(policy, dim, context_dim)
    check_key(key)
    if on_failure not in ("raise", "skip", "worst"):
        raise ValueError(f"on_failure must be 'raise', 'skip' or 'worst', got {on_failure!r}")
    if on_failure == "worst" and context_dim:
        raise ValueError("on_failure='worst' cannot be had with contexts, a failed evaluation has none: use 'skip'")
    if stop_below is not None:
        stop_below = check_threshold("stop_below", stop_below)
        if not method.expects_gain:
            raise ValueError(f"stop_below needs a policy that expects a gain, {type(method).__name__} does not")
    past = check_observations(observations, box, context_box)
    size = default_initial_size(dim) if initial_size is None else initial_size
    check_count("budget", budget)
    check_count("initial_size", size)
    if len(past.y) < size:
        check_budget(budget, size)
    elif budget < len(past.y):
        raise ValueError(f"budget {budget} is below the {len(past.y)} observations given")

    design_key, init_key, step_key = jax.random.split(key, 3)
    design = np.asarray(initial_design(design_key, size, dim))
    xs, ys, failures = list(past.x), list(past.y), dict(past.failures)
    noises = None if past.noise_variance is None else list(past.noise_variance)
    contexts = [] if past.context is None else list(past.context)

    def history(recommended: np.ndarray | None, state: Any, failures: dict[int, str]) -> History:
        variances = None if noises is None else np.asarray(noises)
        seen = np.asarray(contexts).reshape(-1, context_dim) if context_dim else None
        x, y = np.asarray(xs).reshape(-1, dim), np.asarray(ys)
        return History(x, y, box, recommended, state, failures, variances, seen, context_box)

    def observed() -> Observations | None:
        unit = np.zeros((len(ys), 0))
        if context_box is not None:
            unit = _to_unit(np.asarray(contexts).reshape(-1, context_dim), context_box)
        return _observations(np.asarray(xs).reshape(-1, dim), np.asarray(ys), noises, unit, box, on_failure)

    state = _past_state(method, init_key, past)
    shown = len(ys) if state is not None else -1  # how many evaluations the state has seen

    for index in range(len(ys), budget):
        carried = state
        known = observed()
        if index < size or known is None:
            unit = design[index] if index < size else jax.random.uniform(_fold(step_key, index), (dim,))
            unit = method.project(jnp.asarray(unit))
        else:
            if shown != index:
                state, shown = _update(method, method.init(init_key) if state is None else state, known), index
            unit, carried, info = _propose(method, _fold(step_key, index), state, known)
            if stop_below is not None and float(info["acquisition"]) < stop_below:
                break
        x = _to_box(np.asarray(unit), box)
        try:
            value, noise, context, message = evaluate(f, x, context_dim)
        except KeyboardInterrupt as stop:
            so_far = history(None, state if shown == index else None, failures)
            raise Interrupted(f"interrupted in evaluation {index} at x = {x.tolist()}", so_far) from stop
        if message is None:
            message = inconsistent(noise, noises, bool(np.isfinite(ys).any()))
        if message is not None:
            failures[index] = message
            if on_failure == "raise":
                so_far = history(None, state if shown == index else None, past.failures)
                raise EvaluationError(f"evaluation {index} at x = {x.tolist()} {message}", so_far)
            value, noise, context = math.nan, None, None
        if noise is not None and noises is None:
            noises = [math.nan] * len(ys)  # nothing but failures before it
        if noises is not None:
            noises.append(math.nan if noise is None else noise)
        xs.append(x)
        ys.append(value)
        contexts.append(np.full(context_dim, math.nan) if context is None else context)
        state = carried
    known = observed()
    if known is None:
        return history(None, None, failures)
    if shown != len(ys):
        state = _update(method, method.init(init_key) if state is None else state, known)
    recommended = _to_box(np.asarray(method.recommend(state, known)), box)
    return history(recommended, state, failures)


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


def _to_box(unit: np.ndarray, box: np.ndarray) -> np.ndarray:
    """From the unit cube to the box, never outside by a rounding error."""
    return np.clip(box[:, 0] + unit * (box[:, 1] - box[:, 0]), box[:, 0], box[:, 1])


def _fold(key: PRNGKeyArray, index: int) -> PRNGKeyArray:
    return jax.random.fold_in(key, index)


def _to_unit(points: np.ndarray, box: np.ndarray) -> np.ndarray:
    """From the box to the unit cube; points outside are clipped to it."""
    return np.clip((points - box[:, 0]) / (box[:, 1] - box[:, 0]), 0.0, 1.0)


def _observations(
    x: np.ndarray, y: np.ndarray, noises: list[float] | None, context: np.ndarray, box: np.ndarray, on_failure: str
) -> Observations | None:
    """What the policy sees, at a capacity that is a power of two; None before the first success."""
    ok = np.isfinite(y)
    if not ok.any():
        return None
    noise = None if noises is None else np.asarray(noises)
    if on_failure == "worst":
        worst = int(np.flatnonzero(ok)[np.argmin(y[ok])])
        y = np.where(ok, y, y[worst])
        noise = None if noise is None else np.where(ok, noise, noise[worst])
    else:
        x, y, context, noise = x[ok], y[ok], context[ok], None if noise is None else noise[ok]
    capacity = max(32, 1 << (len(y) - 1).bit_length())
    known = None if noise is None else jnp.asarray(noise)
    unit = jnp.asarray(_to_unit(x, box))
    return Observations.of(unit, jnp.asarray(y), jnp.asarray(context), noise_variance=known, capacity=capacity)
