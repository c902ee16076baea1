"""The losses D (8) of two observations, by hand."""

import math

import numpy as np
import pytest

from experiments.uhe.likelihood import log_likelihood
from theory_checks.uhe import (
    additive,
)


def test_mixed_difference_is_the_entry_of_the_inverse():
    stored = {
        "kernel": "squared_exponential", "distance": 0.5, "lengthscale": 1.0, "noise": 0.2,
        "first": [0.3, -1.0], "second": [1.0, 2.0],
    }  # fmt: skip
    r = math.exp(-0.125)
    inverse = np.linalg.inv(np.array([[1.2, r], [r, 1.2]]))
    assert additive.mixed_difference(stored) == pytest.approx(abs(inverse[0, 1]), rel=1e-7)


def test_loss_bound_is_attained_by_independent_equal_values():
    case = {
        "kernel": "matern52", "x": [[0.0], [1.0]], "y": [1.0, 1.0], "change": [0.5, 0.5], "lengthscales": [1e-2],
        "variance": 1e-9, "noise": 0.3, "factor": 1.0,
    }  # fmt: skip
    left, right = additive.loss_sides(case)
    assert left == pytest.approx(right, rel=1e-6)
    theta = np.log([1e-2, 1e-9, 0.3])
    values = [log_likelihood("matern52", np.array([[0.0], [1.0]]), np.full(2, v), theta)[0] for v in (1.5, 1.0)]
    assert left == pytest.approx(abs(values[0] - values[1]) / 2)
