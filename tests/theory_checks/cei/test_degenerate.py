"""Exact deviations of the improvement, by hand."""

from fractions import Fraction

import pytest

from theory_checks.cei import degenerate
from theory_checks.ledger import Evidence, Verdict


def test_exact_zero_deviation_by_hand():
    design = {"kernel": "linear", "points": [4], "y": [1], "noise_variance": [0], "x": 8}
    assert degenerate.difference(design) == (Fraction(1), Fraction(0), Fraction(0))
    noisy = {**design, "noise_variance": [4]}
    u, squared, _ = degenerate.difference(noisy)
    assert u == Fraction(1, 5) * 2 - Fraction(1, 5)
    assert squared > 0
    assert degenerate.difference({**design, "points": [4, 2], "y": [1, 1], "noise_variance": [0, 0]}) is None


@pytest.mark.parametrize(
    ("positive", "may_be_zero", "verdict"),
    [
        ("supported", "refuted", "depends"),
        ("refuted", "refuted", "refuted"),
        ("supported", "supported", "supported"),
        ("undecided", "supported", "undecided"),
        ("undecided", "refuted", "undecided"),
    ],
)
def test_a_verdict_needs_positive_noises_and_noises_that_may_be_zero(monkeypatch, positive, may_be_zero, verdict):
    def found(scale, noise_free, quantity):
        return Evidence(Verdict(positive if noise_free == 0 else may_be_zero), "It is so.")

    monkeypatch.setattr(degenerate, "attack", found)
    assert degenerate.zero_deviation("smoke").verdict == verdict
