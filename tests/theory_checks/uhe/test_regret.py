"""Rates of the simple regret, and the bound of the appendix."""

import math

import numpy as np
import pytest

from experiments.uhe import consistency as study
from theory_checks.uhe import (
    regret,
    regret_proof,
)
from theory_checks.uhe.testbeds import grid_runs


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


@pytest.mark.parametrize("kernel", ["squared_exponential", "matern52"])
def test_spectral_moments_are_the_derivatives_of_the_kernel(kernel):
    """lambda_2 = -k''(0), lambda_4 = k''''(0), by differences of the profile."""
    second, fourth = regret_proof.MOMENTS[kernel]
    h = 1e-2
    k = [float(study.PROFILES[kernel](np.array((i * h) ** 2))[0]) for i in range(3)]
    assert 2 * (k[0] - k[1]) / h**2 == pytest.approx(second, rel=5e-3)
    assert (2 * k[2] - 8 * k[1] + 6 * k[0]) / h**4 == pytest.approx(fourth, rel=0.05)


def test_tail_of_the_largest_slope_is_below_the_bound():
    """Simulated derivative of squared exponential paths, l = 0.2: P(sup |f'| > L) against a exp(-(L / b)^2)."""
    x = np.linspace(0, 1, 201)
    lag = (x[:, None] - x) / 0.2
    covariance = (1 - lag**2) * np.exp(-(lag**2) / 2) / 0.04 + 1e-8 * np.eye(201)
    paths = np.random.default_rng(5).standard_normal((4000, 201)) @ np.linalg.cholesky(covariance).T
    largest = np.abs(paths).max(axis=1)
    b = math.sqrt(2) / 0.2
    for ratio in (1.0, 1.5, 1.8):
        case = {"kernel": "squared_exponential", "lengthscale": 0.2, "variance": 1.0, "ratio": ratio, "shrink": 1.0}
        point, bound = (math.exp(one) for one in regret_proof.tail(case))
        share = float(np.mean(largest > ratio * b))
        assert point - 0.01 < share < min(bound, 1.0) + 0.01
        assert min(bound, 1.0) < 1.6 * share + 0.02


def test_dropped_term_is_absorbed_where_the_exponents_say_so():
    assert regret_proof.power_of_gain(2.5, 2) == pytest.approx(6 / 11)
    assert regret_proof.power_of_gain(math.inf, 3) == 0.0
    quotients = [regret_proof.log_quotient(log_t, math.inf, 2) for log_t in (1e4, 2e4)]
    assert quotients[1] - quotients[0] == pytest.approx(1e4 / 4, rel=1e-3)
