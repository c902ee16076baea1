"""The policies of Paper D against Algorithm 1 in plain numbers, scikit-learn and direct search."""

import functools
import math
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import gamma
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern

from core.models.hyperparameters import Hyperparameters
from core.policies import Policy, SearchEffort, make
from core.policies.a_gp_ucb import AGpUcbState
from core.types import Observations
from tests.core.helpers import sample_data

DIM, INITIAL, ROUNDS = 2, 4, 12
GRID = (1.0, 1.5, 2.5)  # of A-GP-UCB


def objective(x: np.ndarray) -> float:
    return 5.0 + math.sin(7.0 * x[0]) - 2.0 * (x[1] - 0.3) ** 2


@functools.lru_cache
def policy(name: str, **options: Any) -> Policy:
    effort = SearchEffort.of(DIM, raw_candidates=128, starts=1, max_steps=40)
    if name == "a_gp_ucb":
        options["grid"] = GRID
    return make(name, DIM, effort=effort, fit_starts=1, **options)


@functools.lru_cache
def steps(name: str, **options: Any) -> tuple[Any, Any]:
    method = policy(name, **options)
    return jax.jit(lambda *state: method.update(*state)), jax.jit(lambda *state: method.propose(*state))


@eqx.filter_jit
def surrogate(method: Policy, state: Any, observations: Observations) -> jax.Array:
    return method.surrogate(state, observations)


@functools.lru_cache
def run(name: str, seed: int = 0) -> tuple[np.ndarray, list[dict[str, float]], list[Any], Observations]:
    """Values, diagnostics and states of a run of twelve evaluations after four."""
    x = np.asarray(sample_data(INITIAL, DIM, 31)[0])
    y = np.array([objective(point) for point in x])
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=INITIAL + ROUNDS)
    update, propose = steps(name)
    state, infos, states = policy(name).init(jax.random.key(seed)), [], []
    state = update(state, observations)
    for index in range(ROUNDS):
        query, state, info = propose(jax.random.key(1000 * seed + index), state, observations)
        infos.append({key: float(value) for key, value in info.items()})
        observations = observations.append(query, jnp.asarray(objective(np.asarray(query))))
        state = update(state, observations)
        states.append(state)
    return np.asarray(observations.y), infos, states, observations


def exp3(log_weights: np.ndarray, gamma_: float, arm: int, reward: float) -> np.ndarray:
    p = (1 - gamma_) * np.exp(log_weights) / np.exp(log_weights).sum() + gamma_ / 2
    raised = log_weights.copy()
    raised[arm] += gamma_ * reward / (2 * p[arm])
    return raised


