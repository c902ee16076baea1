"""The host's updates and proposals agree with the JAX policy on the same observations."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import norm

from core import Categorical, Integer, Real, Space
from core.host import policy as host
from core.host.process import CorrectedImprovement, Process
from core.host.search import candidates_near, maximize
from core.models.standardized import standardized
from core.optimizer.options import DEFAULT_POLICY
from core.policies import SearchEffort, make
from core.policies import near as jax_near
from core.policies.restricted import ListedEffort, snapping
from core.search import maximize as jax_search
from tests.core.host.test_likelihood import data

KEY = jax.random.key(5)
OBSERVATIONS = data(24, 3, seed=4).grow(40)
POLICY: Any = make("corrected_ei", 3)
NOISY: Any = make("noisy_ei", 3, fantasies=128)
"""Many models, so that acquisitions of different samples are close."""


def test_which_policies_the_host_serves() -> None:
    assert host.proposes_here(POLICY)
    assert host.proposes_here(jax_near.looking_near(POLICY))
    assert host.proposes_here(make(DEFAULT_POLICY, 3))
    assert host.proposes_here(jax_near.looking_near(NOISY))
    assert host.learns_here(make("ei", 3))
    assert not host.proposes_here(make("ei", 3))
    for name in ("gp_ucb_refit", "gp_ucb_map", "gp_ucb_mcmc", "uhe_bo", "boke", "gp_ucb"):
        assert not host.learns_here(make(name, 3))
    assert not host.learns_here(make("corrected_ei", 3, kernel="squared_exponential"))


@pytest.mark.parametrize("noise", [False, True])
def test_states_and_recommendations(noise: bool) -> None:
    observations = data(24, 3, noise, seed=4).grow(40)
    found = host.updated(POLICY, POLICY.init(KEY), observations)
    oracle = eqx.filter_jit(POLICY.update)(POLICY.init(KEY), observations)
    np.testing.assert_allclose(np.log(found.to_vector()), np.log(oracle.to_vector()), atol=2e-3)
    np.testing.assert_array_equal(host.recommended(oracle, observations), POLICY.recommend(oracle, observations))
    point = np.array([0.2, 0.7, 0.4])
    expected = POLICY.predict(oracle, observations, jnp.asarray(point))
    np.testing.assert_allclose(host.predicted(oracle, observations, point[None])[0], expected, rtol=1e-8)


def test_the_search_is_that_of_jax_from_the_same_candidates() -> None:
    state = host.updated(POLICY, POLICY.init(KEY), OBSERVATIONS)
    posterior = POLICY.posterior(state, OBSERVATIONS)
    theta = np.asarray(state.to_vector())
    process = Process.fit(np.asarray(OBSERVATIONS.x)[:24], np.asarray(OBSERVATIONS.y)[:24], np.zeros(24), theta)
    incumbent = process.x[np.argmax(process.means)]
    candidates = np.random.default_rng(6).random((128, 3))
    near = np.clip(incumbent + 0.05 * np.random.default_rng(7).standard_normal((32, 3)), 0.0, 1.0)
    log_acquisition, _ = POLICY.formulas(KEY, posterior, jnp.asarray(incumbent))
    best = jax_search.maximize(log_acquisition, jnp.asarray(candidates), starts=5, near=jnp.asarray(near))
    acquisition = CorrectedImprovement(process, incumbent)
    point, value = maximize(acquisition, candidates, near=near, starts=5, max_steps=200)
    np.testing.assert_allclose(value, best.value, rtol=1e-7)
    np.testing.assert_allclose(point, best.x, atol=1e-4)


def test_a_proposal_is_as_good_as_that_of_jax() -> None:
    """The acquisition that both report decides; candidates differ, and both find the same maximum."""
    state = host.updated(POLICY, POLICY.init(KEY), OBSERVATIONS)
    point, carried, info = host.proposed(POLICY, KEY, 3, state, OBSERVATIONS)
    query, _, expected = eqx.filter_jit(POLICY.propose)(KEY, state, OBSERVATIONS)
    assert carried is state
    assert set(info) == set(expected)
    for name in info:
        np.testing.assert_allclose(info[name], expected[name], rtol=1e-5, err_msg=name)
    np.testing.assert_allclose(point, query, atol=1e-3)
    again, _, _ = host.proposed(POLICY, KEY, 3, state, OBSERVATIONS)
    np.testing.assert_array_equal(again, point)
    other, _, _ = host.proposed(POLICY, jax.random.key(6), 3, state, OBSERVATIONS)
    assert np.any(other != point)


def test_a_proposal_by_samples_is_as_good_as_that_of_jax() -> None:
    """Samples differ, so that a third acquisition, of many more of them, decides."""
    state = host.updated(NOISY, NOISY.init(KEY), OBSERVATIONS)
    point, carried, info = host.proposed(NOISY, KEY, 3, state, OBSERVATIONS)
    query, _, expected = eqx.filter_jit(NOISY.propose)(KEY, state, OBSERVATIONS)
    assert carried is state
    assert set(info) == set(expected)
    np.testing.assert_allclose(info["acquisition"], expected["acquisition"], rtol=0.1)
    judge: Any = make("noisy_ei", 3, fantasies=1024)
    _, value = judge.formulas(jax.random.key(8), judge.posterior(state, OBSERVATIONS), query)
    assert float(value(jnp.asarray(point))) > 0.98 * float(value(query))


def test_samples_depend_on_the_data_as_a_set() -> None:
    state = host.updated(NOISY, NOISY.init(KEY), OBSERVATIONS)
    order = np.random.default_rng(12).permutation(24)
    shuffled = type(OBSERVATIONS).of(OBSERVATIONS.x[order], OBSERVATIONS.y[order])
    point, _, info = host.proposed(NOISY, KEY, 3, state, OBSERVATIONS)
    again, _, other = host.proposed(NOISY, KEY, 3, state, shuffled)
    np.testing.assert_array_equal(again, point)
    np.testing.assert_allclose(other["acquisition"], info["acquisition"], rtol=1e-8)
    assert order[int(other["incumbent"])] == int(info["incumbent"])


def test_the_samples_normals_are_a_latin_hypercube() -> None:
    found = host._normals(np.random.default_rng(13), 20, 48)
    assert found.shape == (20, 48)
    np.testing.assert_array_equal(
        np.sort(np.floor(20 * norm.cdf(found)), axis=0), np.arange(20.0)[:, None] + np.zeros(48)
    )
    correlation = np.corrcoef(found.T) - np.eye(48)
    assert np.sqrt(np.mean(correlation**2)) < 1.3 / np.sqrt(20)


def test_listed_candidates() -> None:
    rows = np.random.default_rng(8).random((50, 3))
    listed: Any = eqx.tree_at(lambda p: p.effort, POLICY, ListedEffort(jnp.asarray(rows), 0, 0))
    state = host.updated(POLICY, POLICY.init(KEY), OBSERVATIONS)
    point, _, _ = host.proposed(listed, KEY, 0, state, OBSERVATIONS)
    query, _, _ = eqx.filter_jit(listed.propose)(KEY, state, OBSERVATIONS)
    np.testing.assert_array_equal(point, query)


SPACE = Space({"r": Real(1e-3, 1.0, log=True), "n": Integer(2, 9, step=7), "c": Categorical(("a", "b", "c"))})


def test_points_of_a_space_are_snapped_as_by_jax() -> None:
    points = np.random.default_rng(9).random((30, SPACE.dim))
    found = SPACE.snap(points, np)
    np.testing.assert_allclose(found, jax.vmap(SPACE.snap)(jnp.asarray(points)), rtol=1e-14)
    np.testing.assert_allclose(found, [SPACE.snapped(point) for point in points], rtol=1e-12)


def test_a_proposal_on_a_space_can_be_evaluated() -> None:
    policy: Any = snapping(jax_near.looking_near(make("corrected_ei", SPACE.dim)), SPACE, constrained=False)
    assert host.proposes_here(policy)
    rng = np.random.default_rng(10)
    points = SPACE.snap(rng.random((12, SPACE.dim)), np)
    observations = type(OBSERVATIONS).of(jnp.asarray(points), jnp.asarray(np.sin(4.0 * points @ np.arange(1.0, 6.0))))
    state = host.updated(policy, policy.init(KEY), observations)
    point, _, info = host.proposed(policy, KEY, 0, state, observations)
    np.testing.assert_allclose(SPACE.snapped(point), point, atol=1e-12)
    _, _, expected = eqx.filter_jit(policy.propose)(KEY, state, observations)
    assert float(info["acquisition"]) > 0.9 * float(expected["acquisition"])


def test_candidates_near_have_the_radii_of_jax() -> None:
    around = np.array([[0.5, 0.5, 0.5, 0.5], [0.4, 0.6, 0.5, 0.5]])
    centres, shares = np.resize(around, (4000, 4)), np.linspace(0.1, 0.9, 9)
    found = candidates_near(np.random.default_rng(11), around, 4000)
    oracle = np.asarray(jax_near.candidates_near(KEY, jnp.asarray(around), 4000))
    assert found.min() >= 0.0
    assert found.max() <= 1.0
    levels = np.quantile(np.linalg.norm(oracle - centres, axis=1), shares)
    below = [np.mean(np.linalg.norm(found - centres, axis=1) <= level) for level in levels]
    assert np.all(np.abs(below - shares) < 4.0 * np.sqrt(2.0 * shares * (1.0 - shares) / 4000))
    still = [np.mean(points == centres) for points in (found, oracle)]
    assert abs(still[0] - still[1]) < 4.0 * np.sqrt(2.0 * 0.25 * 0.75 / 16000)


def test_standard_units_are_those_of_jax() -> None:
    likelihood = host._likelihood(OBSERVATIONS)
    np.testing.assert_allclose(likelihood.y, np.asarray(standardized(OBSERVATIONS).y)[:24], rtol=1e-12)


def test_effort_of_another_kind_is_left_to_jax() -> None:
    class Other(SearchEffort):
        """A policy that the host does not know."""

    effort = POLICY.effort
    other = eqx.tree_at(lambda p: p.effort, POLICY, Other(effort.lattice, effort.starts, effort.max_steps))
    assert host.learns_here(other)
    assert not host.proposes_here(other)
