"""Bias of the estimated expectation."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from theory_checks.ctx import (
    bias,
)


def test_paths_in_pairs_cancel_and_an_offset_does_not():
    assert max(bias.fixed_x_difference("smoke", 0.0)) < 1e-12
    assert bias.fixed_x_difference("smoke", 1.0)[0] > 0.05


def test_l1_bound_by_quadrature():
    _, bound = bias.l1_sides(np.random.default_rng(0), 50, 1)
    h, grid = (4 / 3 / 50) ** 0.2, np.linspace(-12, 12, 24001)
    curvature = np.trapezoid(np.abs(grid**2 - 1) * norm.pdf(grid), grid)
    root = np.trapezoid(np.sqrt(norm.pdf(grid, scale=math.sqrt(1 + h * h / 2))), grid)
    expected = h * h / 2 * curvature + math.sqrt(1 / (2 * math.sqrt(math.pi) * h * 50)) * root
    assert bound == pytest.approx(expected, rel=1e-6)
