"""The constants of Theorems 8 and 9 against brute force."""

import itertools
import math
from decimal import Decimal
from fractions import Fraction

import pytest

from theory_checks.boke import exploration_forever, proof_constants, ucb1_bound


def test_largest_regret_is_that_of_all_ways_to_spend_the_rounds():
    case = {"gaps": [0, 8, 32], "horizon": 12, "visits": 24}
    caps = [math.floor(Fraction(24, 16) / Fraction(gap, 16) ** 2 + 1 + 2 * math.pi**2 / 3) for gap in (8, 32)]
    spent = itertools.product(*(range(cap + 1) for cap in caps))
    whole = max(a * 0.5 + b * 2.0 for a, b in spent if a + b <= 12)
    assert whole <= proof_constants.largest_regret(case) <= whole + 2 + 0.5


def test_excess_is_negative_where_the_regret_is_below_the_constant_term():
    assert proof_constants.excess({"gaps": [16], "horizon": 3, "visits": 16}) == -1.0


@pytest.mark.parametrize(("horizon", "delta"), [(7, 0.3), (1000, 0.01)])
def test_differences_in_floats(horizon, delta):
    beta = 2 * math.log(2 * math.pi**2 * horizon**2 / (3 * delta))
    right = 15 * math.log(horizon) + 8 * math.log(2 * math.pi**2 / (3 * delta))
    off, share = proof_constants.differences(horizon, Decimal(str(delta)), Decimal(15))
    assert float(off) == pytest.approx(abs(right - 4 * beta) / (4 * beta), rel=1e-9)
    assert share < Decimal("1e-50")


def test_quotient_of_the_bounds_at_one_round_and_in_the_limit():
    assert ucb1_bound.quotient(0.0, 0.3) == pytest.approx((1 + 2 * math.pi**2 / 3) / (1 + math.pi**2 / 3))
    assert ucb1_bound.quotient(1e12, 0.3) == pytest.approx(2.0)


def test_no_exploration_telescopes_with_the_control():
    found = exploration_forever.none_in(Decimal(1), 2, 10, 90)
    assert float(found) == pytest.approx(10 / 11 * 101 / 100, rel=1e-12)
    assert float(exploration_forever.none_in(Decimal("0.5"), 0, 3, 4)) == pytest.approx(0.5**4)
