"""Information gain of small sets, by hand."""

import math

import numpy as np
import pytest

from theory_checks.cei.testbeds import information


def test_maximum_information_of_independent_points_by_hand():
    gain = information.maximum_information(np.eye(3), 1.0, 3)
    assert gain == pytest.approx(1.5 * math.log(2))
    two = information.maximum_information(np.eye(2), 0.25, 3)
    assert two == pytest.approx(0.5 * math.log(1 + 2 / 0.25) + 0.5 * math.log(1 + 1 / 0.25))
    covariance = np.array([[1.0, 0.6], [0.6, 1.0]])
    direct = max(information.information(covariance, path, np.ones(2)) for path in ([0, 0], [0, 1], [1, 1]))
    assert information.maximum_information(covariance, 1.0, 2) == pytest.approx(direct)
