"""The compiled programs of an :class:`core.optimizer.optimizer.Optimizer`: few, and compiled in a hurry.

A practitioner runs a program some dozens of times, so that compiling it weighs as much as running it. A fit and a
search of GP-UCB with refitted hyperparameters take 1.9 and 2.0 s to compile (processor seconds in two dimensions;
jaxlib 0.10.2, under the flags of :mod:`core.settings`). Without LLVM's optimisations they take 0.9 s each, and the
programs run three to four times slower. Programs for 32 observations, where this means milliseconds, are therefore not
optimised; programs of larger capacities, which long runs reach, are. :mod:`core.compilation` makes programs ahead of
need.
"""

import functools
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxlib.version import __version__ as jaxlib_version
from jaxtyping import Array, Float, PRNGKeyArray

from core.compilation import Task, prepare, run
from core.environment import TUNED, settled
from core.host import policy as host
from core.models.hyperparameters import log_posterior
from core.models.standardized import standardized
from core.optimizer.encoding import capacity_for, observed
from core.optimizer.record import Record
from core.policies import Policy
from core.types import Observations

__all__ = [
    "Ahead",
    "compile_ahead",
    "design_key_and_others",
    "first_state",
    "log_likelihood",
    "past_state",
    "proposed",
    "recommendation",
    "updated",
]

NO_OPTIMISATION = {"xla_backend_optimization_level": 0}
HASTY_CAPACITY = 32
FLAGS: dict[str, Any] = {"xla_cpu_use_fusion_emitters": False, "xla_cpu_parallel_codegen_split_count": 1}
"""The flags of :mod:`core.settings`, which cannot be imported without being applied: a test compares both."""


def design_key_and_others(key: PRNGKeyArray) -> tuple[PRNGKeyArray, PRNGKeyArray, PRNGKeyArray]:
    """The keys of the initial design, of the policy's first state, and of its proposals."""
    keys: tuple[PRNGKeyArray, PRNGKeyArray, PRNGKeyArray] = _run(_split, True, key)
    return keys


def first_state(policy: Policy, key: PRNGKeyArray) -> Any:
    """The policy's state before any observation."""
    return jax.tree.map(_strong, _run(_init, False, policy, key))


def _strong(leaf: Any) -> Any:
    """The leaf, an array with the type that it has in later states: a weak type would be another program's."""
    return jax.device_put(np.asarray(leaf)) if getattr(leaf, "weak_type", False) else leaf


def updated(policy: Policy, state: Any, observations: Observations) -> Any:
    """The policy's state after new observations."""
    if host.learns_here(policy):
        return host.updated(policy, state, observations)
    return run(_updating(policy, state, observations))


def recommendation(policy: Policy, state: Any, observations: Observations) -> Float[Any, " d"]:
    """The observed point that the policy believes best."""
    with suppress(np.linalg.LinAlgError):
        if host.learns_here(policy):
            return host.recommended(state, observations)
    point: Float[Array, " d"] = _run(_recommend, True, policy, state, observations)
    return point


def proposed(
    policy: Policy, step_key: PRNGKeyArray, index: int, state: Any, observations: Observations
) -> tuple[Float[Any, " d"], Any, dict[str, Array]]:
    """The proposal with that number: the query, the state carried on, and diagnostics."""
    with suppress(np.linalg.LinAlgError):
        if host.proposes_here(policy):
            return host.proposed(policy, step_key, index, state, observations)
    result: tuple[Float[Array, " d"], Any, dict[str, Array]] = run(
        _proposing(policy, step_key, index, state, observations)
    )
    return result


def log_likelihood(policy: Any, theta: Any, observations: Observations) -> float:
    """Log-likelihood of the standardised observations under a refitted policy's model with these hyperparameters."""
    if host.learns_here(policy):
        return host.log_likelihood(theta, observations)
    return float(_run(_log_likelihood, True, policy, theta, observations))


def compile_ahead(
    policy: Policy, searching: Policy | None, step_key: PRNGKeyArray, state: Any, observations: Observations
) -> None:
    """Begin to make the programs of :func:`updated` and :func:`proposed` for observations of this capacity.

    Args:
        policy: the policy that learns.
        searching: the policy that proposes: the same, or one restricted to points of a space; None for no search.
        step_key, state, observations: the later arguments, up to the numbers in them.
    """
    tasks = []
    # the program that takes longer to compile comes first
    if searching is not None and not host.proposes_here(searching):
        tasks.append(_proposing(searching, step_key, 0, state, observations))
    prepare(tasks if host.learns_here(policy) else [*tasks, _updating(policy, state, observations)])


def _updating(policy: Policy, state: Any, observations: Observations) -> Task:
    return _task(_update, observations.capacity <= HASTY_CAPACITY, policy, state, observations)


def _proposing(policy: Policy, step_key: PRNGKeyArray, index: int, state: Any, observations: Observations) -> Task:
    hasty, number = observations.capacity <= HASTY_CAPACITY, jax.device_put(np.asarray(index))
    return _task(_propose, hasty, policy, step_key, number, state, observations)


