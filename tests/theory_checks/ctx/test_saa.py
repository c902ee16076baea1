"""Sample averages of the acquisition."""

import math

import numpy as np
import pytest

from theory_checks.ctx import (
    saa,
)


def test_one_far_context_turns_the_sample_average():
    rng = np.random.default_rng(5)
    draws = rng.choice(saa.CONTEXTS, 400_000) + saa.BANDWIDTH * rng.standard_normal(400_000)
    assert (draws**4).mean() == pytest.approx(saa.moment(), rel=0.01)
    count = 1000
    far = (count * saa.moment() / saa.SHARE) ** 0.25
    contexts = np.append(draws[: count - 1], far * 1.001)
    assert saa.upper_confidence(1.0, contexts).mean() > saa.upper_confidence(0.0, contexts).mean()
    assert saa.upper_confidence(1.0, draws).mean() < saa.upper_confidence(0.0, draws).mean()
    once = draws[: 400_000 // 2 * 2].reshape(-1, 2)
    frequency = (saa.upper_confidence(1.0, once).mean(1) > saa.upper_confidence(0.0, once).mean(1)).mean()
    assert frequency >= math.exp(saa.log_probability_at_least(2))


def test_acquisition_of_the_counterexample_is_that_of_the_rank_one_process():
    c, x = np.array([-0.3, 0.5, 1.2]), 0.7
    known, there = saa.feature(0.0, np.array(0.5)), saa.feature(x, c)
    gram = known**2 + 0.01
    mean, variance = there * known / gram, there**2 - (there * known) ** 2 / gram
    assert np.allclose(saa.upper_confidence(x, c), mean + 1.5 * np.sqrt(variance))


def test_rates_of_samples_in_a_compact_set_by_sampling():
    rng = np.random.default_rng(8)
    draws = np.clip(rng.choice(saa.CONTEXTS, 400_000) + saa.BANDWIDTH * rng.standard_normal(400_000), 0, 1)
    difference = 1 - saa.SHARE / saa.moment() * draws**4
    rates = saa.within()
    reach = saa.SHARE / saa.moment()
    assert rates["at_least"] == pytest.approx(2 * (difference.mean() / reach) ** 2, rel=0.05)
    assert rates["at_most"] == pytest.approx(-math.log((difference < 0).mean()), rel=0.02)
    for count in (2, 8):
        wrong = (difference.reshape(-1, count).mean(1) < 0).mean()
        assert math.exp(-count * rates["at_most"]) < wrong < math.exp(-count * rates["at_least"])


def test_finite_bound_counts_every_far_decision():
    ucb = np.zeros((saa.GRID, 4))
    ucb[20] = [1, 2, 3, 2]
    far = saa.GRID - 9  # 20 +- 4 lie within 0.1
    exponent = 2 * 3 * 2.0**2 / 2.0**2
    assert saa.explicit_bound(ucb, 3, 1.0) == pytest.approx(far * math.exp(-exponent))
