"""Bounds of the information gain."""

import math

import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from core.models.gaussian_process import greedy_information_gain
from theory_checks.cei import beta_growth
from theory_checks.cei.testbeds import posteriors


def test_bounds_of_the_information_gain_enclose_the_greedy_one():
    points = jnp.linspace(-0.5, 0.5, 101)[:, None]
    covariance = posteriors.gram("squared_exponential", np.asarray(points), np.asarray(points), beta_growth.LENGTHSCALE)
    gains, _ = greedy_information_gain(jnp.asarray(covariance), beta_growth.NOISE**2, 256)
    for rounds in (32, 256):
        at_most = beta_growth.gain_at_most(math.log(rounds))
        at_least = beta_growth.gain_at_least(math.log(rounds))
        assert 0.5 * math.log(1 + rounds) <= at_least < float(gains[rounds - 1]) < at_most
    m = beta_growth.features(50.0)
    tail = stats.poisson.logsf(m - 1, 1 / (4 * beta_growth.LENGTHSCALE**2))
    assert tail <= -50.0


@pytest.mark.parametrize("m", [2, 4, 6])
def test_determinant_of_equidistant_points_is_above_its_bound(m):
    points, step = np.linspace(-0.5, 0.5, m)[:, None], 1 / (m - 1)
    covariance = posteriors.gram("squared_exponential", points, points, beta_growth.LENGTHSCALE)
    exact = sum((m - k) * math.log(-math.expm1(-k * (step / beta_growth.LENGTHSCALE) ** 2)) for k in range(1, m))
    np.testing.assert_allclose(np.linalg.slogdet(covariance)[1], exact, rtol=1e-6)
    assert exact >= -0.5 * m * (m - 1) * math.log1p((beta_growth.LENGTHSCALE / step) ** 2)


def test_information_gain_grows_faster_than_the_logarithm_of_t_and_no_faster_than_its_square():
    for log_t in (1e2, 1e6, 1e12):
        at_least, at_most = beta_growth.gain_at_least(log_t), beta_growth.gain_at_most(log_t)
        assert log_t < at_least < at_most < log_t**2
