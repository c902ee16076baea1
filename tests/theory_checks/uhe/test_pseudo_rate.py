"""The estimate on pseudo-data and its limit law."""

import math

import numpy as np
import pytest

from theory_checks.uhe import (
    pseudo_rate,
)


def test_estimate_of_the_additive_loss_minimises_it():
    """theta^ of one run is where the slope of the summed loss vanishes, at the nearest data by brute force."""
    dim, t = 2, 64
    found = pseudo_rate.estimates(dim, t, 1)[0, 0] + pseudo_rate.TRUTH
    rng = np.random.default_rng((pseudo_rate.SEED, dim, t))
    data, pseudo = rng.random(((t - 1) // 2, dim)), rng.random((2 * t, dim))
    nearest = data[((pseudo[:, None] - data) ** 2).sum(2).argmin(1)]
    y, x = 1.7 * np.sqrt(1 + nearest[:, 0]), pseudo[:, 0]

    def loss(theta):
        return np.sum(y**2 * (theta**2 * (4 - 6 * x) / 2 - theta * (12 * x - 6)))

    assert (loss(found + 1e-3) - loss(found - 1e-3)) / 2e-3 == pytest.approx(0.0, abs=1e-6 * len(x))


def test_limit_deviation_is_that_of_many_true_values():
    rng = np.random.default_rng(2)
    x = rng.random((4000, 512))
    square = 1 + x
    theta = (square * (12 * x - 6)).sum(1) / (square * (4 - 6 * x)).sum(1)
    assert np.std(theta) * math.sqrt(256) == pytest.approx(pseudo_rate.limit_deviation(), rel=0.08)