@pytest.mark.parametrize("name", ["uhe_bo", "random_exp3"])
def test_pairs_share_an_arm_and_weights_follow_algorithm_1(name: str) -> None:
    seen = set()
    for seed in range(3):
        y, infos, states, _ = run(name, seed)
        rate = math.sqrt(4 * math.log(2) / ((math.e - 1) * 100))
        low, high = y[:INITIAL].min(), y[:INITIAL].max()
        weights = np.zeros(2)
        for pair in range(ROUNDS // 2):
            first, second = infos[2 * pair], infos[2 * pair + 1]
            assert first["arm"] == second["arm"]
            assert (first["random"], second["random"]) == (1.0 - first["arm"], 0.0)
            p = (1 - rate) * np.exp(weights[0]) / np.exp(weights).sum() + rate / 2
            assert first["random_probability"] == pytest.approx(p, rel=1e-10)
            best = y[INITIAL + 2 * pair : INITIAL + 2 * pair + 2].max()
            weights = exp3(weights, rate, int(first["arm"]), float(np.clip((best - low) / (high - low), 0, 1)))
            got = np.asarray(states[2 * pair + 1].bandit.log_weights)
            np.testing.assert_allclose(got - got[0], weights - weights[0], atol=1e-12)
            seen.add(first["arm"])
    assert seen == {0.0, 1.0}


def test_ra_bo_alternates_and_learns_nothing() -> None:
    _, infos, states, _ = run("ra_bo")
    assert [info["random"] for info in infos] == [1.0, 0.0] * (ROUNDS // 2)
    np.testing.assert_array_equal(states[-1].bandit.log_weights, 0.0)


def test_a_second_update_on_the_same_data_rewards_no_pair_twice() -> None:
    for name in ("uhe_bo", "portfolio_exp3"):
        _, _, states, observations = run(name)
        again = steps(name)[0](states[-1], observations)
        np.testing.assert_array_equal(again.bandit.log_weights, states[-1].bandit.log_weights)


def log_posterior(theta: np.ndarray, x: np.ndarray, z: np.ndarray) -> float:
    """(9), its prior a density of the logarithms, from scikit-learn's Gaussian process."""
    kernel = ConstantKernel(theta[-2], "fixed") * Matern(theta[:-2], "fixed", nu=2.5)
    process = GaussianProcessRegressor(kernel, alpha=theta[-1] + 1e-10 * theta[-2], optimizer=None).fit(x, z)
    prior = np.sum(gamma.logpdf(theta, 1e-3, scale=1 / 10.0) + np.log(theta))
    return float(process.log_marginal_likelihood_value_ + prior)


@pytest.mark.parametrize("name", ["gp_ucb_map", "random_exp3"])
def test_estimates_from_the_data_are_local_maxima_of_the_log_posterior(name: str) -> None:
    _, _, states, observations = run(name)
    found = states[-1].parameters if name == "random_exp3" else states[-1]
    used = INITIAL + ROUNDS - int(name == "random_exp3")  # it estimates before the query, the other after it
    x, y = np.asarray(observations.x)[:used], np.asarray(observations.y)[:used]
    z = (y - y.mean()) / y.std()
    theta = np.array([*found.lengthscale, found.variance, found.noise_variance])
    value = log_posterior(theta, x, z)
    for index in range(DIM + 2):
        for factor in (0.8, 1.25):
            moved = theta.copy()
            moved[index] = max(moved[index] * factor, 1e-6) if index == DIM + 1 else moved[index] * factor
            inside = index == DIM + 1 or (0.02 <= moved[index] <= 20.0 and index < DIM) or index == DIM
            assert not inside or log_posterior(moved, x, z) <= value + 5e-3


def test_wang_de_freitas_takes_the_smallest_factor_that_is_uncertain_enough() -> None:
    x, y = sample_data(7, DIM, 22)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=INITIAL + ROUNDS)
    factors = (1.0, 2.0, 4.0, 8.0)

    def searched(fit: Hyperparameters) -> tuple[list[float], list[np.ndarray]]:
        """Deviation at the maximiser of GP-UCB, by scikit-learn, and the maximiser; for every factor."""
        deviations, points = [], []
        for factor in factors:
            shrunk = Hyperparameters(fit.lengthscale / factor, fit.variance, fit.noise_variance)
            point, _, _ = steps("gp_ucb_map")[1](jax.random.key(3), shrunk, observations)
            kernel = ConstantKernel(float(fit.variance), "fixed") * Matern(np.asarray(shrunk.lengthscale), "fixed", 2.5)
            process = GaussianProcessRegressor(kernel, alpha=float(fit.noise_variance), optimizer=None).fit(x, y)
            deviations.append(float(process.predict(np.asarray(point)[None], return_std=True)[1][0]))
            points.append(np.asarray(point))
        return deviations, points

    long, short = jnp.full(DIM, 0.8), jnp.full(DIM, 0.2)
    first = searched(Hyperparameters(long, jnp.ones(()), jnp.asarray(1e-3)))[0]
    wanted = 0.5 * (first[1] + first[2])
    assert max(first[:2]) < wanted < first[2]
    propose = steps("wang_de_freitas", deviation=wanted, factors=factors)[1]
    for lengthscale, variance, index in ((long, 1.0, 2), (short, 1.0, 0), (long, 1e-2, 3)):  # the last: none is enough
        fit = Hyperparameters(lengthscale, jnp.asarray(variance), jnp.asarray(1e-3))
        deviations, points = searched(fit)
        query, _, info = propose(jax.random.key(3), fit, observations)
        assert (deviations[index] >= wanted) == (index < 3)
        assert float(info["factor"]) == factors[index]
        assert float(info["deviation"]) == pytest.approx(deviations[index], abs=1e-6)
        np.testing.assert_allclose(query, points[index], atol=1e-6)


def information(x: np.ndarray, theta: Hyperparameters) -> float:
    """1/2 log det(I + K / sigma^2) by numpy."""
    covariance = float(theta.variance) * Matern(np.asarray(theta.lengthscale), "fixed", nu=2.5)(x)
    return 0.5 * float(np.linalg.slogdet(np.eye(len(x)) + covariance / float(theta.noise_variance))[1])


@pytest.mark.parametrize(("initial", "floor"), [(1, 0), (2, 0), (4, 0), (7, 0), (7, 2)])
def test_a_gp_ucb_takes_the_smallest_factor_that_meets_the_reference(initial: int, floor: int) -> None:
    x, y = sample_data(7, DIM, 22)
    observations, grid = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=INITIAL + ROUNDS), GRID
    fit = Hyperparameters(jnp.full(DIM, 1.6), jnp.asarray(0.9), jnp.asarray(2e-2))
    predicted, points = [], []
    for factor in grid:
        shrunk = Hyperparameters(fit.lengthscale / factor, fit.variance, fit.noise_variance)
        point, _, _ = steps("gp_ucb_map")[1](jax.random.key(3), shrunk, observations)
        predicted.append(information(np.vstack([x, point]), shrunk))
        points.append(np.asarray(point))
    required = information(x[:initial], fit) * (8 / initial) ** 0.8
    index = next((i for i in range(floor, 3) if predicted[i] >= required), 2)
    state = AGpUcbState(fit, jnp.asarray(floor), jnp.asarray(grid[floor]), jnp.asarray(initial))
    query, carried, info = steps("a_gp_ucb")[1](jax.random.key(3), state, observations)
    assert float(info["required"]) == pytest.approx(required, rel=1e-6)
    assert float(info["information"]) == pytest.approx(predicted[index], rel=1e-6)
    assert float(info["factor"]) == float(carried.factor) == grid[index]
    assert index == int(carried.index) == {1: 2, 2: 2, 4: 1, 7: floor}[initial]
    assert (predicted[index] >= required) == (initial > 1)  # of one observation it asks more than the grid can give
    np.testing.assert_allclose(query, points[index], atol=1e-6)
    np.testing.assert_allclose(carried.in_force().lengthscale, 1.6 / grid[index])
    kernel = ConstantKernel(0.9, "fixed") * Matern(np.full(DIM, 1.6 / grid[index]), "fixed", nu=2.5)
    process = GaussianProcessRegressor(kernel, alpha=2e-2, optimizer=None).fit(x, (y - y.mean()) / y.std())
    expected = y.mean() + y.std() * process.predict(x)
    np.testing.assert_allclose(surrogate(policy("a_gp_ucb"), carried, observations)[:7], expected, rtol=1e-6)


