"""One round of Lemmas 7 and 9."""

import math

import numpy as np
import pytest

from theory_checks.ctx import optimum_sum
from theory_checks.ctx.independence import worst_expectation


def test_opposite_values_at_two_points():
    left, right = optimum_sum.sides({**optimum_sum.TWO_POINTS, "paths": 2**12, "factor": 1.0})
    assert left == pytest.approx(math.sqrt(2 / math.pi), rel=0.01)
    assert right == 1.0


def test_worst_expectations_agree():
    rng = np.random.default_rng(3)
    values, p = rng.normal(size=(5, 7)), rng.dirichlet(np.ones(7))
    for radius in (0.0, 0.4, 1.7, 2.5):
        expected = [worst_expectation(row, p, radius) for row in values]
        assert optimum_sum.worst(values, p, radius) == pytest.approx(expected)


def test_a_larger_bound_at_later_rounds():
    assert optimum_sum.clipped_beta(1, 2) == 0.0
    assert optimum_sum.clipped_beta(2, 3) == pytest.approx(2 * math.log(12 / math.sqrt(2 * math.pi)))
