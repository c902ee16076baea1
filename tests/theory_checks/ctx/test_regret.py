"""Regret of the settings of Theorems 1 and 2."""

import dataclasses
import math

import numpy as np
import pytest

from theory_checks.ctx import (
    regret,
)
from theory_checks.ctx.testbeds import wave_regret


def test_regret_grows_by_non_negative_steps_and_is_reproducible():
    setting = regret.settings("sbo")[0]
    first = setting.regret(12, 3, 0)
    assert first.shape == (3, 12)
    assert np.all(np.diff(first, axis=1) >= 0)
    assert np.array_equal(first, setting.regret(12, 3, 0))


def test_beta_of_the_theorem():
    setting = regret.settings("sbo")[0]
    a, b, t = 2 ** (9 / 2), 2 * wave_regret.slope(1), 10
    expected = 2 * math.log(t**2 / math.sqrt(2 * math.pi)) + 2 * math.log(t**2 * a * b * math.sqrt(math.pi) / 2)
    assert setting.beta_at(t) == pytest.approx(expected)


def test_runs_that_differ_in_the_density_alone_are_paired():
    setting = regret.settings("sbo")[0]
    first = setting.regret(2, 3, 0)
    for changes in ({"known": True}, {"bandwidth": 0.3}, {"shift": 0.15}):
        assert np.array_equal(dataclasses.replace(setting, **changes).regret(2, 3, 0), first)


def test_excess_of_a_constant_difference():
    known = np.cumsum(np.full((3, 80), 0.5), axis=1)
    late, early, loss = regret.excess(known + 0.1 * np.arange(1, 81), known)
    assert np.allclose(late, 0.1)
    assert np.allclose(early, 0.1)
    assert loss == pytest.approx(0.5)
