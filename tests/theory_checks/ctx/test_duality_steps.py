"""Steps of appendix A.3 against grids and linear programmes."""

from fractions import Fraction

import numpy as np
import pytest

from theory_checks.ctx import duality_steps
from theory_checks.ctx.testbeds.worst_expectation import exact, programme


@pytest.mark.parametrize("slope", [Fraction(-3), Fraction(-1), Fraction(1, 3), Fraction(1)])
def test_conjugate_is_the_largest_value_on_a_fine_grid(slope):
    x = np.linspace(0, 200, 400_001)
    assert float(duality_steps.conjugate(slope)) == pytest.approx(np.max(float(slope) * x - np.abs(x - 1)), abs=1e-9)


def test_the_gap_is_that_of_linear_programmes():
    case = duality_steps.SIMPLEST
    u, p, radius = exact(case)
    left, right = duality_steps.gap(case, True, Fraction(1))
    assert float(left) == pytest.approx(programme(u, p, radius, anywhere=False))
    assert float(right) == pytest.approx(programme(u, p, radius, anywhere=True))


def test_worst_expectations_of_two_functions_by_linear_programmes():
    case = {"values": [3, -2, 0, 5, 1, 1], "nearby": [0, 1, 4, -3, 2, 2], "weights": [1, 2, 0, 3, 1, 1]}
    case["radius"] = [9, 12]
    u, p, radius = exact(case)
    values = [programme(np.array(one, float), p, radius, anywhere=False) for one in (u, case["nearby"])]
    left, mean, most = duality_steps.lipschitz(case)
    assert float(left) == pytest.approx(values[0] - values[1])
    # q has weights 1, 1, 0, 6, 0, 0 eighths at the differences 3, -3, -4, 8, -1, -1
    assert left <= mean == 6
    assert most == Fraction(27, 4)
