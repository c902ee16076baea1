"""Largest slopes of the paths of Lemmas 3 and 4."""

import math

import numpy as np
import pytest
from scipy import integrate
from scipy.special import erfc

from theory_checks.ctx import (
    lipschitz,
)


@pytest.mark.parametrize(("count", "expected"), [(1, math.sqrt(2 / math.pi)), (2, 2 / math.sqrt(math.pi))])
def test_largest_half_normal(count, expected):
    assert lipschitz.largest_half_normal(count) == pytest.approx(expected, rel=1e-7)


def test_the_path_of_lemma_3_satisfies_assumption_1_and_exceeds_its_bound():
    y = np.linspace(0, 8, 40001)
    assert np.all(1 - (1 - erfc(y)) ** 2 <= np.exp(-(y**2)) + 1e-15)
    assert lipschitz.smallest_a(2) == pytest.approx(1.0, abs=1e-9)
    slopes = np.abs(np.random.default_rng(4).standard_normal((200_000, 4))).max(axis=1)
    assert slopes.mean() == pytest.approx(lipschitz.largest_half_normal(4), abs=0.005)
    assert slopes.mean() > lipschitz.slope_bound("printed", 2, 1.0, math.sqrt(2))


def test_slopes_of_the_path_of_lemma_3_are_the_largest_weights():
    """f(z) = sum_ij w_ij g_j(z_i) with derivative bumps sin^2 of height one on [0, 1/2] and [1/2, 1]."""
    grid = np.linspace(0, 1, 801)
    bumps = np.sin(2 * np.pi * grid) ** 2 * np.stack([grid <= 0.5, grid > 0.5])
    weights = np.random.default_rng(8).standard_normal((50, 2, 2))
    largest = np.abs(weights @ bumps).max(axis=(1, 2))
    assert np.allclose(largest, np.abs(weights).max(axis=(1, 2)))


def test_union_bound_matches_quadrature():
    for dim, a in ((1, 0.3), (3, 0.9), (10, 5.0)):
        expected = integrate.quad(lambda x, d=dim, a=a: min(1.0, d * a * math.exp(-((x / 1.7) ** 2))), 0, 20, limit=200)
        assert lipschitz.slope_bound("union", dim, a, 1.7) == pytest.approx(expected[0], rel=1e-6)


def test_lemma_4_left_side_without_contexts_moving_is_a_half_normal():
    case = {"contexts": 1, "shares": [1.0, 0.0, 0.0], "log10_r": 0.0, "factor": 1.0, "points": 2**12}
    assert lipschitz.value_sides(case)[0] == pytest.approx(math.sqrt(2 / math.pi), rel=2e-3)
