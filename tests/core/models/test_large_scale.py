"""Streaming kernel regression and density against the one-point formulas, by each of three methods."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.models import large_scale
from core.models.chunks import row_sums
from core.models.density import log_density
from core.models.kernels import SMOOTHING
from core.models.large_scale import default_chunk, kernel_regression_and_density
from core.models.regression import kernel_regression, nearest_neighbour_mean
from tests.core.helpers import sample_data

# Relative to the values' spread for the mean, to the value itself for the log density.
TOLERANCE = 10 * large_scale.LOG_TOLERANCE


def candidates_and_data(candidates: int, count: int, dim: int) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Data with duplicates; candidates inside and outside of them, some on top of data points."""
    x, y = sample_data(count, dim, 3)
    x[-3:] = x[:3]
    rng = np.random.default_rng(4)
    return (
        jnp.asarray(np.vstack([x[:4], 1.5 * rng.random((candidates - 4, dim)) - 0.2])),
        jnp.asarray(x),
        jnp.asarray(y),
    )


def oracle(x: jax.Array, data_x: jax.Array, data_y: jax.Array, bandwidth: float, name: str) -> tuple:
    kernel = SMOOTHING[name]
    mean = jax.vmap(lambda point: kernel_regression(point, data_x, data_y, bandwidth, kernel))(x)
    return mean, jax.vmap(lambda point: log_density(point, data_x, bandwidth, kernel))(x)


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("dim", [1, 3])
def test_the_one_point_formulas(name: str, dim: int) -> None:
    x, data_x, data_y = candidates_and_data(37, 211, dim)
    for bandwidth in (1e-12, 1e-3, 0.02, 0.1, 30.0):
        mean, log_w = kernel_regression_and_density(x, data_x, data_y, bandwidth, SMOOTHING[name], chunk=64)
        expected_mean, expected_log_w = oracle(x, data_x, data_y, bandwidth, name)
        np.testing.assert_allclose(mean, expected_mean, rtol=TOLERANCE)
        np.testing.assert_allclose(log_w, expected_log_w, rtol=TOLERANCE, atol=TOLERANCE)


def test_the_bandwidths_above_go_all_three_ways_and_the_error_bound_holds() -> None:
    x, data_x, _ = candidates_and_data(37, 211, 3)
    seen, used = set(), jnp.ones(211, bool)
    for bandwidth in (1e-6, 1e-3, 0.02, 0.1, 0.7):
        product, error, top = large_scale._gaussian_product(x, data_x, jnp.asarray(bandwidth), used)
        exact = -0.5 * np.sum((np.asarray(x)[:, None].astype(np.longdouble) - np.asarray(data_x)) ** 2, -1)
        assert np.max(np.abs(np.asarray(product(data_x, used)) - exact / np.longdouble(bandwidth) ** 2)) <= float(error)
        seen.add((bool(error <= large_scale.LOG_TOLERANCE), bool(jnp.min(top) >= -large_scale.SAFE_DEPTH)))
    assert seen >= {(False, False), (True, False), (True, True)}


def test_far_from_the_origin() -> None:
    x, data_x, data_y = candidates_and_data(20, 90, 2)
    # The shift is a power of two and the coordinates are cut to 30 bits, so that shifting them is exact.
    x, data_x = jnp.round(x * 2**30) / 2**30, jnp.round(data_x * 2**30) / 2**30
    near = kernel_regression_and_density(x, data_x, data_y, 0.05)
    far = kernel_regression_and_density(x + 2.0**20, data_x + 2.0**20, data_y, 0.05)
    for one, other in zip(near, far, strict=True):
        np.testing.assert_allclose(one, other, rtol=TOLERANCE)


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("chunk", [2, 100])
def test_ties_and_duplicates_in_different_chunks(name: str, chunk: int) -> None:
    corners = jnp.asarray([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [4.0, 4.0]])
    y = jnp.asarray([1.0, 2.0, 3.0, 4.0, 10.0, -50.0])
    x = jnp.asarray([[0.5, 0.5], [0.0, 0.0], [3.9, 4.1]])
    mean, _ = kernel_regression_and_density(x, corners, y, 1e-9, SMOOTHING[name], chunk=chunk)
    np.testing.assert_allclose(mean, [4.0, 5.5, -50.0], rtol=1e-12)


@pytest.mark.parametrize("name", ["epanechnikov", "uniform"])
def test_uncovered_candidates_take_their_nearest_neighbours(name: str) -> None:
    x, data_x, data_y = candidates_and_data(40, 150, 3)
    mean, log_w = kernel_regression_and_density(x, data_x, data_y, 0.05, SMOOTHING[name], chunk=32)
    uncovered = np.asarray(log_w == -jnp.inf)
    assert 10 < uncovered.sum() < 40
    nearest = jax.vmap(lambda point: nearest_neighbour_mean(point, data_x, data_y))(x[uncovered])
    np.testing.assert_allclose(mean[uncovered], nearest, rtol=1e-12)


