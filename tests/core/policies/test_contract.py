"""The contract of every policy of the registry, whatever its method."""

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.designs import seed_keys
from core.policies import FINITE_SET, REGISTRY, Policy, SearchEffort, contextual, make, with_horizon
from core.policies.base import AcquisitionPolicy
from core.policies.context_mmd import MmdPolicy
from core.policies.joint import ContextPolicy, JointPolicy
from core.policies.map_gp_ucb import MapPolicy
from core.policies.mcmc_gp_ucb import GpUcbMcmc
from core.search.staged_search import StagedEffort
from core.simulate import simulate
from core.types import Observations
from tests.core.helpers import sample_data

DIM, CAPACITY, USED = 2, 10, 7
ARMS = jnp.asarray(sample_data(4, DIM, 21)[0])
ALL: dict[str, type[Policy]] = {**REGISTRY, **FINITE_SET}


def body(name: str) -> tuple[Any, ...]:
    """The code that a policy runs: its functions and properties, wherever in its ancestry they stand."""
    found = {attribute: inspect.getattr_static(ALL[name], attribute) for attribute in dir(ALL[name])}
    return tuple(value for attribute, value in found.items() if attribute[:2] != "__" and is_code(value))


def is_code(attribute: Any) -> bool:
    return callable(attribute) or isinstance(attribute, (property, staticmethod))


def family(name: str) -> type[Policy]:
    """The widest abstract class below `AcquisitionPolicy`, or below `Policy`, that a policy derives from, or itself."""
    ancestry = ALL[name].__mro__
    dear = [parent for parent in (MapPolicy, ContextPolicy) if parent in ancestry]
    root = AcquisitionPolicy if AcquisitionPolicy in ancestry else Policy
    return dear[0] if dear else ancestry[ancestry.index(root) - 1]


def first_of_each(kind: Callable[[str], Any]) -> list[str]:
    """The first policy of every kind."""
    chosen: dict[Any, str] = {}
    for name in ALL:
        chosen.setdefault(kind(name), name)
    return list(chosen.values())


FAMILIES = first_of_each(lambda name: family(name) if family(name) in (MapPolicy, ContextPolicy) else body(name))
"""Vectorised; of the two families where that takes longest, one policy each: the others differ by a formula, a class
flag or a constant."""
EAGER = first_of_each(family)
"""Run without `jit`: one policy a family."""
RUN = [name for name in first_of_each(family) if inspect.isabstract(family(name)) and family(name) is not JointPolicy]
"""Policies whose runs are compiled and made; the others' are traced, which is all that a compiler is given."""


@functools.lru_cache
def policy(name: str) -> Policy:
    """A cheap instance: few candidates, two starts."""
    if name in FINITE_SET:
        return FINITE_SET[name](ARMS, **({"bandwidth": 0.2, "noise_scale": 0.3} if name == "finite_boke" else {}))
    cls, options = REGISTRY[name], {}
    if "effort" in {field.name for field in dataclasses.fields(cls)}:
        options["effort"] = SearchEffort.of(DIM, raw_candidates=64, starts=2, max_steps=60)
    if issubclass(cls, (MapPolicy, ContextPolicy)):
        options["fit_starts"] = 1
    if issubclass(cls, ContextPolicy):
        options |= {"stages": StagedEffort(polished=1), "grid" if issubclass(cls, MmdPolicy) else "samples": 24}
    if cls is GpUcbMcmc:
        options |= {"burn_in": 30, "draws": 4, "leapfrog_steps": 2}
    return make(name, DIM, **options)


Programs = tuple[Callable, Callable]


def programs(name: str) -> Programs:
    """init and update; propose and recommend. Compiled apart, policies that fit alike share the first in the cache."""
    method = policy(name)

    def update(key: jax.Array, observations: Observations) -> Any:
        start = method.init(key)
        return start, method.update(start, observations)

    def propose(key: jax.Array, state: Any, observations: Observations) -> Any:
        query, carried, info = method.propose(key, state, observations)
        return query, carried, info, method.recommend(carried, observations)

    return update, propose


@functools.lru_cache
def compiled(name: str, vectorized: bool = False) -> Programs:
    update, propose = (jax.jit(jax.vmap(part) if vectorized else part) for part in programs(name))
    return update, propose


