"""IKR-UCB and β_t against A (14), A (20) and Theorems 8 and 9 of Paper A."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.acquisition.boke import (
    beta_continuum,
    beta_finite,
    ikr_ucb,
    regression_and_bonus,
    rescaled_ikr_ucb,
    upper_confidence,
)
from core.models.kernels import SMOOTHING
from tests.core.helpers import COMPACT, gradient, nearest_mean, regression, sample_data, weights

X, Y = (jnp.asarray(part) for part in sample_data(12, 2, 12))


@functools.lru_cache
def compiled(name: str, function: Callable = ikr_ucb, slope: bool = False) -> Callable:
    def evaluate(x: jax.Array, h: jax.Array, beta: jax.Array, mask: jax.Array | None = None) -> jax.Array:
        return function(x, X, Y, h, beta, SMOOTHING[name], mask)

    return jax.jit(jax.grad(evaluate) if slope else evaluate)


def oracle(name: str, x: np.ndarray, h: float, beta: float, rows: slice | np.ndarray = slice(None)) -> float:
    data_x, data_y = np.asarray(X)[rows], np.asarray(Y)[rows]
    total = float(weights(name, x, data_x, h).sum())
    return regression(name, x, data_x, data_y, h) + np.sqrt(beta) / np.sqrt(total) if total else np.inf


@pytest.mark.parametrize("name", SMOOTHING)
@given(x=st.tuples(st.floats(0, 1), st.floats(0, 1)), h=st.floats(0.05, 2.0), beta=st.floats(0.0, 9.0))
@settings(max_examples=30)
def test_equation_fourteen(name: str, x: tuple[float, float], h: float, beta: float) -> None:
    expected = oracle(name, np.array(x), h, beta)
    assert float(compiled(name)(np.array(x), h, beta)) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("name", ["gaussian", "epanechnikov", "exponential", "laplacian"])
def test_gradients_match_finite_differences(name: str) -> None:
    x = np.array([0.41, 0.33])
    numeric = gradient(lambda p: oracle(name, p, 0.6, 2.0), x)
    np.testing.assert_allclose(compiled(name, slope=True)(x, 0.6, 2.0), numeric, rtol=1e-5)


@pytest.mark.parametrize("name", SMOOTHING)
def test_values_and_gradients_are_nan_free_everywhere(name: str) -> None:
    for x in (np.asarray(X[0]), np.asarray(X[0]) + 1e-9, np.array([0.99, 0.97]), np.array([40.0, -3.0])):
        for h in (1e-12, 0.02, 0.3, 1e12):
            for beta in (0.0, 4.0):
                assert not np.isnan(float(compiled(name)(x, h, beta)))
                assert bool(jnp.isfinite(compiled(name, slope=True)(x, h, beta)).all()), (x, h, beta)


@pytest.mark.parametrize("name", COMPACT)
def test_unseen_points_are_infinite_also_without_exploration(name: str) -> None:
    for beta in (0.0, 4.0):
        assert float(compiled(name)(np.array([0.99, 0.97]), 0.01, beta)) == np.inf
    mean, bonus = regression_and_bonus(jnp.array([0.99, 0.97]), X, Y, 0.01, SMOOTHING[name])
    assert float(bonus) == np.inf
    assert float(mean) == pytest.approx(nearest_mean(np.array([0.99, 0.97]), np.asarray(X), np.asarray(Y)))


def test_upper_confidence() -> None:
    assert float(upper_confidence(jnp.asarray(2.0), jnp.asarray(3.0), 4.0)) == 8.0
    assert float(upper_confidence(jnp.asarray(2.0), jnp.asarray(jnp.inf), 0.0)) == np.inf


@given(x=st.tuples(st.floats(0, 1), st.floats(0, 1)), beta=st.floats(1e-6, 1e6))
@settings(max_examples=30)
def test_equation_twenty_is_fourteen_divided_by_the_root_of_beta(x: tuple[float, float], beta: float) -> None:
    rescaled = float(compiled("gaussian", rescaled_ikr_ucb)(np.array(x), 0.4, beta))
    assert rescaled * np.sqrt(beta) == pytest.approx(float(compiled("gaussian")(np.array(x), 0.4, beta)), rel=1e-10)


@given(rows=st.integers(1, 12), seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_unused_rows_change_nothing(rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    mask = np.zeros(12, bool)
    mask[rng.permutation(12)[:rows]] = True
    x = rng.uniform(0, 1, 2)
    got = float(compiled("epanechnikov")(x, 0.4, 2.0, mask))
    assert got == pytest.approx(oracle("epanechnikov", x, 0.4, 2.0, mask), rel=1e-8)


@pytest.mark.parametrize("count", [1, 2, 30, 10**6])
def test_betas_are_the_theorems(count: int) -> None:
    expected = 2 * 0.3**2 * 1.5 * np.log(2 * np.pi**2 * count**2 / (3 * 0.05))
    assert float(beta_continuum(count, 0.3, 0.05, bound=1.5)) == pytest.approx(expected, rel=1e-13)
    assert float(beta_finite(count, 0.3, bound=1.5)) == pytest.approx(4 * 0.3**2 * 1.5 * np.log(count), rel=1e-13)


def test_betas_before_the_first_observation() -> None:
    assert float(beta_finite(0, 0.3)) == 0.0
    assert float(beta_continuum(0, 0.3, 0.1)) == float(beta_continuum(1, 0.3, 0.1))
