"""Failure probabilities on fixed designs against sampling."""

import numpy as np
import pytest

from theory_checks.boke import concentration
from theory_checks.boke.testbeds.compact_kernels import PROFILES
from theory_checks.boke.testbeds.core_values import coefficients
from theory_checks.boke.testbeds.pointwise_bound import half_width


def test_closed_form_failures_match_sampling():
    design = {"kernel": "ring", "ratio": [0.0, 0.5, 0.8], "rise": [0.0, 1.0, 0.5], "omega": 1.0, "delta": 0.9}
    weights, total = coefficients(PROFILES["ring"], np.array(design["ratio"]))
    noise = np.random.default_rng(1).standard_normal((400000, 3))
    error = (np.array(design["rise"]) + noise) @ weights
    bound = 1.0 + 0.3 * half_width(total, 3.0, 0.9)
    assert concentration.gaussian_failure(design, 0.3) * 0.9 == pytest.approx((np.abs(error) > bound).mean(), rel=0.02)
