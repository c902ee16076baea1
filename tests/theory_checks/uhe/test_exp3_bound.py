"""Expected rewards of EXP3 against sums over all histories."""

import itertools

import numpy as np
import pytest

from core.exp3 import Exp3, exploration_rate
from theory_checks.uhe import (
    exp3_bound,
)


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
