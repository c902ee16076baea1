"""Paper D's checks against calculations made another way."""

import itertools
import math

import numpy as np
import pytest

from core.exp3 import Exp3, exploration_rate
from experiments.uhe.likelihood import log_likelihood
from theory_checks.uhe import additive, cell_occupancy, exp3_algorithm, exp3_bound

# EXP3.


def by_hand(rewards, gamma):
    """Expected reward by walking every history with `core.exp3`."""
    horizon, arms = rewards.shape
    total = 0.0
    for history in itertools.product(range(arms), repeat=horizon):
        bandit, probability, earned = Exp3.init(arms, gamma), 1.0, 0.0
        for reward, arm in zip(rewards, history, strict=True):
            probability *= float(bandit.probabilities()[arm])
            earned += reward[arm]
            bandit = bandit.update(arm, reward[arm])
        total += probability * earned
    return total


def test_expected_reward_is_the_sum_over_histories():
    rewards = np.random.default_rng(0).random((2, 2))
    assert exp3_bound.expected_reward(rewards, 0.4) == pytest.approx(by_hand(rewards, 0.4), rel=1e-12)


@pytest.mark.parametrize(("arms", "horizon", "reward"), [(2, 9, 1.0), (3, 6, 0.7), (6, 4, 0.4)])
def test_one_earning_arm_counted_and_enumerated(arms, horizon, reward):
    rewards = np.zeros((horizon, arms))
    rewards[:, 1] = reward
    gamma = exploration_rate(arms, 5.0)
    expected = exp3_bound.expected_reward(rewards, gamma)
    assert exp3_bound.one_earner(arms, horizon, reward, gamma) == pytest.approx(expected, rel=1e-12)


def test_printed_algorithm_starts_even_and_moves_to_the_arm_that_earns():
    gamma, shown = exp3_algorithm.printed(50, [1, 1, 0], [1.0, 1.0, 0.5], 1)
    assert float(gamma) == pytest.approx(math.sqrt(4 * math.log(2) / ((math.e - 1) * 50)))
    assert [float(p) for p in shown] == sorted([float(p) for p in shown], reverse=True)
    assert shown[0] == 0.5


# Cells.


def test_occupancy_is_that_of_counting_maps():
    for parts, points in ((2, 3), (3, 4), (4, 4)):
        onto = sum(len(set(image)) == parts for image in itertools.product(range(parts), repeat=points))
        assert cell_occupancy.occupied(parts, points) * parts**points == onto


def test_law_of_the_number_of_random_points():
    """Against runs of `core.exp3` where arm 2 earns one and arm 1 nothing."""
    horizon, pairs, runs = 40, 6, 4000
    law = cell_occupancy.arm_counts(horizon, pairs)
    assert law.sum() == pytest.approx(1.0)
    gamma = exploration_rate(2, horizon / 2)
    rng, counts = np.random.default_rng(1), np.zeros(runs, int)
    gain = np.zeros(runs)
    for _ in range(pairs):
        p = (1 - gamma) / (1 + np.exp(-gain)) + gamma / 2
        second = rng.random(runs) < p
        gain += np.where(second, gamma / (2 * p), 0.0)
        counts += ~second
    assert np.abs(np.bincount(counts, minlength=pairs + 1) / runs - law).max() < 4 * math.sqrt(0.25 / runs)


# Losses.


def test_mixed_difference_is_the_entry_of_the_inverse():
    stored = {
        "kernel": "squared_exponential", "distance": 0.5, "lengthscale": 1.0, "noise": 0.2,
        "first": [0.3, -1.0], "second": [1.0, 2.0],
    }  # fmt: skip
    r = math.exp(-0.125)
    inverse = np.linalg.inv(np.array([[1.2, r], [r, 1.2]]))
    assert additive.mixed_difference(stored) == pytest.approx(abs(inverse[0, 1]), rel=1e-7)


def test_loss_bound_is_attained_by_independent_equal_values():
    case = {
        "kernel": "matern52", "x": [[0.0], [1.0]], "y": [1.0, 1.0], "change": [0.5, 0.5], "lengthscales": [1e-2],
        "variance": 1e-9, "noise": 0.3, "factor": 1.0,
    }  # fmt: skip
    left, right = additive.loss_sides(case)
    assert left == pytest.approx(right, rel=1e-6)
    theta = np.log([1e-2, 1e-9, 0.3])
    values = [log_likelihood("matern52", np.array([[0.0], [1.0]]), np.full(2, v), theta)[0] for v in (1.5, 1.0)]
    assert left == pytest.approx(abs(values[0] - values[1]) / 2)
