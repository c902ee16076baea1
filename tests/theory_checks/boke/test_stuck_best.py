"""The probability that x* is stuck, by importance sampling against plain sampling."""

import math

import numpy as np
import pytest

from theory_checks.boke.stuck_best import SAMPLES, Stuck, allowed, slices, total, unlucky_other
from theory_checks.boke.testbeds.bandit import play, theorem8_bonus


def test_importance_sampling_agrees_with_plain_sampling_where_the_event_is_common(monkeypatch):
    one = Stuck(0.05)
    monkeypatch.setattr(Stuck, "window", (0, 3, 200))  # log t_2 small: P(A) is of order one tenth
    rng = np.random.default_rng(1)
    values, largest = one.samples(20_000, rng)
    steps = np.sqrt(np.diff(one.counts, prepend=0.0))
    walks = np.cumsum(rng.standard_normal((20_000, len(one.counts))) * steps, axis=1)
    edge = 2 * math.sqrt(math.log(3)) + one.gap * np.sqrt(one.counts)
    plain = (walks <= -edge * np.sqrt(one.counts)).any(axis=1).mean()
    assert values.max() <= largest
    assert values.mean() / 9 == pytest.approx(plain, abs=4 * math.sqrt(plain / 20_000))


def test_the_window_satisfies_the_condition_of_b6():
    for gap in (3e-3, 1e-6):
        first, last, visits = Stuck(gap).window
        assert first - visits >= 64 * math.log(last) / gap**2
        assert visits < (last - first) / 50


def test_the_union_over_the_other_arm_is_an_upper_bound():
    noise = np.random.default_rng(2).standard_normal((4000, 300)).cumsum(axis=1)
    m = np.arange(1, 301)
    failing = np.any(noise < -2 * np.sqrt(m * np.log(m + 1)), axis=1).mean()
    assert failing < unlucky_other() < 0.11


def test_the_peeling_bound_holds_in_simulated_bandits():
    gap, horizon, runs = 20.0, 12, 20_000
    noise = np.random.default_rng(3).standard_normal((runs, horizon))
    plays = play(np.array([0.0, gap]), lambda t: np.eye(2), noise, theorem8_bonus(1.0, 1.0))
    for t in range(3, horizon):
        many = plays.visits(2, t)[:, 0] >= 64 * math.log(t) / gap**2
        wrong = plays.arm[:, t] == 0
        assert (many & wrong).mean() <= 4 / t**2 * allowed(t, "peeling")


def test_the_sum_of_the_repaired_bound_gives_lemma_7_its_printed_constant():
    below = sum(min(1.0, 4 / t**2 * allowed(t, "peeling")) for t in range(2, 20_000))
    assert 1 + below < total() < 1 + below + 0.02 < 2 * math.pi**2 / 3


def test_the_number_of_slices_is_of_order_log_to_the_three_halves():
    assert slices(1e12) / slices(1e6) == pytest.approx(2**1.5, rel=0.15)
    assert SAMPLES["smoke"] >= 1000
