"""The limits of corrected EI, by hand."""

import pytest

from theory_checks.cei import (
    limits,
)


def test_noise_free_limit_is_sharp_at_the_incumbent():
    design = {"kernel": "squared_exponential", "data": [0.0], "y": [1.0], "factors": [1.0], "offset": 1e-13}
    rates = limits.towards_ei(design)["rates"]
    assert rates[2] == pytest.approx(1.0, abs=1e-5)
    assert limits.near_incumbent(design)[0] == 0.0
