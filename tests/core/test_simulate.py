"""`simulate`: one compiled program over all seeds, the same start and noise for every policy, and regrets."""

import functools
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core import runs
from core.designs import initial_design, seed_keys
from core.policies import FINITE_SET, Policy, SearchEffort, make
from core.simulate import Trajectory, simulate

EFFORT = SearchEffort.of(2, raw_candidates=64, starts=2, max_steps=60)
BUDGET, INITIAL = 10, 4


class Hill(eqx.Module):
    """A smooth objective off the centre, with noise that grows to one side; optimum 2 at (0.7, 0.2)."""

    dim: int = eqx.field(static=True, default=2)
    noise: float = 0.2

    def value(self, x: jax.Array) -> jax.Array:
        return 2.0 - jnp.sum((x - jnp.array([0.7, 0.2])) ** 2)

    def observe(self, key: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        deviation = self.noise * (0.5 + x[0])
        return self.value(x) + deviation * jax.random.normal(key), deviation**2


def policy(name: str, **constants: Any) -> Policy:
    return make(name, 2) if name == "random_search" else make(name, 2, effort=EFFORT, **constants)


@functools.lru_cache
def trajectory(name: str, seeds: tuple[int, ...] = (0, 1, 2)) -> Trajectory:
    return simulate(policy(name), Hill(), seed_keys(seeds), BUDGET, initial_size=INITIAL)


def test_shapes_and_values() -> None:
    run = trajectory("boke")
    assert run.x.shape == (3, BUDGET, 2)
    assert run.y.shape == run.value.shape == (3, BUDGET)
    assert run.initial_size == INITIAL
    assert {value.shape for value in run.info.values()} == {(3, BUDGET - INITIAL)}
    np.testing.assert_allclose(run.value, 2.0 - ((np.asarray(run.x) - [0.7, 0.2]) ** 2).sum(-1), rtol=1e-14)
    assert bool(jnp.all((run.x >= 0) & (run.x <= 1)))
    assert len(np.unique(np.asarray(run.y))) == 3 * BUDGET  # the seeds differ


def test_every_policy_meets_the_same_design_and_the_same_noise() -> None:
    runs = [trajectory(name) for name in ("boke", "gp_ucb", "random_search")]
    for run in runs[1:]:
        np.testing.assert_array_equal(run.x[:, :INITIAL], runs[0].x[:, :INITIAL])
    # The noise of an observation belongs to the seed and the step: (y - f) / sd is the same whatever was asked.
    draws = [(run.y - run.value) / (0.2 * (0.5 + run.x[:, :, 0])) for run in runs]
    for other in draws[1:]:
        np.testing.assert_allclose(other, draws[0], rtol=1e-9)
    assert float(jnp.std(draws[0])) == pytest.approx(1.0, abs=0.4)
    assert len(np.unique(np.round(np.asarray(draws[0]), 9))) == 3 * BUDGET


def test_the_design_is_the_one_of_the_keys_first_stream() -> None:
    key = seed_keys([2])[0]
    design = initial_design(jax.random.split(key, 3)[0], INITIAL, 2)
    np.testing.assert_array_equal(trajectory("boke").x[2, :INITIAL], design)


@pytest.mark.parametrize(
    ("name", "seeds"), [("boke", (2, 7, 0, 5)), ("gp_ucb", (2, 7, 0)), ("random_search", (2, 7, 0, 5))]
)
def test_a_seeds_run_does_not_depend_on_the_others_beside_it(name: str, seeds: tuple[int, ...]) -> None:
    together, apart = trajectory(name), trajectory(name, seeds)
    for first, second in ((2, 0), (0, 2)):
        np.testing.assert_allclose(together.x[first], apart.x[second], atol=1e-5)
        np.testing.assert_allclose(together.y[first], apart.y[second], atol=1e-5)


def test_the_same_keys_give_the_same_run_bit_for_bit() -> None:
    again = simulate(policy("boke"), Hill(), seed_keys((0, 1, 2)), BUDGET, initial_size=INITIAL)
    np.testing.assert_array_equal(again.x, trajectory("boke").x)
    np.testing.assert_array_equal(again.y, trajectory("boke").y)


def test_a_longer_run_begins_as_the_shorter_one() -> None:
    short = simulate(policy("boke"), Hill(), seed_keys((0, 1, 2)), 8, initial_size=INITIAL)
    np.testing.assert_allclose(short.x, trajectory("boke").x[:, :8], atol=1e-5)


def test_other_constants_need_no_new_program(caplog: pytest.LogCaptureFixture) -> None:
    def run(bandwidth: float, noise: float) -> Trajectory:
        method = make("boke", 2, effort=EFFORT, bandwidth=bandwidth)
        return simulate(method, Hill(noise=jnp.asarray(noise)), seed_keys((0, 1, 2)), BUDGET, initial_size=INITIAL)

    first = run(0.3, 0.1)
    with jax.log_compiles(True), caplog.at_level("WARNING"):
        second = run(0.2, 0.4)
    assert not any(name in caplog.text for name in ("_first", "_designs", "_updated", "_proposed", "_appended"))
    assert not np.array_equal(first.x, second.x)


@pytest.mark.parametrize("name", ["boke", "gp_ucb_refit", "corrected_ei", "uhe_bo", "random_search"])
def test_step_by_step_is_the_run_in_one_program(name: str) -> None:
    """The same random numbers, the same steps; a rounding error grows along a run, so few steps are compared."""
    steps, whole = (
        simulate(
            policy(name),
            Hill(noise=0.1),
            seed_keys((0, 1)),
            INITIAL + 4,
            initial_size=INITIAL,
            known_noise=True,
            one_program=one_program,
        )
        for one_program in (False, True)
    )
    np.testing.assert_array_equal(steps.x[:, :INITIAL], whole.x[:, :INITIAL])
    for mine, other in ((steps.x, whole.x), (steps.y, whole.y), (steps.value, whole.value)):
        np.testing.assert_allclose(mine, other, atol=1e-4)
    assert set(steps.info) == set(whole.info)
    for key, values in steps.info.items():
        assert values.shape == whole.info[key].shape == (2, 4)
        assert values.dtype == whole.info[key].dtype
    assert steps.context.shape == whole.context.shape


def test_policies_side_by_side_in_a_vmap() -> None:
    """Constants are leaves: policies stacked along them run as each does alone."""
    bandwidths = (0.2, 0.4)
    made = [make("boke", 2, effort=EFFORT, bandwidth=bandwidth) for bandwidth in bandwidths]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *made)
    run = eqx.filter_vmap(lambda one: simulate(one, Hill(), seed_keys((0,)), INITIAL + 3, initial_size=INITIAL).x[0])
    alone = [simulate(one, Hill(), seed_keys((0,)), INITIAL + 3, initial_size=INITIAL).x[0] for one in made]
    np.testing.assert_allclose(run(stacked), jnp.stack(alone), atol=1e-4)


