"""Worst expectations against `core`."""

import jax.numpy as jnp
import numpy as np
import pytest

from core.worst_case.total_variation import tv_worst_case
from theory_checks.ctx import (
    independence,
)


def test_worst_expectations_agree():
    rng = np.random.default_rng(3)
    values, p = rng.normal(size=8), rng.dirichlet(np.ones(8))
    for radius in (0.0, 0.3, 1.0, 2.5):
        expected = float(tv_worst_case(jnp.asarray(values), radius, jnp.asarray(p)))
        assert independence.worst_expectation(values, p, radius) == pytest.approx(expected)


def test_worst_distribution_lies_in_the_ball():
    rng = np.random.default_rng(4)
    values, p = rng.normal(size=8), rng.dirichlet(np.ones(8))
    for radius in (0.0, 0.3, 1.0, 2.5):
        q = independence.worst_distribution(values, p, radius)
        assert q.min() >= 0
        assert q.sum() == pytest.approx(1)
        assert np.abs(q - p).sum() <= radius + 1e-12


def test_posterior_without_observations_is_the_prior():
    case = {"kernel": "waves", "log10_scale": 0.0, "log10_noise": 0.0, "observations": 0, "log10_h": -1.0}
    left, right = independence.repaired_sides({**case, "log10_radius": 0.0, "seed": 1, "factor": 1.0})
    assert 0 < left < right
