"""EXP3 against exact arithmetic, its invariances, its long runs and its regret."""

import math
from decimal import Decimal, getcontext

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.exp3 import Exp3, exploration_rate, paired_exploration_rate, scaled_reward
from core.policies import make

ROUNDS, ARMS, GAMMA = 40, 3, 0.17


def decimal_weights(plays: list[tuple[int, float]], gamma: float, arms: int) -> list[Decimal]:
    """Algorithm 2 as printed, weights as they are, in 50 digits."""
    getcontext().prec = 50
    weights = [Decimal(1)] * arms
    rate, count = Decimal(gamma), Decimal(arms)
    for arm, reward in plays:
        probability = (1 - rate) * weights[arm] / sum(weights) + rate / count
        weights[arm] *= (rate * Decimal(reward) / probability / count).exp()
    return weights


def plays(seed: int) -> list[tuple[int, float]]:
    rng = np.random.default_rng(seed)
    return [(int(arm), float(r)) for arm, r in zip(rng.integers(0, ARMS, ROUNDS), rng.random(ROUNDS), strict=True)]


@jax.jit
def played(arms: jax.Array, rewards: jax.Array) -> Exp3:
    return jax.lax.scan(lambda s, play: (s.update(*play), None), Exp3.init(ARMS, GAMMA), (arms, rewards))[0]


def final(history: list[tuple[int, float]]) -> Exp3:
    return played(jnp.asarray([arm for arm, _ in history]), jnp.asarray([reward for _, reward in history]))


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_those_of_exact_arithmetic(seed: int) -> None:
    history = plays(seed)
    exact = decimal_weights(history, GAMMA, ARMS)
    total = sum(exact)
    expected = [float((1 - Decimal(GAMMA)) * w / total + Decimal(GAMMA) / ARMS) for w in exact]
    state = final(history)
    np.testing.assert_allclose(state.probabilities(), expected, rtol=1e-12)
    np.testing.assert_allclose(state.log_weights, [float((w / max(exact)).ln()) for w in exact], atol=1e-12)


def test_relabelling_the_arms_relabels_the_weights() -> None:
    history = plays(5)
    relabel = [2, 0, 1]
    moved = final([(relabel[arm], reward) for arm, reward in history])
    np.testing.assert_allclose(moved.log_weights[np.array(relabel)], final(history).log_weights, atol=1e-13)


def test_algorithm_1_is_exp3_on_pairs() -> None:
    for horizon in (2, 3, 4, 50, 1000):
        expected = min(1.0, math.sqrt(4.0 * math.log(2.0) / ((math.e - 1.0) * horizon)))
        assert paired_exploration_rate(horizon) == pytest.approx(expected, rel=1e-15)
    assert paired_exploration_rate(2) < 1.0 == exploration_rate(8, 1.0)
    state = Exp3.init(2, 0.4)
    first, second = np.exp(state.update(1, 0.8).log_weights)  # line 20, p^2 = 1/2: w^2 = exp(0.4 * 0.8 / (2 * 0.5))
    assert second / first == pytest.approx(math.exp(0.4 * 0.8), rel=1e-14)


def test_rewards_of_zero_change_nothing_and_full_exploration_ignores_weights() -> None:
    state = Exp3.init(4, 1.0)
    np.testing.assert_array_equal(state.update(2, 0.0).log_weights, state.log_weights)
    np.testing.assert_allclose(state.update(2, 1.0).probabilities(), 0.25, rtol=1e-15)


@jax.jit
def bandit(key: jax.Array, gains: jax.Array) -> tuple[Exp3, jax.Array]:
    def step(state: Exp3, play: tuple[jax.Array, jax.Array]) -> tuple[Exp3, jax.Array]:
        arm = state.draw(play[0])
        return state.update(arm, play[1][arm]), play[1][arm]

    start = Exp3.init(2, 0.05)
    last, rewards = jax.lax.scan(step, start, (jax.random.split(key, gains.shape[0]), gains))
    return last, jnp.sum(rewards)


def test_a_million_rounds_neither_overflow_nor_underflow() -> None:
    rounds = 1_000_000
    state = jax.jit(
        lambda: jax.lax.fori_loop(0, rounds, lambda _, s: s.update(jnp.asarray(1), jnp.asarray(1.0)), Exp3.init(2, 0.5))
    )()
    assert bool(jnp.all(jnp.isfinite(state.log_weights)))
    np.testing.assert_allclose(state.probabilities(), [0.25, 0.75], rtol=1e-12)
    assert float(state.log_weights[0]) < -1e5  # the plain weight would be exp(3e5)