@pytest.mark.parametrize("bandwidth", [1e-5, 0.02, 0.3])
def test_the_chunk_does_not_matter(bandwidth: float) -> None:
    x, data_x, data_y = candidates_and_data(16, 130, 2)
    results = [kernel_regression_and_density(x, data_x, data_y, bandwidth, chunk=chunk) for chunk in (1, 13, 130, 999)]
    for mean, log_w in results[1:]:
        np.testing.assert_allclose(mean, results[0][0], rtol=1e-9)
        np.testing.assert_allclose(log_w, results[0][1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", SMOOTHING)
def test_rows_that_are_not_in_use(name: str) -> None:
    x, data_x, data_y = candidates_and_data(37, 211, 3)
    used = 150
    far = data_x.at[used:].set(1e3), data_y.at[used:].set(1e6)
    for bandwidth in (1e-3, 0.1, 0.7):
        alone = kernel_regression_and_density(x, data_x[:used], data_y[:used], bandwidth, SMOOTHING[name], chunk=64)
        masked = kernel_regression_and_density(x, *far, bandwidth, SMOOTHING[name], jnp.arange(211) < used, chunk=64)
        for one, other in zip(masked, alone, strict=True):
            np.testing.assert_allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("emitters", [False, True])
def test_both_forms_of_the_sums(emitters: bool) -> None:
    rng = np.random.default_rng(6)
    weights, y = rng.random((5, 9)), rng.standard_normal(9)
    total, moment = row_sums(jnp.asarray(weights), jnp.asarray(y), emitters)
    np.testing.assert_allclose(total, weights.sum(axis=1), rtol=1e-14)
    np.testing.assert_allclose(moment, weights @ y, rtol=1e-13)


def test_inside_a_program_and_outside() -> None:
    x, data_x, data_y = candidates_and_data(37, 211, 3)
    for bandwidth in (1e-3, 0.1, 0.7):
        inside = jax.jit(lambda h: kernel_regression_and_density(x, data_x, data_y, h, chunk=64))(bandwidth)
        outside = kernel_regression_and_density(x, data_x, data_y, bandwidth, chunk=64)
        for one, other in zip(inside, outside, strict=True):
            np.testing.assert_allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_the_scale_of_the_values(scale: float) -> None:
    x, data_x, data_y = candidates_and_data(16, 40, 2)
    mean, _ = kernel_regression_and_density(x, data_x, scale * data_y, 0.1)
    np.testing.assert_allclose(mean, scale * kernel_regression_and_density(x, data_x, data_y, 0.1)[0], rtol=1e-12)


def test_one_data_point_and_constant_values() -> None:
    x = jnp.asarray([[0.1], [0.9]])
    mean, log_w = kernel_regression_and_density(x, jnp.asarray([[0.4]]), jnp.asarray([2.5]), 0.1)
    np.testing.assert_allclose(mean, [2.5, 2.5], rtol=1e-12)
    np.testing.assert_allclose(log_w, [-4.5, -12.5], rtol=1e-12)


def test_memory_is_bounded_by_the_chunk() -> None:
    count = 100_000
    shapes = (jnp.zeros((1024, 3)), jnp.zeros((count, 3)), jnp.zeros(count), jnp.asarray(0.1), jnp.ones(count, bool))
    program = large_scale._outside().lower(*shapes, SMOOTHING["gaussian"], default_chunk(1024)).compile()
    # A copy of the data in chunks (3.2 MB) and a handful of blocks of 4 MiB; the full matrix would take 0.8 GB.
    assert program.memory_analysis().temp_size_in_bytes < 64 * 2**20


def test_bad_shapes(unchecked: None) -> None:
    x, y = jnp.zeros((5, 2)), jnp.zeros(5)
    with pytest.raises(ValueError, match="candidates and data_x"):
        kernel_regression_and_density(jnp.zeros((4, 3)), x, y, 0.1)
    with pytest.raises(ValueError, match="data_y"):
        kernel_regression_and_density(x, x, jnp.zeros(4), 0.1)
    with pytest.raises(ValueError, match="t >= 1"):
        kernel_regression_and_density(x, jnp.zeros((0, 2)), jnp.zeros(0), 0.1)
    with pytest.raises(ValueError, match="chunk"):
        kernel_regression_and_density(x, x, y, 0.1, chunk=0)
