"""The law of the error on a fixed design against sampling."""

import math

import numpy as np
import pytest

from theory_checks.boke import local_consistency
from theory_checks.boke.testbeds.compact_kernels import PROFILES


def test_error_law_matches_sampling():
    profile = PROFILES["epanechnikov"]
    offsets = 0.3 / np.arange(1, 9)
    bias, spread, weight = local_consistency.error_law(profile, offsets, 8, 0.5, 3.0, 0.8)
    x = np.concatenate([offsets[:7], np.full(3, 0.8)])
    k = profile(np.abs(x - offsets[7]))
    f = 0.5 * np.clip(3 * np.abs(x) - 0.5, 0, 1)
    assert weight == pytest.approx(k.sum())
    assert bias == pytest.approx((k @ f) / k.sum())
    assert spread == pytest.approx(math.sqrt((k**2).sum()) / k.sum())
