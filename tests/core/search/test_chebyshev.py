"""Interpolation at Chebyshev points: polynomials exactly, Matern functions at their rate, nodes themselves."""

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.polynomial.chebyshev import Chebyshev

from core.search.chebyshev import chebyshev_points, interpolation_matrix

TARGETS = np.concatenate([np.linspace(0, 1, 501), np.random.default_rng(1).random(200)])


@pytest.mark.parametrize("count", [2, 3, 14, 48])
def test_polynomials_of_degree_below_the_count_are_reproduced(count: int) -> None:
    matrix = np.asarray(interpolation_matrix(count, jnp.asarray(TARGETS)))
    points = np.asarray(chebyshev_points(count))
    np.testing.assert_allclose(matrix.sum(axis=1), 1.0, atol=1e-13)
    for degree in (0, 1, count - 1):
        polynomial = Chebyshev.basis(degree, domain=[0.0, 1.0])
        np.testing.assert_allclose(matrix @ polynomial(points), polynomial(TARGETS), atol=1e-12)
    beyond = Chebyshev.basis(count, domain=[0.0, 1.0])
    assert np.max(np.abs(matrix @ beyond(points) - beyond(TARGETS))) > 0.1


def test_targets_at_the_points_take_their_values() -> None:
    points = chebyshev_points(11)
    np.testing.assert_array_equal(interpolation_matrix(11, points), np.eye(11))


def test_the_error_on_a_matern_function_falls_with_its_smoothness() -> None:
    """exp(-r) (1 + r + r^2 / 3) has a kink in its fifth derivative: errors fall about as k^-5."""

    def function(c: np.ndarray) -> np.ndarray:
        r = np.sqrt(5.0) * np.abs(c - 0.37) / 0.3
        return (1.0 + r + r**2 / 3.0) * np.exp(-r)

    errors = [
        np.max(
            np.abs(
                interpolation_matrix(k, jnp.asarray(TARGETS)) @ function(np.asarray(chebyshev_points(k)))
                - function(TARGETS)
            )
        )
        for k in (12, 24, 48, 96)
    ]
    slope = np.polyfit(np.log([12, 24, 48, 96]), np.log(errors), 1)[0]
    assert -7.0 < slope < -4.0
    assert errors[2] < 1e-5
