"""Runs that violate the assumptions."""

from theory_checks.boke.testbeds import outside


def test_outside_the_assumptions_is_reported():
    for row in outside.outside_assumptions("smoke").values():
        assert 0 < row["fill"] <= row["fill_at_half"] <= 1
