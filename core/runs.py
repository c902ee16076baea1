"""The compiled programs of whole runs, for many seeds: one program for all steps, or one for each part of a step.

Both forms take the same arguments and make the same random numbers, so that they differ by rounding. One program for
all (``lax.scan`` over steps) keeps an accelerator busy, and is the quickest way of long runs. Programs for the parts of
a step, with a loop in Python, take as long to compile for one run, but are shared between runs: the objective is apart
from the policy, so that every problem of a dimension has the same program that proposes, and learning is apart from
proposing, so that the fit of a model is compiled once for all acquisitions. A step then costs three calls, about a
millisecond for all seeds.
"""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key, PRNGKeyArray

from core.policies import Policy
from core.search.batching import batch
from core.types import ContextObjective, Objective, Observations

__all__ = ["Runs", "Start", "capacities", "step_by_step", "whole"]


class Start(eqx.Module):
    """The starts of s runs: keys of the policy and of the noise, and the points of the initial design."""

    policy_keys: Key[Array, " s"]
    noise_keys: Key[Array, " s"]
    designs: Float[Array, "s n d"]


Runs = tuple[Array, Array, Array, dict[str, Array], Array]
"""Queries, observed values, noise-free values, diagnostics and contexts of all seeds."""


def _observed(
    objective: Objective | ContextObjective, noise_key: PRNGKeyArray, step: Array, x: Float[Array, " d"]
) -> tuple[Float[Array, ""], Float[Array, ""], Float[Array, " c"]]:
    """Value, noise variance and context of the observation with that number."""
    key = jax.random.fold_in(noise_key, step)
    if isinstance(objective, ContextObjective):
        context_key, key = jax.random.split(key)
        context = objective.draw_context(context_key)
        return *objective.observe(key, x, context), context
    return *objective.observe(key, x), jnp.zeros(0)


def _design(
    objective: Objective | ContextObjective,
    noise_key: PRNGKeyArray,
    design: Float[Array, "n d"],
    capacity: int,
    known_noise: bool,
) -> Observations:
    """The observations of the initial design, with room for more."""
    steps = jnp.arange(design.shape[0])
    y, variance, context = jax.vmap(lambda step, x: _observed(objective, noise_key, step, x))(steps, design)
    return Observations.of(design, y, context, noise_variance=variance if known_noise else None, capacity=capacity)


def _next(
    objective: Objective | ContextObjective,
    noise_key: PRNGKeyArray,
    step: Array,
    x: Float[Array, " d"],
    observations: Observations,
) -> Observations:
    """One more observation."""
    y, variance, context = _observed(objective, noise_key, step, x)
    return observations.append(x, y, context, variance)


@eqx.filter_jit
def whole(
    policy: Policy, objective: Objective | ContextObjective, start: Start, budget: int, known_noise: bool
) -> Runs:
    """All seeds and steps in one program, which keeps an accelerator busy and is the quickest form of a long run."""
    size = start.designs.shape[1]

    def one(policy_key: PRNGKeyArray, noise_key: PRNGKeyArray, design: Float[Array, "n d"]) -> Runs:
        init_key, step_key = jax.random.split(policy_key)
        stages = capacities(size, budget)
        first = _design(objective, noise_key, jax.vmap(policy.project)(design), stages[0], known_noise)

        def step(carry: tuple[Any, Observations], index: Array) -> tuple[tuple[Any, Observations], dict[str, Array]]:
            state, observations = carry
            state = policy.update(state, observations)
            query, state, info = policy.propose(jax.random.fold_in(step_key, index), state, observations)
            return (state, _next(objective, noise_key, index, query, observations)), info

        carry, infos, done = (policy.init(init_key), first), [], size
        for capacity in stages:
            carry = (carry[0], carry[1].grow(capacity))
            carry, info = jax.lax.scan(step, carry, jnp.arange(done, capacity))
            infos.append(info)
            done = capacity
        final, info = carry[1], jax.tree.map(lambda *parts: jnp.concatenate(parts), *infos)
        return final.x, final.y, jax.vmap(objective.value)(final.x), info, final.context

    result: Runs = batch(one, start.policy_keys, start.noise_keys, start.designs)
    return result


