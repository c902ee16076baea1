"""Exact deviations of the improvement, by hand."""

from fractions import Fraction

from theory_checks.cei import (
    degenerate,
)


def test_exact_zero_deviation_by_hand():
    design = {"kernel": "linear", "points": [4], "y": [1], "noise_variance": [0], "x": 8}
    assert degenerate.difference(design) == (Fraction(1), Fraction(0), Fraction(0))
    noisy = {**design, "noise_variance": [4]}
    u, squared, _ = degenerate.difference(noisy)
    assert u == Fraction(1, 5) * 2 - Fraction(1, 5)
    assert squared > 0
    assert degenerate.difference({**design, "points": [4, 2], "y": [1, 1], "noise_variance": [0, 0]}) is None