def step(pair: Programs, key: jax.Array, observations: Observations) -> dict[str, Any]:
    """init, update, propose, recommend: one call of everything."""
    start, updated = pair[0](key, observations)
    query, carried, info, recommended = pair[1](key, updated, observations)
    return {"query": query, "states": (start, updated, carried), "info": info, "recommended": recommended}


def data(name: str, case: str = "plain", seed: int = 0) -> Observations:
    """Seven observations at capacity ten, on the arms for the policies of a finite set."""
    x, y = sample_data(USED, DIM, 22 + seed)
    if name in FINITE_SET:
        x = np.asarray(ARMS)[np.random.default_rng(seed).integers(0, 4, USED)]
    rows = 1 if case == "single" else USED
    if case == "constant":
        y[:] = -3.7
    elif case == "duplicates":
        x[3:], y[3:] = x[0], y[0]
    elif case == "equal x":
        x[:] = x[0]
    elif case == "huge":
        y *= 1e12
    elif case == "tiny":
        y *= 1e-12
    elif case == "corners":
        x = x if name in FINITE_SET else np.round(x)
    context = sample_data(USED, 1, 40 + seed)[0] if contextual(name) else np.zeros((USED, 0))
    return Observations.of(*(jnp.asarray(part[:rows]) for part in (x, y, context)), capacity=CAPACITY)


def undefined(cls: type[Policy]) -> bool:
    """True for a class that leaves something to be defined, and so cannot be instantiated."""
    return inspect.isabstract(cls) or bool(cls.__abstractvars__ or cls.__abstractclassvars__)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ALL)
def test_parents_are_abstract_and_leaves_final(name: str) -> None:
    cls = ALL[name]
    parents = cls.__mro__[1 : cls.__mro__.index(Policy) + 1]
    assert not undefined(cls)
    assert "__final__" in vars(cls)
    assert all(undefined(parent) and "__final__" not in vars(parent) for parent in parents)


@pytest.mark.parametrize("name", ALL)
def test_class_attributes_say_what_the_constructor_takes(name: str) -> None:
    taken = {"context_dim", "horizon"} & set(inspect.signature(ALL[name].__init__).parameters)
    assert ALL[name].reads_contexts == contextual(name) == ("context_dim" in taken)
    assert ALL[name].takes_horizon == with_horizon(name) == ("horizon" in taken)
    assert (policy(name).context_dim > 0) == ALL[name].reads_contexts


@pytest.mark.parametrize("name", ALL)
def test_shapes_and_stable_structure(name: str) -> None:
    result = step(compiled(name), jax.random.key(1), data(name))
    assert result["query"].shape == result["recommended"].shape == (DIM,)
    assert all(value.shape == () and value.dtype == float for value in result["info"].values())
    described = [jax.tree.map(lambda leaf: (leaf.shape, leaf.dtype), state) for state in result["states"]]
    assert described[0] == described[1] == described[2]  # the carry of a run: a scan traces its step once


@pytest.mark.parametrize("case", ["plain", "constant", "duplicates", "equal x", "single", "huge", "tiny", "corners"])
@pytest.mark.parametrize("name", ALL)
def test_queries_are_in_the_cube_whatever_the_data(name: str, case: str) -> None:
    for seed in range(3):
        observations = data(name, case, seed)
        result = step(compiled(name), jax.random.key(seed), observations)
        query = np.asarray(result["query"])
        assert np.all((query >= 0) & (query <= 1)), query
        assert not any(bool(jnp.isnan(leaf).any()) for leaf in jax.tree.leaves(result))
        assert all(bool(jnp.isfinite(value)) for key, value in result["info"].items() if key != "acquisition")
        seen = np.asarray(observations.x[: int(observations.count)])
        assert np.any(np.all(seen == np.asarray(result["recommended"]), axis=1))
        if name in FINITE_SET:
            assert np.any(np.all(np.asarray(ARMS) == query, axis=1))


@pytest.mark.parametrize("name", ALL)
def test_same_key_same_query_and_unused_rows_do_not_matter(name: str) -> None:
    clean = data(name)
    unused = ~np.asarray(clean.mask)
    rubbish = eqx.tree_at(
        lambda o: (o.x, o.context, o.y),
        clean,
        (
            jnp.where(unused[:, None], 0.4321, clean.x),
            jnp.where(unused[:, None], 0.77, clean.context),
            jnp.where(unused, -1e5, clean.y),
        ),
    )
    first, second = (step(compiled(name), jax.random.key(5), observations) for observations in (clean, rubbish))
    np.testing.assert_allclose(first["query"], second["query"], atol=1e-9)
    np.testing.assert_array_equal(first["recommended"], second["recommended"])
    again = step(compiled(name), jax.random.key(5), clean)
    np.testing.assert_array_equal(first["query"], again["query"])


