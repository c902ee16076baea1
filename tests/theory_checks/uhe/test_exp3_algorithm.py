"""Algorithm 1 as printed."""

import math

import pytest

from theory_checks.uhe import (
    exp3_algorithm,
)


def test_printed_algorithm_starts_even_and_moves_to_the_arm_that_earns():
    gamma, shown = exp3_algorithm.printed(50, [1, 1, 0], [1.0, 1.0, 0.5], 1)
    assert float(gamma) == pytest.approx(math.sqrt(4 * math.log(2) / ((math.e - 1) * 50)))
    assert [float(p) for p in shown] == sorted([float(p) for p in shown], reverse=True)
    assert shown[0] == 0.5
