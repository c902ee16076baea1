"""The exact oracles against numpy and scipy where both are accurate, against hand calculation elsewhere."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from core.models.kernels import SMOOTHING
from theory_checks import exact


def test_distances_are_exact():
    assert exact.distances([0.1], [[0.3]]) == [(Fraction(0.3) - Fraction(0.1)) ** 2]
    assert exact.distances([1.0, -2.0], [[4.0, 2.0]], "l1") == [Fraction(7)]
    with pytest.raises(KeyError, match="l1 or l2"):
        exact.distances([0.0], [[1.0]], "l3")


def test_ties_are_seen_where_rounding_would_break_them():
    x, offset = [0.0, 0.0, 0.0], [0.1, 0.1, 0.3]
    data = [offset, offset[::-1]]
    rounded = [(a * a + b * b) + c * c for a, b, c in data]
    assert rounded[0] != rounded[1]
    assert exact.nearest(x, data) == [0, 1]
    assert exact.nearest(x, [[1e-300, 0, 0], [0, 0, 0]]) == [1]


@pytest.mark.parametrize("kernel", ["gaussian", "exponential", "laplacian"])
def test_regression_and_density_match_numpy(kernel):
    random = np.random.default_rng(0)
    data, y, x, h = random.normal(size=(7, 3)), random.normal(size=7), random.normal(size=3), 0.7
    metric, power, scale = {
        "gaussian": ("euclidean", 2, 2 * h * h),
        "exponential": ("euclidean", 1, h),
        "laplacian": ("cityblock", 1, h),
    }[kernel]
    weights = np.exp(-(cdist(x[None], data, metric)[0] ** power) / scale)
    (row,) = exact.exponents(kernel, x, data, [h])
    assert float(exact.kernel_regression(row, [exact.decimal(v) for v in y])) == pytest.approx(
        weights @ y / weights.sum(), rel=1e-13
    )
    assert float(exact.density(kernel, x, data, [h])[0]) == pytest.approx(weights.sum(), rel=1e-13)


@pytest.mark.parametrize("kernel", SMOOTHING)
def test_density_at_a_data_point_counts_it_once(kernel):
    values = exact.density(kernel, [0.5], [[0.5], [0.5], [3.0]], [1e-6])
    assert values == [Decimal(2)]


def test_compact_kernels():
    assert exact.density("epanechnikov", [0.0], [[0.5], [1.0]], [1.0]) == [Decimal("0.75")]
    assert exact.density("uniform", [0.0], [[0.5], [1.0], [1.5]], [1.0]) == [Decimal(2)]
    with pytest.raises(KeyError, match="no exact oracle"):
        exact.exponents("epanechnikov", [0.0], [[1.0]], [1.0])


def test_tiny_bandwidths_do_not_underflow_to_nothing():
    (row,) = exact.exponents("gaussian", [0.0], [[0.5], [0.5], [0.75]], [1e-12])
    assert exact.kernel_regression(row, [Decimal(1), Decimal(2), Decimal(9)]) == Decimal("1.5")


def test_solve_is_exact_and_refuses_singular_matrices():
    matrix = [[Fraction(0), Fraction(2)], [Fraction(1), Fraction(1, 3)]]
    assert exact.solve(matrix, [[Fraction(4), Fraction(1)]]) == [[Fraction(1, 3), Fraction(2)]]
    with pytest.raises(ZeroDivisionError):
        exact.solve([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]], [[Fraction(1), Fraction(1)]])


def test_posterior_matches_numpy():
    random = np.random.default_rng(1)
    root = random.normal(size=(5, 5))
    covariance, y, noise = root @ root.T, random.normal(size=4), random.uniform(0.1, 1.0, 4)
    inverse = np.linalg.inv(covariance[1:, 1:] + np.diag(noise))
    fractions = [[Fraction(v) for v in row] for row in covariance]
    mean, variance = exact.posterior(
        fractions[0][0],
        fractions[0][1:],
        [row[1:] for row in fractions[1:]],
        [Fraction(v) for v in noise],
        [Fraction(v) for v in y],
    )
    cross = covariance[0, 1:]
    assert float(mean) == pytest.approx(cross @ inverse @ y, rel=1e-9)
    assert float(variance) == pytest.approx(covariance[0, 0] - cross @ inverse @ cross, rel=1e-9)