def step_by_step(
    policy: Policy, objective: Objective | ContextObjective, start: Start, budget: int, known_noise: bool
) -> Runs:
    """All seeds and steps by a loop in Python over programs that do one step of all seeds.

    The objective is apart from the policy, learning from proposing: one program serves every problem of the same
    dimension, and the fit of a model is compiled once for all acquisitions.
    """
    size, noise_keys = start.designs.shape[1], start.noise_keys
    stages = capacities(size, budget)
    state, step_keys, designs = _first(policy, start.policy_keys, start.designs)
    observations = _designs(objective, noise_keys, designs, stages[0], known_noise)
    infos, done = [], size
    for capacity in stages:
        observations = _grown(observations, capacity)
        for index in range(done, capacity):
            number = jax.device_put(np.asarray(index))
            state = _updated(policy, state, observations)
            queries, state, info = _proposed(policy, step_keys, number, state, observations)
            observations = _appended(objective, noise_keys, number, queries, observations)
            infos.append(info)
        done = capacity
    infos = jax.tree.map(lambda *columns: jnp.asarray(np.stack(columns, axis=1)), *jax.device_get(infos))
    return observations.x, observations.y, _values(objective, observations.x), infos, observations.context


def _strong(states: Any) -> Any:
    """The value without weak types, which a step may add or drop: every other kind of argument is another program."""
    return jax.tree.map(lambda leaf: jax.lax.convert_element_type(leaf, leaf.dtype), states)


@eqx.filter_jit
def _first(
    policy: Policy, keys: Key[Array, " s"], designs: Float[Array, "s n d"]
) -> tuple[Any, Key[Array, " s"], Float[Array, "s n d"]]:
    """States, keys of the proposals, and designs within the policy's reach."""
    pairs = jax.vmap(jax.random.split)(keys)
    return _strong(batch(policy.init, pairs[:, 0])), pairs[:, 1], jax.vmap(jax.vmap(policy.project))(designs)


@eqx.filter_jit
def _designs(
    objective: Objective | ContextObjective,
    keys: Key[Array, " s"],
    designs: Float[Array, "s n d"],
    capacity: int,
    known_noise: bool,
) -> Observations:
    made: Observations = batch(lambda key, x: _design(objective, key, x, capacity, known_noise), keys, designs)
    return made


@eqx.filter_jit
def _grown(observations: Observations, capacity: int) -> Observations:
    grown: Observations = jax.vmap(lambda one: one.grow(capacity))(observations)
    return grown


@eqx.filter_jit
def _updated(policy: Policy, states: Any, observations: Observations) -> Any:
    return _strong(batch(policy.update, states, observations))


@eqx.filter_jit
def _proposed(
    policy: Policy, keys: Key[Array, " s"], step: Array, states: Any, observations: Observations
) -> tuple[Float[Array, "s d"], Any, dict[str, Array]]:
    def one(key: PRNGKeyArray, state: Any, observations: Observations) -> Any:
        return policy.propose(jax.random.fold_in(key, step), state, observations)

    queries, states, info = batch(one, keys, states, observations)
    return queries, _strong(states), info


@eqx.filter_jit
def _appended(
    objective: Objective | ContextObjective,
    keys: Key[Array, " s"],
    step: Array,
    queries: Float[Array, "s d"],
    observations: Observations,
) -> Observations:
    more: Observations = batch(lambda key, x, one: _next(objective, key, step, x, one), keys, queries, observations)
    return more


@eqx.filter_jit
def _values(objective: Objective | ContextObjective, x: Float[Array, "s T d"]) -> Float[Array, "s T"]:
    values: Float[Array, "s T"] = batch(jax.vmap(objective.value), x)
    return values


def capacities(size: int, budget: int) -> list[int]:
    """Sizes of the arrays in the stages of a run: powers of two from 64, then the budget.

    Every step costs as much as the capacity, whether its rows are used or not; every stage costs a compilation. A
    stage that would save less than a fifth of the rows is left out.
    """
    stages = [2**power for power in range(6, 31) if size < 2**power <= 0.8 * budget]
    return [*stages, budget]