def rounding(name: str) -> float:
    """The tolerance of a query when the data are rounded otherwise. Context policies begin in single precision and on
    rough approximations, and the ridges that they climb are flat: points so far apart on one differ by 4e-7 of the
    acquisition, which is held to 1e-6."""
    return 1e-3 if contextual(name) else 2e-5 if ALL[name].reads_values else 1e-9


@pytest.mark.parametrize("name", REGISTRY)
def test_scaling_and_shifting_the_values_changes_no_query(name: str) -> None:
    plain = data(name)
    expected = step(compiled(name), jax.random.key(6), plain)
    for scale, offset in ((1e-3, 0.0), (7.0, -20.0), (1e5, 3e5), (1e12, 0.0), (1e-12, 0.0)):
        moved = eqx.tree_at(lambda o: o.y, plain, jnp.where(plain.mask, scale * plain.y + offset, 0.0))
        got = step(compiled(name), jax.random.key(6), moved)
        np.testing.assert_allclose(got["query"], expected["query"], atol=rounding(name), err_msg=f"{scale}, {offset}")
        if contextual(name):
            value = scale * expected["info"]["acquisition"] + offset
            np.testing.assert_allclose(got["info"]["acquisition"], value, rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in ALL if name != "random_search"])
def test_the_order_of_the_observations_changes_no_query(name: str) -> None:
    plain = data(name)
    order = np.array([4, 2, 6, 0, 1, 5, 3, 7, 8, 9])
    columns = plain.x[order], plain.context[order], plain.y[order]
    moved = eqx.tree_at(lambda o: (o.x, o.context, o.y), plain, columns)
    queries = [step(compiled(name), jax.random.key(7), observations)["query"] for observations in (plain, moved)]
    np.testing.assert_allclose(*queries, atol=max(rounding(name), 2e-5))


