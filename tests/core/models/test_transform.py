"""Standardisation of the observed values."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.transform import standardize

STANDARDIZE = jax.jit(standardize)


@given(
    y=st.lists(st.floats(-100, 100, width=32), min_size=2, max_size=6),
    exponent=st.sampled_from([-12, 0, 12]),
    rubbish=st.floats(-1e6, 1e6, width=32),
)
@settings(max_examples=60)
def test_mean_zero_and_deviation_one(y: list[float], exponent: int, rubbish: float) -> None:
    values = np.array(y) * 10.0**exponent
    padded = np.append(values, np.full(6 - len(y), rubbish))
    z, mean, scale = STANDARDIZE(padded, np.arange(6) < len(y))
    assert float(mean) == pytest.approx(values.mean(), rel=1e-12, abs=1e-13 * np.abs(values).max())
    np.testing.assert_array_equal(z[len(y) :], 0.0)
    if values.std() > 1e-9 * np.abs(values).max():
        assert float(scale) == pytest.approx(values.std(), rel=1e-6)
        np.testing.assert_allclose(z[: len(y)], (values - values.mean()) / values.std(), rtol=1e-5, atol=1e-9)
    assert bool(jnp.isfinite(z).all())


@pytest.mark.parametrize("value", [0.0, 0.1, -3e12, 7e-13, 1e300])
def test_constant_values_become_zero(value: float) -> None:
    z, mean, scale = STANDARDIZE(jnp.full(7, value), jnp.ones(7, bool))
    assert float(scale) == 1.0
    assert float(mean) == pytest.approx(value, rel=1e-14)
    np.testing.assert_allclose(z, 0.0, atol=1e-15 * abs(value))


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e200, 1e300])
def test_squares_neither_overflow_nor_vanish(scale: float) -> None:
    z, _, deviation = STANDARDIZE(scale * jnp.array([1.0, 2.0, 3.0]), jnp.ones(3, bool))
    np.testing.assert_allclose(z, np.array([-1.0, 0.0, 1.0]) * np.sqrt(1.5), rtol=1e-12)
    assert float(deviation) == pytest.approx(scale * np.sqrt(2 / 3), rel=1e-12)


def test_nothing_in_use() -> None:
    z, mean, scale = STANDARDIZE(jnp.ones(3), jnp.zeros(3, bool))
    assert (float(mean), float(scale)) == (0.0, 1.0)
    np.testing.assert_array_equal(z, 0.0)
