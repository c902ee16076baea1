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