def test_regrets_are_their_definitions() -> None:
    run = trajectory("gp_ucb")
    value = np.asarray(run.value)
    np.testing.assert_allclose(run.simple_regret(2.0), 2.0 - np.maximum.accumulate(value, axis=1), rtol=1e-13)
    np.testing.assert_allclose(run.cumulative_regret(2.0), np.cumsum(2.0 - value, axis=1), rtol=1e-13)
    assert bool(jnp.all(jnp.diff(run.simple_regret(2.0), axis=1) <= 0))
    assert bool(jnp.all(run.simple_regret(2.0) >= 0))


def test_a_budget_spent_on_the_design_leaves_nothing_to_propose() -> None:
    run = simulate(policy("boke"), Hill(), seed_keys((0, 1)), INITIAL, initial_size=INITIAL)
    assert run.x.shape == (2, INITIAL, 2)
    assert {value.shape for value in run.info.values()} == {(2, 0)}


def test_known_noise_reaches_the_policy() -> None:
    plain = trajectory("gp_ucb")
    told = simulate(policy("gp_ucb"), Hill(), seed_keys((0,)), BUDGET, initial_size=INITIAL, known_noise=True)
    np.testing.assert_array_equal(plain.x[:1, :INITIAL], told.x[:, :INITIAL])
    assert not np.allclose(plain.x[:1], told.x)


