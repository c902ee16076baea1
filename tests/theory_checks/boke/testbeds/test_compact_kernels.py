"""Kernels of Assumption 3, and the packing bound."""

import numpy as np
import pytest

from core.models.kernels import SMOOTHING
from theory_checks.boke.testbeds.compact_kernels import PROFILES, packing_bound
from theory_checks.boke.testbeds.core_values import as_core_kernel, coefficients


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_profiles_satisfy_assumption_3_and_core_evaluates_them(profile):
    ratio = np.linspace(0, 2, 40001)
    value = profile(ratio)
    assert profile(0.0) == 1.0
    assert np.all(value >= 0)
    assert value.max() <= profile.bound
    assert np.all(value[ratio >= 1] == 0)
    assert np.abs(np.diff(value)).max() < 2e-3
    assert np.all(value[ratio <= profile.core] >= profile.floor - 1e-12)
    assert np.all(value[ratio < profile.positive] > 0)
    kernel = as_core_kernel(profile)
    assert (kernel.name in SMOOTHING) == (profile.name == "epanechnikov")
    for place in (0.0, 0.15, 0.4, 0.7, 0.93):
        weights, total = coefficients(profile, np.array([place, 0.0]))
        assert total == pytest.approx(float(profile(place)) + 1, abs=2e-3)
        assert weights.sum() == pytest.approx(1)


@pytest.mark.parametrize(("separation", "dim"), [(0.3, 1), (0.25, 2), (0.4, 3)])
def test_no_random_packing_exceeds_the_bound(separation, dim):
    points = np.random.default_rng(2).random((4000, dim))
    kept = points[:1]
    for point in points:
        if np.linalg.norm(kept - point, axis=1).min() >= separation:
            kept = np.vstack([kept, point])
    assert len(kept) <= packing_bound(separation, dim)


def test_packing_bound_on_the_line_is_exact():
    assert packing_bound(0.25, 1) == 5
    assert packing_bound(0.3, 1) == 4
