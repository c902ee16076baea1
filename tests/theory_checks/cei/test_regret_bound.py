"""The regret bound and its constructed setting."""

import math

import numpy as np
import pytest

from theory_checks.cei import (
    regret_bound,
)
from theory_checks.cei.testbeds import information


def test_needle_is_inside_the_hypotheses_and_never_visited():
    played = regret_bound.NEEDLE.play(60, 5)
    assert np.all(played.index != 2)
    bound, inside = regret_bound.bounds(regret_bound.NEEDLE, played, repaired=False)
    assert inside.all()
    gain = information.maximum_information(np.eye(3), 0.01, 62)
    assert regret_bound.gain_of(regret_bound.NEEDLE, 62) == pytest.approx(gain, rel=1e-4)
    beta = 2e12 + 300 * gain * math.log(62 / 0.05) ** 3
    c = math.log(2 / math.pi) + 24 * math.log(10)
    expected = math.sqrt(2 * 60 * gain / math.log(101)) * (
        math.sqrt(beta) + math.sqrt(2 * (1 + c)) + math.sqrt(3 * (1 + c + beta))
    )
    np.testing.assert_allclose(bound, expected, rtol=1e-3)
