"""The fitted exponent and its interval."""

import numpy as np

from theory_checks.uhe.testbeds import exponent


def test_exponent_of_a_power():
    times = (10, 100, 1000)
    values = np.random.default_rng(3).standard_normal((500, 3)) * np.array(times) ** -0.7
    row = exponent.exponent(times, values, 0.01)
    assert row["low"] < -0.7 < row["high"]
    assert row["high"] - row["low"] < 0.2
