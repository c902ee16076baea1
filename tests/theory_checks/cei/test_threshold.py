"""The bounds of Lemmas 4.3 and 4.5, by hand."""

import math
from decimal import Decimal

import pytest

from theory_checks.cei import (
    threshold,
)


def test_threshold_bounds_by_hand():
    assert threshold.gap43(0.0, 2.0, 1.0, "2") <= 0
    kappa = Decimal(1)
    assert float(threshold.exponent("1", kappa)) == pytest.approx(-math.log(math.pi))
    printed = {**threshold.EXTRAPOLATION, "numerator": "1", "one": 1.0, "positive_part": False}
    _, right, violated = threshold.replay45(printed)
    assert violated
    assert "not a real number" in right
    assert not threshold.replay45({**printed, "kappa": 0.5})[2]
    assert not threshold.replay45({**printed, "kappa": 100.0})[2]  # alpha^C < kappa: outside the hypotheses
