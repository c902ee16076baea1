"""Kernel regression against A (5) in extended precision, and its nearest-neighbour extension."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.kernels import SMOOTHING
from core.models.regression import kernel_regression, log_weights, nearest_neighbour_mean
from tests.core.helpers import COMPACT, gradient, l1, l2, nearest_mean, regression, sample_data, weights

UNIT = st.floats(-0.5, 1.5)
X, Y = (jnp.asarray(part) for part in sample_data(11, 2, 5))


@functools.lru_cache
def compiled(name: str, masked: bool = False) -> Callable:
    kernel = SMOOTHING[name]
    if masked:
        return jax.jit(lambda x, a, b, h, mask: kernel_regression(x, a, b, h, kernel, mask))
    return jax.jit(lambda x, a, b, h: kernel_regression(x, a, b, h, kernel))


@functools.lru_cache
def compiled_gradient(name: str) -> Callable:
    return jax.jit(jax.grad(lambda x, a, b, h: kernel_regression(x, a, b, h, SMOOTHING[name])))


@pytest.mark.parametrize("name", SMOOTHING)
@given(x=st.tuples(UNIT, UNIT), bandwidth=st.floats(0.04, 5.0))
@settings(max_examples=40)
def test_equation_five(name: str, x: tuple[float, float], bandwidth: float) -> None:
    point = np.array(x)
    oracle = regression(name, point, np.asarray(X), np.asarray(Y), bandwidth)
    assert float(compiled(name)(point, X, Y, bandwidth)) == pytest.approx(oracle, rel=1e-9)


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("bandwidth", [1e-12, 1e-6])
def test_vanishing_bandwidth_gives_the_nearest_neighbour(name: str, bandwidth: float) -> None:
    norm = l1 if name == "laplacian" else l2
    for x in (np.array([0.9, 0.95]), np.array([0.2, 0.3]), np.asarray(X[4]), np.array([-3.0, 8.0])):
        expected = nearest_mean(x, np.asarray(X), np.asarray(Y), norm)
        assert float(compiled(name)(x, X, Y, bandwidth)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", SMOOTHING)
def test_a_huge_bandwidth_gives_the_mean(name: str) -> None:
    for bandwidth in (1e9, 1e150):
        assert float(compiled(name)(jnp.array([0.1, 2.0]), X, Y, bandwidth)) == pytest.approx(float(Y.mean()), rel=1e-8)


@pytest.mark.parametrize("name", SMOOTHING)
def test_ties_and_duplicates_are_averaged(name: str) -> None:
    # On dyadic coordinates the four corners are at exactly equal distances; one of them is there twice.
    corners = jnp.array([[0.25, 0.25], [0.25, 0.75], [0.75, 0.25], [0.75, 0.75], [0.75, 0.75], [1.0, 1.0]])
    values = jnp.array([1.0, 2.0, 4.0, 8.0, 16.0, 1e6])
    middle = jnp.array([0.5, 0.5])
    for bandwidth in (1e-12, 1e-3):
        assert float(compiled(name)(middle, corners, values, bandwidth)) == pytest.approx(31.0 / 5.0, rel=1e-14)
        assert float(compiled(name)(jnp.array([0.75, 0.75]), corners, values, bandwidth)) == pytest.approx(
            12.0, rel=1e-14
        )


def test_laplacian_follows_the_l1_neighbour_where_the_norms_disagree() -> None:
    data = jnp.array([[0.5, 0.0], [0.3, 0.3]])  # l1: 0.5 < 0.6; l2: 0.5 > 0.42
    values = jnp.array([1.0, 2.0])
    origin = jnp.zeros(2)
    assert float(compiled("laplacian")(origin, data, values, 1e-3)) == pytest.approx(1.0)
    assert float(compiled("exponential")(origin, data, values, 1e-3)) == pytest.approx(2.0)
    assert float(nearest_neighbour_mean(origin, data, values, norm="l1")) == 1.0
    assert float(nearest_neighbour_mean(origin, data, values)) == 2.0


@pytest.mark.parametrize("name", COMPACT)
def test_outside_every_support_value_and_gradient_are_the_neighbours(name: str) -> None:
    far = jnp.array([0.99, 0.98])
    assert float(compiled(name)(far, X, Y, 0.01)) == pytest.approx(
        nearest_mean(np.asarray(far), np.asarray(X), np.asarray(Y))
    )
    np.testing.assert_array_equal(compiled_gradient(name)(far, X, Y, 0.01), 0.0)


@pytest.mark.parametrize("name", ["gaussian", "epanechnikov", "exponential", "laplacian"])
def test_gradients_match_finite_differences(name: str) -> None:
    x = np.array([0.37, 0.23])
    numeric = gradient(lambda p: regression(name, p, np.asarray(X), np.asarray(Y), 0.5), x)
    np.testing.assert_allclose(compiled_gradient(name)(x, X, Y, 0.5), numeric, rtol=2e-5, atol=1e-7)


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("bandwidth", [1e-12, 0.2, 1e12])
def test_gradients_at_the_data_are_finite(name: str, bandwidth: float) -> None:
    for row in (0, 7):
        assert bool(jnp.isfinite(compiled_gradient(name)(X[row], X, Y, bandwidth)).all())


@pytest.mark.parametrize("name", SMOOTHING)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 11))
@settings(max_examples=15)
def test_unused_rows_and_their_order_change_nothing(name: str, seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(11)
    mask = np.zeros(11, bool)
    mask[order[:rows]] = True
    x = rng.uniform(-0.2, 1.2, 2)
    expected = regression(name, x, np.asarray(X)[mask], np.asarray(Y)[mask], 0.3)
    rubbish = np.where(mask, Y, rng.normal(size=11) * 1e6)
    assert float(compiled(name, masked=True)(x, X, rubbish, 0.3, mask)) == pytest.approx(expected, rel=1e-9)
    moved = compiled(name, masked=True)(x, X[order], rubbish[order], 0.3, mask[order])
    assert float(moved) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ["gaussian", "epanechnikov", "exponential", "laplacian"])
@given(scale=st.floats(1e-3, 1e3), offset=st.floats(-1e3, 1e3), shift=st.floats(-2.0, 2.0))
@settings(max_examples=20)
def test_affine_values_and_moved_points(name: str, scale: float, offset: float, shift: float) -> None:
    x = jnp.array([0.4, 0.35])
    base = float(compiled(name)(x, X, Y, 0.4))
    affine = float(compiled(name)(x, X, scale * Y + offset, 0.4))
    assert affine == pytest.approx(scale * base + offset, rel=1e-10, abs=1e-9)
    assert float(compiled(name)(x + shift, X + shift, Y, 0.4)) == pytest.approx(base, rel=1e-9)
    assert float(compiled(name)(scale * x, scale * X, Y, scale * 0.4)) == pytest.approx(base, rel=1e-9)
    assert float(Y.min()) - 1e-9 <= base <= float(Y.max()) + 1e-9


def test_values_of_any_size() -> None:
    for scale in (1e-300, 1e-12, 1e12, 1e300):
        got = float(compiled("gaussian")(jnp.array([0.2, 0.2]), X, scale * Y, 0.3))
        assert got == pytest.approx(scale * float(compiled("gaussian")(jnp.array([0.2, 0.2]), X, Y, 0.3)), rel=1e-12)


@pytest.mark.parametrize("name", SMOOTHING)
def test_one_observation_is_its_own_regression(name: str) -> None:
    for bandwidth in (1e-12, 0.3):
        assert float(compiled(name)(jnp.array([5.0, 0.0]), X[:1], Y[:1], bandwidth)) == pytest.approx(float(Y[0]))


@pytest.mark.parametrize("name", SMOOTHING)
def test_without_data_the_regression_is_nan_as_documented(name: str) -> None:
    assert np.isnan(float(compiled(name, masked=True)(jnp.zeros(2), X, Y, 0.3, jnp.zeros(11, bool))))


def test_log_weights_are_logs_of_the_kernel_and_masked() -> None:
    mask = jnp.arange(11) % 2 == 0
    x = jnp.array([0.3, 0.4])
    got = np.asarray(log_weights(x, X, 0.25, mask=mask))
    assert np.all(np.isneginf(got[1::2]))
    expected = np.log(weights("gaussian", np.asarray(x), np.asarray(X), 0.25))[::2]
    np.testing.assert_allclose(got[::2], expected.astype(float), rtol=1e-12)


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("dim", [1, 2, 3, 8])
def test_no_program_divides_zero_by_zero_at_tiny_bandwidths(name: str, dim: int) -> None:
    # At h = 1e-12 the last digit of log k is worth 10^10: a maximum and a difference rounded differently give 0 / 0.
    data_x, data_y = sample_data(17, dim, 9)
    points = np.random.default_rng(1).uniform(-3.0, 3.0, (200, dim))
    norm = l1 if name == "laplacian" else l2
    expected = [nearest_mean(x, data_x, data_y, norm) for x in points]
    arguments = (jnp.asarray(data_x), jnp.asarray(data_y), 1e-12)
    batched = jax.jit(jax.vmap(compiled(name), in_axes=(0, None, None, None)))(points, *arguments)
    np.testing.assert_allclose(batched, expected, rtol=1e-12)
    single = [float(compiled(name)(x, *arguments)) for x in points[:50]]
    np.testing.assert_allclose(single, expected[:50], rtol=1e-12)


@pytest.mark.parametrize("name", COMPACT)
@pytest.mark.parametrize("spacing", [0.1, 0.3, 1 / 7])
def test_data_on_the_very_edge_of_the_support_never_give_nan(name: str, spacing: float) -> None:
    arms = jnp.arange(12)[:, None] * spacing * jnp.array([[0.6, 0.8]])
    values = jnp.arange(12.0)
    sees = jnp.arange(12) % 2 == 1  # every arm asked about is one step from its only data
    batched = jax.jit(jax.vmap(compiled(name, masked=True), in_axes=(0, None, None, None, None)))
    got = np.asarray(batched(arms[2:10:2], arms, values, spacing, sees))
    np.testing.assert_array_less(np.abs(got - np.arange(2, 10, 2)), 1.0 + 1e-12)
