"""Bias of the estimated expectation."""

import math

import numpy as np

from theory_checks.ctx import bias


def test_paths_in_pairs_cancel_and_an_offset_does_not():
    assert max(bias.fixed_x_difference("smoke", 0.0)) < 1e-12
    assert bias.fixed_x_difference("smoke", 1.0)[0] > 0.05


def test_gap_at_the_optimum_by_simulation():
    count = 200
    h, rng = bias.bandwidth(count, 1), np.random.default_rng(0)
    c = (np.arange(400) + 0.5) / 400
    found = []
    for _ in range(300):
        estimate = np.exp(-0.5 * ((c[:, None] - rng.random(count)) / h) ** 2).sum(1)
        found.append(math.sqrt(math.pi / 2) * (5 / 9 - float(estimate @ bias.profile(c) / estimate.sum())))
    low, high = bias.optimum_gap(count)
    error = 4 * np.std(found) / math.sqrt(len(found))
    assert low - error < np.mean(found) < high + error
