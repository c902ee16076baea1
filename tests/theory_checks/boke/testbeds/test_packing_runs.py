"""The number of steps needed leaves enough explorations."""

import pytest

from theory_checks.boke.testbeds import packing_runs


@pytest.mark.parametrize("probability", [0.1, 0.5, 1.0])
def test_steps_needed_leave_enough_explorations(probability):
    from scipy.stats import binom

    steps = packing_runs.steps_needed(7, probability)
    assert steps >= 7
    assert binom.cdf(6, steps, probability) <= packing_runs.UNLUCKY
