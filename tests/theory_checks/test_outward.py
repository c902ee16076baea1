"""A bound in words holds as printed."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory_checks.outward import at_least, at_most


@given(st.floats(-1e6, 1e6), st.integers(0, 8))
def test_what_is_printed_is_on_the_safe_side_and_no_farther_than_one_unit(value: float, decimals: int) -> None:
    unit, exact = Fraction(1, 10**decimals), Fraction(value)
    assert exact - unit < Fraction(at_least(value, decimals)) <= exact
    assert exact <= Fraction(at_most(value, decimals)) < exact + unit


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [(0.9999966682357201, "0.999996", "0.999997"), (0.5, "0.500000", "0.500000")],
)
def test_examples(value: float, low: str, high: str) -> None:
    assert (at_least(value, 6), at_most(value, 6)) == (low, high)
