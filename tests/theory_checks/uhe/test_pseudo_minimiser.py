"""The additive loss whose minimiser diverges: the exact minimiser against a grid, the example against its claims."""

import math

import numpy as np
import pytest

from theory_checks.uhe import pseudo_minimiser


def loss(theta, s):
    """B + s A, as printed in the module."""
    return theta**2 / (1 + theta**2) ** 2 - s * theta**2 / (1 + theta**2) ** 1.5


@pytest.mark.parametrize("s", [0.9, 0.3, 0.05, 0.004])
@pytest.mark.parametrize("radius", [2.0, 30.0, math.inf])
def test_minimiser_is_that_of_a_grid(s, radius):
    grid = np.concatenate([[0.0], np.geomspace(1e-3, min(radius, 1e5), 400_001)])
    values = loss(grid, s)
    found = pseudo_minimiser.escaping(s, radius)
    assert found <= radius * (1 + 1e-12)
    assert loss(found, s) <= values.min() + 1e-15
    assert found == pytest.approx(grid[values.argmin()], rel=1e-3)


def test_the_better_the_approximation_the_farther_away():
    assert pseudo_minimiser.escaping(0.0, math.inf) == 0.0
    assert pseudo_minimiser.escaping(1e-6, math.inf) == pytest.approx(2e6, rel=1e-3)
    assert pseudo_minimiser.escaping(1e-6, 10.0) == 0.0


def test_loss_and_its_derivatives_are_bounded_in_theta():
    """Bounded derivatives make l and its derivatives Lipschitz in f, with constants that hold for every theta."""
    theta = np.linspace(-50, 50, 200_001)
    for values in (theta**2 / (1 + theta**2) ** 2, theta**2 / (1 + theta**2) ** 1.5):
        first = np.gradient(values, theta)
        assert max(np.abs(values).max(), np.abs(first).max(), np.abs(np.gradient(first, theta)).max()) < 3


def test_true_values_make_no_term_positive():
    """u is zero at every value of f: it counts only left of 1/2, where every path is zero."""
    x = np.random.default_rng(3).random(1000)
    assert not np.any(np.minimum(np.maximum(x - 0.5, 0) ** 2, 1.0) * (x < 0.5))
    assert 0 < pseudo_minimiser.crossing(2, 512, 0) < 0.01
