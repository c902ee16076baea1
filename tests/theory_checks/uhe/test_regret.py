"""Rates of the simple regret, and the bound of the appendix."""

import math

import numpy as np
import pytest

from experiments.uhe import consistency as study
from theory_checks.uhe import (
    regret,
)
from theory_checks.uhe.instruments import grid_runs


def test_rates_of_a_known_power_and_the_floor():
    times = np.array([8, 16, 32, 64])
    noise = np.exp(0.1 * np.random.default_rng(6).standard_normal((40, 1)))
    row = regret.rates(noise * np.arange(1, 65) ** -0.5, times, 0.01)
    assert row["exponent"] == pytest.approx(-0.5, abs=1e-9)
    assert regret.rates(np.zeros((5, 64)), times, 0.01)["exponent"] == pytest.approx(0.0)


@pytest.mark.parametrize("kernel", ["squared_exponential", "matern52"])
def test_bound_is_that_of_the_appendix(kernel):
    """gamma from 300 equidistant points, each weighted T/2 / 300."""
    t = 200.0
    x = (np.arange(300) + 0.5) / 300
    gram = study.PROFILES[kernel]((x[:, None] - x) ** 2 / 0.04)[0]
    gain = 0.5 * np.linalg.slogdet(np.eye(300) + gram * t / 2 / 300 / 0.01)[1]
    expected = math.sqrt(8 / math.log(101) * grid_runs.beta(t, kernel) * gain / (t / 2))
    assert regret.bound(kernel, t) == pytest.approx(expected, rel=1e-2)
