"""The repaired bias of the estimated expectation."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from theory_checks.ctx import smooth_bias


def test_l1_bound_by_quadrature():
    _, bound = smooth_bias.l1_sides(np.random.default_rng(0), 50, 1)
    h, grid = (4 / 3 / 50) ** 0.2, np.linspace(-12, 12, 24001)
    curvature = np.trapezoid(np.abs(grid**2 - 1) * norm.pdf(grid), grid)
    root = np.trapezoid(np.sqrt(norm.pdf(grid, scale=math.sqrt(1 + h * h / 2))), grid)
    expected = h * h / 2 * curvature + math.sqrt(1 / (2 * math.sqrt(math.pi) * h * 50)) * root
    assert bound == pytest.approx(expected, rel=1e-6)


def test_root_of_a_smoothed_normal_density():
    h = 0.4
    assert smooth_bias.root_integral(norm.pdf, h) == pytest.approx((8 * math.pi * (1 + h * h / 2)) ** 0.25, rel=1e-6)


def test_uncovered_mass_is_a_lower_bound():
    count, rng = 4000, np.random.default_rng(1)
    law, reach = smooth_bias.student(smooth_bias.HEAVY), 6 * count**-0.2
    contexts = np.sort(rng.standard_t(smooth_bias.HEAVY, count))
    edges = np.stack([contexts - reach, contexts + reach])
    starts = np.maximum(edges[0], np.concatenate([[-np.inf], edges[1, :-1]]))
    covered = float((law.cdf(edges[1]) - law.cdf(starts)).sum())
    assert 0.5 * smooth_bias.uncovered(count) < 1 - covered
    assert 1 - covered < 2 * smooth_bias.uncovered(count)