@pytest.mark.parametrize("name", ["boke", "boke_plus", "gp_ucb", "kr_ucb"])
def test_every_method_beats_random_search_on_a_hill(name: str) -> None:
    """KR-UCB with a wide bandwidth: a new point lies within half a bandwidth of an old one, too near for 25 steps."""
    wide = {"rule": "scott", "bandwidth": 1.0}
    runs = [
        simulate(
            policy(method, **(wide if method == "kr_ucb" else {})),
            Hill(noise=0.01),
            seed_keys(range(8)),
            25,
            initial_size=INITIAL,
        )
        for method in (name, "random_search")
    ]
    ours, random = (float(jnp.median(run.simple_regret(2.0)[:, -1])) for run in runs)
    assert ours < random


def test_finite_sets() -> None:
    arms = jnp.array([[0.0, 0.0], [0.7, 0.2], [0.9, 0.9]])
    method = FINITE_SET["ucb1"](arms, exploration=0.5)
    run = simulate(method, Hill(), seed_keys(range(4)), 60, initial_size=1)
    first = np.abs(np.asarray(run.x)[:, 0, None] - np.asarray(arms)).max(axis=2).argmin(axis=1)
    assert np.all(np.isin(np.asarray(run.x), np.asarray(arms)))  # the initial design, too, is made of arms
    for seed, arm in enumerate(first.tolist()):  # the others come next, in order
        assert np.asarray(run.info["arm"])[seed, :2].tolist() == [other for other in range(3) if other != arm]
    assert float((run.info["arm"] == 1).mean()) > 0.6


def test_mistakes_are_named_before_anything_compiles() -> None:
    method, keys = policy("boke"), seed_keys((0, 1))
    with pytest.raises(ValueError, match="policy works in dimension 2, objective in 3"):
        simulate(method, Hill(dim=3), keys, BUDGET)
    with pytest.raises(ValueError, match="budget 3 is below the initial design of 4 points"):
        simulate(method, Hill(), keys, 3, initial_size=4)
    with pytest.raises(ValueError, match="budget 4 is below the initial design of 5 points"):
        simulate(method, Hill(), keys, 4)
    with pytest.raises(ValueError, match="initial_size must be an integer of at least 1, got 0"):
        simulate(method, Hill(), keys, 4, initial_size=0)
    with pytest.raises(ValueError, match="design must be one of"):
        simulate(method, Hill(), keys, BUDGET, design="latin")


@pytest.mark.usefixtures("unchecked")
def test_keys_and_counts_of_the_wrong_kind() -> None:
    method, keys = policy("boke"), seed_keys((0, 1))
    for wrong in (keys[0], keys[:0], jax.random.PRNGKey(0), [0, 1], 3):
        with pytest.raises(ValueError, match="keys must be a non-empty vector of JAX keys"):
            simulate(method, Hill(), wrong, BUDGET)
    for budget in (12.0, "12", None):
        with pytest.raises(ValueError, match="budget must be an integer"):
            simulate(method, Hill(), keys, budget)


def test_a_run_in_stages_is_the_run_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays grow in powers of two on the way; the trajectory does not depend on it, nor does a seed on the others."""
    assert runs.capacities(4, 79) == [79]
    assert runs.capacities(4, 80) == [64, 80]
    assert runs.capacities(70, 300) == [128, 300]
    assert runs.capacities(5, 5) == [5]
    # A rounding error grows along a run (each query moves the next), so the comparison ends where it is still small.
    whole = simulate(policy("gp_ucb"), Hill(), seed_keys([0, 1]), 12, initial_size=INITIAL)
    monkeypatch.setattr(runs, "capacities", lambda size, budget: [6, 8, budget])
    staged = simulate(policy("gp_ucb"), Hill(noise=jnp.asarray(0.2)), seed_keys([1]), 12, initial_size=INITIAL)
    assert staged.x.shape == (1, 12, 2)
    assert {value.shape for value in staged.info.values()} == {(1, 8)}
    np.testing.assert_allclose(staged.x[0], whole.x[1], atol=1e-4)
    np.testing.assert_allclose(staged.y[0], whole.y[1], atol=1e-4)
