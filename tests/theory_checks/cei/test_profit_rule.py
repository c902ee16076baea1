"""Profit of the stopping criterion."""

import numpy as np

from theory_checks.cei import (
    profit_rule,
)


def test_profit_of_the_criterion_is_that_of_the_step_at_which_it_stops():
    setting = profit_rule.SETTINGS[0]
    criterion, fixed, unstopped = profit_rule.profits(setting, "smoke", 1.0)
    assert 0.2 < unstopped < 0.8
    assert np.all(np.any(np.isclose(criterion[:, None], fixed), axis=1))
    never, _, share = profit_rule.profits(setting, "smoke", 1e-300)
    assert share == 1.0
    np.testing.assert_allclose(never, fixed[:, -1])
    at_once, _, share = profit_rule.profits(setting, "smoke", 1e300)
    assert share == 0.0
    np.testing.assert_allclose(at_once, fixed[:, 0])