@pytest.mark.parametrize("name", FAMILIES)
def test_vmap_equals_a_loop(name: str) -> None:
    keys = seed_keys(range(3))
    batch = [data(name, seed=seed) for seed in range(3)]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *batch)
    batched = step(compiled(name, vectorized=True), keys, stacked)
    for index in range(3):
        single = step(compiled(name), keys[index], batch[index])
        np.testing.assert_allclose(batched["query"][index], single["query"], atol=2e-6)
        for key, value in single["info"].items():
            np.testing.assert_allclose(batched["info"][key][index], value, rtol=1e-4, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("name", EAGER)
def test_jit_equals_eager(name: str) -> None:
    eager = step(programs(name), jax.random.key(8), data(name))
    jitted = step(compiled(name), jax.random.key(8), data(name))
    np.testing.assert_allclose(eager["query"], jitted["query"], atol=2e-6)
    np.testing.assert_array_equal(eager["recommended"], jitted["recommended"])


class Counting(Policy):
    """Passes everything on, and counts how often it is traced."""

    inner: Policy
    dim: int = eqx.field(static=True)
    traces: list[str] = eqx.field(static=True)

    @property
    def context_dim(self) -> int:
        return self.inner.context_dim

    def init(self, key: jax.Array) -> Any:
        return self.inner.init(key)

    def propose(self, key: jax.Array, state: Any, observations: Observations) -> Any:
        self.traces.append("propose")
        return self.inner.propose(key, state, observations)

    def update(self, state: Any, observations: Observations) -> Any:
        return self.inner.update(state, observations)


class Bowl(eqx.Module):
    """A smooth objective with Gaussian noise."""

    dim: int = eqx.field(static=True)

    def value(self, x: jax.Array) -> jax.Array:
        return -jnp.sum((x - 0.3) ** 2)

    def observe(self, key: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        return self.value(x) + 0.1 * jax.random.normal(key), jnp.asarray(0.01)


class TiltedBowl(Bowl):
    """The same with a random context."""

    context_dim: int = eqx.field(static=True, default=1)

    def draw_context(self, key: jax.Array) -> jax.Array:
        return jax.random.uniform(key, (1,))

    def observe(self, key: jax.Array, x: jax.Array, context: jax.Array) -> tuple[jax.Array, jax.Array]:
        return self.value(x) + context[0] * x[0], jnp.asarray(0.0)


class Shared(list):
    """A list that can be a static field: hashed by identity."""

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


@pytest.mark.parametrize("name", RUN)
def test_one_trace_a_run_however_long_and_none_the_second_time(name: str) -> None:
    traces = Shared()
    counted = Counting(policy(name), DIM, traces)
    objective = TiltedBowl(DIM) if contextual(name) else Bowl(DIM)
    first = simulate(counted, objective, seed_keys(range(2)), 9, initial_size=3)
    assert len(traces) == 1
    second = simulate(counted, objective, seed_keys(range(2, 4)), 9, initial_size=3)
    assert len(traces) == 1
    assert first.x.shape == second.x.shape == (2, 9, DIM)
    assert bool(jnp.all((first.x >= 0) & (first.x <= 1)))


@eqx.filter_jit
def scanned(method: Policy, keys: jax.Array, observations: Observations) -> tuple[jax.Array, Any]:
    """A run as `simulate` makes it: queries and final state."""

    def advance(carry: tuple[Any, Observations], key: jax.Array) -> tuple[tuple[Any, Observations], jax.Array]:
        query, state, _ = method.propose(key, *carry)
        grown = carry[1].append(query, jnp.sum(query), carry[1].context[0])
        return (method.update(state, grown), grown), query

    start = method.update(method.init(keys[0]), observations), observations
    (state, _), queries = jax.lax.scan(advance, start, keys)
    return queries, state


@pytest.mark.parametrize("name", ALL)
def test_another_instance_is_the_same_to_a_compiler(name: str) -> None:
    """Equal static parts, leaves of the same type: what is traced for one instance serves the other."""
    made, remade = (jax.tree.flatten(part) for part in (policy(name), policy.__wrapped__(name)))
    assert made[1] == remade[1]
    assert hash(made[1]) == hash(remade[1])
    assert [jax.typeof(leaf) for leaf in made[0]] == [jax.typeof(leaf) for leaf in remade[0]]


@pytest.mark.parametrize("name", [name for name in EAGER if name not in RUN])
def test_one_trace_a_scan_and_none_for_another_instance(name: str) -> None:
    """Programs are traced, not compiled, for one policy a family: the type of the carry (above, of all) decides the
    number of traces."""
    traces = Shared()
    for keys in (seed_keys(range(3)), seed_keys(range(3, 6))):
        remade = Counting(policy.__wrapped__(name), DIM, traces)
        queries, state = eqx.filter_eval_shape(scanned, remade, keys, data(name))
        assert len(traces) == 1
        assert queries.shape == (3, DIM)
        expected = jax.eval_shape(policy(name).init, jax.random.key(0))
        assert jax.tree.map(lambda leaf: leaf.shape, state) == jax.tree.map(lambda leaf: leaf.shape, expected)


@pytest.mark.parametrize("name", ["bok", "gp-ucb", "BOKE", "random"])
def test_unknown_names_list_near_ones(name: str) -> None:
    with pytest.raises(KeyError, match="unknown policy .*did you mean '") as error:
        make(name, 2)
    assert any(near in str(error.value) for near in REGISTRY)


def test_finite_sets_are_not_made_from_a_dimension() -> None:
    for name in FINITE_SET:
        with pytest.raises(ValueError, match="finite set"):
            make(name, 2)


OPTIONS = [
    ("boke", {"bandwidth": 0.0}),
    ("boke", {"bandwidth": float("nan")}),
    ("boke", {"noise_scale": -1.0}),
    ("boke", {"delta": 1.0}),
    ("boke", {"delta": 0.0}),
    ("boke", {"kernel": "gausian"}),
    ("boke", {"rule": "scot"}),
    ("boke_plus", {"exploration_probability": 0.0}),
    ("boke_plus", {"exploration_probability": 1.5}),
    ("kr_ucb", {"bandwidth": -1.0}),
    ("kr_ucb", {"exploration": -1.0}),
    ("kr_ucb", {"widening": 1.0}),
    ("kr_ucb", {"threshold": 0.0}),
    ("gp_ucb", {"lengthscale": 0.0}),
    ("gp_ucb", {"noise_scale": -0.1}),
    ("gp_ucb", {"beta": -1.0}),
    ("gp_ucb", {"kernel": "rbf"}),
    ("gp_ucb_refit", {"fit_starts": 0}),
    ("sbo_kde", {"prior_mean": "constant"}),
    ("context_free_ucb", {"noise_floor": 0.0}),
    ("stable_opt", {"noise_floor": 2.0}),
    ("gp_ucb_refit", {"beta": -1.0}),
    ("ei", {"lengthscale": 0.0}),
    ("ei", {"noise_scale": 0.0}),
    ("ei", {"kernel": "matern"}),
    ("corrected_ei", {"fit_candidates": 1}),
    ("noisy_ei", {"fantasies": 0}),
    ("qnei", {"samples": 0}),
    ("density_exploration", {"bandwidth": 0.0}),
    ("density_exploration", {"rule": "silvermann"}),
    ("kr_ucb", {"rule": "scot"}),
    ("context_free_ucb", {"root_beta": -1.0}),
    ("uhe_bo", {"horizon": 1}),
    ("ra_bo", {"horizon": 1}),
    ("random_exp3", {"horizon": 0}),
    ("uhe_bo", {"prior_shape": 0.0}),
    ("gp_ucb_map", {"prior_rate": float("inf")}),
    ("gp_ucb_map", {"prior_shape": float("nan")}),
    ("gp_ucb_map", {"beta": -1.0}),
    ("gp_ucb_mcmc", {"burn_in": 10}),
    ("gp_ucb_mcmc", {"draws": 3}),
    ("gp_ucb_mcmc", {"leapfrog_steps": 0}),
    ("a_gp_ucb", {"exponent": 0.5}),
    ("a_gp_ucb", {"exponent": 1.0}),
    ("a_gp_ucb", {"grid": (2.0, 4.0)}),
    ("a_gp_ucb", {"grid": (1.0, 1.0)}),
    ("a_gp_ucb", {"grid": ()}),
    ("wang_de_freitas", {"deviation": -0.1}),
    ("wang_de_freitas", {"factors": (1.0, 1.0)}),
    ("wang_de_freitas", {"factors": ()}),
    ("portfolio_exp3", {"horizon": 0}),
    ("sbo_kde", {"context_dim": 0}),
    ("sbo_kde", {"samples": 0}),
    ("sbo_kde", {"cells": 0}),
    ("sbo_kde", {"kernel": "rbf"}),
    ("sbo_kde", {"fit_starts": 0}),
    ("drbo_kde", {"radius_scale": -0.1}),
    ("drbo_mmd", {"gamma": 1.0}),
    ("drbo_mmd", {"grid": 0}),
    ("drbo_mmd_minimax", {"grid": 0}),
    ("stable_opt", {"samples": 0}),
    ("stable_opt", {"coarse": 0}),
    ("gp_exploration", {"lengthscale": -1.0}),
    ("gp_exploration", {"noise_variance": -1.0}),
    ("gp_exploration", {"kernel": "matern"}),
]


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_constants_outside_their_range_are_refused(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        make(name, DIM, **options)


@pytest.mark.parametrize("name", REGISTRY)
def test_dimensions_are_checked(name: str) -> None:
    with pytest.raises(ValueError, match="dim must be an integer of at least 1, got 0"):
        make(name, 0)
    if "effort" in {field.name for field in dataclasses.fields(REGISTRY[name])}:
        with pytest.raises(ValueError, match="effort was made for dimension 2, the policy works in 3"):
            make(name, 3, effort=SearchEffort.of(2, 16))


@pytest.mark.parametrize("name", FINITE_SET)
def test_arms_are_checked(name: str) -> None:
    options = {"bandwidth": 0.1, "noise_scale": 0.1} if name == "finite_boke" else {}
    for arms in (jnp.zeros((0, 2)), jnp.array([[1.2, 0.0]]), jnp.array([[jnp.nan, 0.0]])):
        with pytest.raises(ValueError, match="arms"):
            FINITE_SET[name](arms, **options)


@pytest.mark.parametrize("arguments", [(0,), (2, 0), (2, 8, -1), (2, 8, 1, -1)])
def test_search_effort_is_checked(arguments: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="at least 1|must be >= 0"):
        SearchEffort.of(*arguments)
