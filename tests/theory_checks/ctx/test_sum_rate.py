"""Power sums."""

import math

import pytest

from theory_checks.ctx import (
    sum_rate,
)


def test_power_sums_continue_the_direct_ones():
    for numerator, dim in ((2, 1), (4, 1), (2, 40)):
        s = numerator / (4 + dim)
        for last in (1, 60, 61, 500):
            expected = math.fsum(t**-s for t in range(1, last + 1))
            assert float(sum_rate.power_sum(numerator, dim, last)) == pytest.approx(expected, rel=1e-14)
