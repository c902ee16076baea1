"""Occupancy and numbers of random points against a second count."""

import itertools
import math

import numpy as np
import pytest

from core.exp3 import exploration_rate
from theory_checks.uhe import (
    cell_occupancy,
)


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