def _split(key: PRNGKeyArray) -> tuple[PRNGKeyArray, PRNGKeyArray, PRNGKeyArray]:
    design_key, init_key, step_key = jax.random.split(key, 3)
    return design_key, init_key, step_key


def _init(policy: Policy, key: PRNGKeyArray) -> Any:
    return policy.init(key)


def _update(policy: Policy, state: Any, observations: Observations) -> Any:
    return policy.update(state, observations)


def _recommend(policy: Policy, state: Any, observations: Observations) -> Float[Array, " d"]:
    return policy.recommend(state, observations)


def _log_likelihood(policy: Any, theta: Any, observations: Observations) -> Float[Array, ""]:
    return log_posterior(standardized(observations), policy.kernel)(jnp.log(theta.to_vector()))


def _propose(
    policy: Policy, step_key: PRNGKeyArray, index: Array, state: Any, observations: Observations
) -> tuple[Float[Array, " d"], Any, dict[str, Array]]:
    return policy.propose(jax.random.fold_in(step_key, index), state, observations)


def _run(function: Callable[..., Any], hasty: bool, *arguments: Any) -> Any:
    return run(_task(function, hasty, *arguments))


def _task(function: Callable[..., Any], hasty: bool, *arguments: Any) -> Task:
    """The function and its arguments; see the module's docstring for ``hasty``."""
    return Task(function, arguments, (NO_OPTIMISATION if hasty and _understood() else {}) | _flags())


@functools.cache
def _flags() -> dict[str, Any]:
    """XLA's flags of :mod:`core.settings`, where the process does not have them."""
    known = jaxlib_version.startswith(TUNED) and jax.default_backend() == "cpu"
    named = os.environ.get("XLA_FLAGS", "")
    return {name: value for name, value in FLAGS.items() if name not in named} if known and not settled() else {}


@functools.cache
def _understood() -> bool:
    """Return True where this version of XLA has the option; it is for CPUs, and other versions may not know it."""
    if jax.default_backend() != "cpu":
        return False
    try:
        jax.jit(jnp.negative, compiler_options=NO_OPTIMISATION)(np.zeros(()))
    except Exception:  # XLA's own kinds of error differ between versions
        return False
    return True


def past_state(policy: Policy, init_key: PRNGKeyArray, state: Any) -> Any:
    """The state to continue from; None where there is none, or where another kind of policy left it."""
    fresh = jax.eval_shape(policy.init, init_key)
    if jax.tree.structure(state) != jax.tree.structure(fresh):  # type: ignore[operator]
        return None
    pairs = zip(jax.tree.leaves(state), jax.tree.leaves(fresh), strict=True)
    return state if all(jnp.shape(leaf) == like.shape for leaf, like in pairs) else None


@dataclass
class Ahead:
    """Makes the programs of one run ahead of need, by :mod:`core.compilation`.

    The programs of the first proposal are begun at the first call of ask after the first evaluation, which shows
    whether noise variances are known. They are thus made while the initial design is evaluated; fit and search are made
    side by side. The programs of a larger capacity are begun when the present capacity is half full and the budget is
    known to exceed it, or three quarters full where the budget is unknown. Computations of :mod:`core.host` need no
    program.

    Attributes:
        policy: the policy that learns.
        searching: the policy that proposes; None where it is not known beforehand, as under a constraint.
        init_key, step_key: of the policy's first state, and of its proposals.
        initial_size: evaluations before the first proposal.
        failures: "skip" or "worst", as :func:`core.optimizer.encoding.observed` takes it.
        budget: number of evaluations; None where it is unknown.
        capacity: the largest capacity of programs begun; 0 for none.
    """

    policy: Policy
    searching: Policy | None
    init_key: PRNGKeyArray
    step_key: PRNGKeyArray
    initial_size: int
    failures: str
    budget: int | None = None
    capacity: int = 0

    def look(self, history: Record, state: Any) -> None:
        """Begin the programs that are due when the next point is asked for.

        Args:
            history: the evaluations so far.
            state: the policy's latest state; None where it has none yet.
        """
        room = self._room(len(history) - (len(history.failures) if history.context_dim else 0))
        if capacity_for(room) <= self.capacity:
            return
        known = observed(history, self.failures, room)
        if known is None:
            return
        self.capacity = known.capacity
        proposes = self.budget is None or self.budget > self.initial_size
        before = first_state(self.policy, self.init_key) if state is None else state
        compile_ahead(self.policy, self.searching if proposes else None, self.step_key, before, known)

    def _room(self, count: int) -> int:
        """The number of observations that the next programs must have room for."""
        soon = max(count, self.initial_size)
        present = capacity_for(soon)
        grows = (
            2 * count >= present and self.budget - 1 > present if self.budget is not None else 4 * count >= 3 * present
        )
        return present + 1 if grows and self.capacity == present else soon
