"""One round of Lemmas 7 and 9."""

import math

import numpy as np
import pytest

from theory_checks.ctx import optimum_sum
from theory_checks.ctx.independence import worst_expectation


def test_opposite_values_at_two_points():
    left, right = optimum_sum.sides({**optimum_sum.TWO_POINTS, "paths": 2**12, "factor": 1.0, "clipped": True})
    assert left == pytest.approx(math.sqrt(2 / math.pi), rel=0.01)
    assert right == 1.0


def test_worst_expectations_agree():
    rng = np.random.default_rng(3)
    values, p = rng.normal(size=(5, 7)), rng.dirichlet(np.ones(7))
    for radius in (0.0, 0.4, 1.7, 2.5):
        expected = [worst_expectation(row, p, radius) for row in values]
        assert optimum_sum.worst(values, p, radius) == pytest.approx(expected)


def test_beta_as_printed_is_negative_on_two_points_and_not_on_three():
    assert optimum_sum.beta(1, 2) == pytest.approx(math.log(4 / (2 * math.pi)))
    assert optimum_sum.beta(2, 3) == pytest.approx(2 * math.log(12 / math.sqrt(2 * math.pi)))
    case = {**optimum_sum.TWO_POINTS, "paths": 2**7, "factor": 1.0, "clipped": False}
    assert math.isnan(optimum_sum.sides(case)[0])
    assert optimum_sum.replay(case)[2]
    three = {**case, "points": 3, "means": [0.3] * 12, "loadings": [0.5, -1.0, 0.2] * 12, "deviations": [1.0] * 3}
    assert optimum_sum.sides(three) == optimum_sum.sides({**three, "clipped": True})