def test_regret_on_an_easy_bandit_obeys_the_bound_and_playing_at_random_would_not() -> None:
    rounds, runs = 4000, 8
    gamma = 0.05
    gains = jnp.broadcast_to(jnp.array([0.9, 0.1]), (rounds, 2))
    totals = np.array([float(bandit(jax.random.key(seed), gains)[1]) for seed in range(runs)])
    regret = 0.9 * rounds - totals
    bound = (math.e - 1.0) * gamma * 0.9 * rounds + 2.0 * math.log(2.0) / gamma  # Theorem 3.1 of Auer et al.
    standard_error = regret.std(ddof=1) / math.sqrt(runs)
    assert regret.mean() + 5.0 * standard_error < bound < 0.4 * rounds  # 0.4 a round: uniform play


def test_draws_have_the_probabilities() -> None:
    state = Exp3.init(3, 0.3).update(1, 1.0).update(1, 1.0).update(2, 0.7)
    draws = jax.vmap(state.draw)(jax.random.split(jax.random.key(2), 20_000))
    shares = np.bincount(np.asarray(draws), minlength=3) / draws.shape[0]
    p = np.asarray(state.probabilities())
    assert np.all(np.abs(shares - p) < 4.5 * np.sqrt(p * (1 - p) / draws.shape[0]))


def test_scaled_rewards() -> None:
    cases = [(3.0, 1.0, 5.0, 0.5), (9.0, 1.0, 5.0, 1.0), (-2.0, 1.0, 5.0, 0.0), (4.0, 4.0, 4.0, 0.5)]
    for reward, lower, upper, expected in cases:
        got = scaled_reward(jnp.asarray(reward), jnp.asarray(lower), jnp.asarray(upper))
        assert float(got) == expected


def test_scaled_rewards_stay_in_the_unit_interval_whatever_the_range() -> None:
    rng = np.random.default_rng(4)
    reward, first, second = rng.normal(size=(3, 4000)) * 10.0 ** rng.uniform(-300, 300, (3, 4000))
    scaled = np.asarray(jax.vmap(scaled_reward)(reward, np.minimum(first, second), np.maximum(first, second)))
    assert np.all((scaled >= 0.0) & (scaled <= 1.0))
    infinite = jax.vmap(scaled_reward)(jnp.array([-jnp.inf, jnp.inf]), jnp.zeros(2), jnp.ones(2))
    np.testing.assert_array_equal(infinite, [0.0, 1.0])


def test_one_evaluation_is_a_horizon_of_one_round_and_no_pair() -> None:
    rate = math.sqrt(2.0 * math.log(2.0) / (math.e - 1.0))
    assert exploration_rate(2, 1) == pytest.approx(rate)
    assert make("portfolio_exp3", 2, horizon=1).init(jax.random.key(0)).bandit.gamma == pytest.approx(rate)
    assert make("uhe_bo", 2, horizon=2).init(jax.random.key(0)).bandit.gamma == pytest.approx(rate)
    with pytest.raises(ValueError, match="a pair of evaluations, got 1"):
        make("uhe_bo", 2, horizon=1)


def test_bad_input_is_refused() -> None:
    for gamma in (0.0, -0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="gamma must lie in"):
            Exp3.init(2, gamma)
    for arms in (1, 0):
        with pytest.raises(ValueError, match="arms must be at least 2"):
            Exp3.init(arms, 0.1)
        with pytest.raises(ValueError, match="arms must be at least 2"):
            exploration_rate(arms, 10.0)
    for bound in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="reward_bound"):
            exploration_rate(2, bound)
    for horizon in (1, 0, -4):
        with pytest.raises(ValueError, match="horizon must be at least 2"):
            paired_exploration_rate(horizon)
    state = Exp3.init(2, 0.1)
    for reward in (-0.01, 1.01, math.nan):
        with pytest.raises(ValueError, match="reward must lie in"):
            state.update(0, reward)
    for arm in (-1, 2):
        with pytest.raises(ValueError, match="arm must be one of"):
            state.update(arm, 0.5)
