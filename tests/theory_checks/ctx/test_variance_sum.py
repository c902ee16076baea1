"""Variances along a path against solving from scratch."""

import math

import numpy as np
import pytest

from theory_checks.ctx import (
    variance_sum,
)


def sequential(gram, noise):
    """Posterior variance at each point given those before it, by solving from scratch."""
    found = []
    for t in range(len(gram)):
        cross, before = gram[t, :t], gram[:t, :t] + noise * np.eye(t)
        found.append(gram[t, t] - cross @ np.linalg.solve(before, cross))
    return np.array(found)


def test_variances_along_a_path():
    points, beta = [[0, 1], [2, 1], [0, 1], [-1, 0]], [1.0, 0.5, 0.0, 2.0]
    case = {
        "kernel": "matern12",
        "points": points,
        "log10_noise": -0.5,
        "beta": beta,
        "form": "repaired",
        "factor": 1.0,
    }
    gram, noise = variance_sum.covariance("matern12", np.array(points, float)), 10**-0.5
    left, right = variance_sum.path_sides(case)
    assert left == pytest.approx(np.cumsum(beta) @ sequential(gram, noise))
    gain = 0.5 * np.linalg.slogdet(np.eye(4) + gram / noise)[1]
    assert right == pytest.approx(3.5 * 2 / math.log(1 + 1 / noise) * gain)


def test_wave_variances_are_those_of_the_cosine_kernel():
    path, noise = [0.0, 0.3, 0.3, 0.9], 0.2
    places = np.array([*path, 0.6])
    gram = np.cos(math.pi / 2 * (places[:, None] - places))
    for t, variance in enumerate(variance_sum.wave_variances(path, 0.6, noise)):
        kept = [*range(t), 4]
        assert variance == pytest.approx(sequential(gram[np.ix_(kept, kept)], noise)[-1])
