"""Sums of posterior variances, by hand."""

import math

import numpy as np
import pytest

from theory_checks.cei import (
    variance_sum,
)
from theory_checks.cei.testbeds import information


def test_variance_sum_of_repeated_samples_by_hand():
    left = variance_sum.variance_sum(np.eye(2), [0, 0, 0], [1.0] * 3, 0)
    assert left == pytest.approx(1 + 1 / 2 + 1 / 3)
    assert variance_sum.variance_sum(np.eye(2), [0, 0, 0], [1.0] * 3, 1) == pytest.approx(3.0)
    # Three samples of one of two independent points: 3 > 2 gamma_3 / log 2 = log(3 * 2) / log 2.
    gamma = 0.5 * math.log(1 + 2) + 0.5 * math.log(1 + 1)
    assert information.maximum_information(np.eye(2), 1.0, 3) == pytest.approx(gamma)
    assert 2 * gamma / math.log(2) < 3


def test_gradient_search_excess_is_the_one_that_is_replayed():
    value, design = variance_sum._ascend("smoke", 4.0)
    points, noise = np.asarray(design["points"]), np.asarray(design["noise"])
    assert variance_sum.path_excess("squared_exponential", points, noise, 4.0) == pytest.approx(value, rel=1e-6)
