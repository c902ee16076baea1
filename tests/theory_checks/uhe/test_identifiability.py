"""Divergence and information against sums over many points."""

import math

import numpy as np
import pytest

from theory_checks.uhe import (
    identifiability,
)


def test_divergence_of_paths_bounds_that_of_points_and_is_approached():
    whole = identifiability.divergence(1.25)
    sampled = [identifiability.finite_divergence(1.25, n, 1e-10) for n in (10, 40)]
    assert sampled[0] < sampled[1] < whole
    assert whole - sampled[1] < 0.03
    assert identifiability.divergence(1.0) == pytest.approx(0.0, abs=1e-9)


def test_stationary_covariance_solves_the_stochastic_equation():
    """F P + P F' + q e e' = 0 for the companion matrix of f''' + 3 b f'' + 3 b^2 f' + b^3 f."""
    covariance, drift, q = identifiability.stationary(0.3, 1.7)
    companion = np.array([[0, 1, 0], [0, 0, 1], -drift])
    noise = np.zeros((3, 3))
    noise[2, 2] = q
    residual = companion @ covariance + covariance @ companion.T + noise
    assert np.abs(residual).max() < 1e-8 * q


def test_white_noise_information_is_that_of_many_points():
    """Against 1/2 tr (C^-1 dC)^2 of 400 equidistant noisy values."""
    count, step = 400, 1e-5
    x = (np.arange(count)[:, None] + 0.5) / count

    def covariance(log_lengthscale):
        squared = (x - x.T) ** 2 / math.exp(2 * log_lengthscale)
        return np.exp(-0.5 * squared) + identifiability.NOISE_VARIANCE * np.eye(count)

    centre = math.log(0.2)
    moved = (covariance(centre + step) - covariance(centre - step)) / (2 * step)
    solved = np.linalg.solve(covariance(centre), moved)
    expected = 0.5 * np.trace(solved @ solved)
    assert identifiability.information("squared_exponential", count, 0.2) == pytest.approx(expected, rel=0.02)