def test_a_gp_ucb_never_lets_the_lengthscales_grow_back() -> None:
    _, infos, states, _ = run("a_gp_ucb")
    factors = [info["factor"] for info in infos]
    assert factors == sorted(factors)
    assert factors[0] >= 1.0
    assert factors[-1] > 1.0
    assert [int(state.initial_count) for state in states] == [INITIAL] * ROUNDS
    for info in infos:
        assert info["information"] >= info["required"] or info["factor"] == GRID[-1]


def test_portfolio_rewards_the_posterior_mean_at_the_query() -> None:
    rate = math.sqrt(2 * math.log(2) / ((math.e - 1) * 100))
    arms = set()
    for seed in range(2):
        y, infos, states, observations = run("portfolio_exp3", seed)
        low, high = y[:INITIAL].min(), y[:INITIAL].max()
        weights, x = np.zeros(2), np.asarray(observations.x)
        for index, (info, state) in enumerate(zip(infos, states, strict=True)):
            count, theta = INITIAL + index + 1, state.parameters
            p = (1 - rate) * np.exp(weights[0]) / np.exp(weights).sum() + rate / 2
            assert info["random_probability"] == pytest.approx(p, rel=1e-6)
            assert (info["acquisition"] == -math.inf) == (info["arm"] == 0.0)
            kernel = ConstantKernel(float(theta.variance), "fixed") * Matern(
                np.asarray(theta.lengthscale), "fixed", nu=2.5
            )
            alpha = float(theta.noise_variance + 1e-10 * theta.variance)
            z = (y[:count] - y[:count].mean()) / y[:count].std()
            process = GaussianProcessRegressor(kernel, alpha=alpha, optimizer=None).fit(x[:count], z)
            mean = y[:count].mean() + y[:count].std() * float(process.predict(x[count - 1 : count])[0])
            weights = exp3(weights, rate, int(info["arm"]), float(np.clip((mean - low) / (high - low), 0, 1)))
            got = np.asarray(state.bandit.log_weights)
            np.testing.assert_allclose(got - got[0], weights - weights[0], atol=1e-6)
            arms.add(info["arm"])
    assert arms == {0.0, 1.0}


def test_mcmc_averages_the_bound_and_the_means_over_its_draws() -> None:
    x, y = sample_data(7, DIM, 22)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=8)
    options = {"burn_in": 60, "draws": 16, "leapfrog_steps": 3}
    method = policy("gp_ucb_mcmc", **options)
    query, state, info = steps("gp_ucb_mcmc", **options)[1](
        jax.random.key(3), method.init(jax.random.key(0)), observations
    )
    assert state.lengthscale.shape == (16, DIM)
    assert len(np.unique(np.asarray(state.variance))) > 2  # the chain moves
    z, bounds, means = (y - y.mean()) / y.std(), [], []
    for lengthscale, variance, noise in zip(state.lengthscale, state.variance, state.noise_variance, strict=True):
        kernel = ConstantKernel(float(variance), "fixed") * Matern(np.asarray(lengthscale), "fixed", nu=2.5)
        process = GaussianProcessRegressor(kernel, alpha=float(noise + 1e-10 * variance), optimizer=None).fit(x, z)
        mean, deviation = process.predict(np.asarray(query)[None], return_std=True)
        bounds.append(mean[0] + math.sqrt(1.96) * deviation[0])
        means.append(process.predict(x))
    assert float(info["acquisition"]) == pytest.approx(y.mean() + y.std() * np.mean(bounds), rel=1e-6)
    expected = y.mean() + y.std() * np.mean(means, axis=0)
    np.testing.assert_allclose(surrogate(method, state, observations)[:7], expected, rtol=1e-6)
    assert 0.0 < float(info["acceptance"]) <= 1.0
    assert float(info["lengthscale"]) == pytest.approx(np.exp(np.log(state.lengthscale).mean(axis=1)).mean())
