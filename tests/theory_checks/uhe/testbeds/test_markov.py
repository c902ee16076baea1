"""The Markov likelihood against that of the Gram matrix."""

import jax.numpy as jnp
import numpy as np
import pytest

from experiments.uhe.likelihood import log_likelihood
from theory_checks.uhe.testbeds import markov


def test_markov_likelihood_is_that_of_the_gram_matrix():
    rng = np.random.default_rng(7)
    x, y = np.sort(rng.random(40)), rng.standard_normal(40)
    x[5] = x[4]
    theta = np.log([0.15, 0.8, 0.03])
    value, gradient = markov._value_and_gradient(
        jnp.asarray(theta), jnp.asarray(np.diff(x, prepend=x[0])), jnp.asarray(y)
    )
    expected, slope = log_likelihood("matern52", x[:, None], y, theta)
    assert float(value) == pytest.approx(expected, rel=1e-7)
    assert np.asarray(gradient) == pytest.approx(slope, rel=1e-5, abs=1e-5)
