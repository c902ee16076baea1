"""Bounds of the information gain."""

import math

import jax.numpy as jnp
import numpy as np
from scipy import stats

from core.models.gaussian_process import greedy_information_gain
from theory_checks.cei import (
    beta_growth,
)
from theory_checks.cei.instruments import posteriors


def test_bounds_of_the_information_gain_enclose_the_greedy_one():
    points = jnp.linspace(-0.5, 0.5, 101)[:, None]
    covariance = posteriors.gram("squared_exponential", np.asarray(points), np.asarray(points), beta_growth.LENGTHSCALE)
    gains, _ = greedy_information_gain(jnp.asarray(covariance), beta_growth.NOISE**2, 256)
    for rounds in (32, 256):
        at_most = beta_growth.gain_at_most(math.log(rounds))
        assert 0.5 * math.log(1 + rounds) < float(gains[rounds - 1]) < at_most
    m = beta_growth.features(50.0)
    tail = stats.poisson.logsf(m - 1, 1 / (4 * beta_growth.LENGTHSCALE**2))
    assert tail <= -50.0
