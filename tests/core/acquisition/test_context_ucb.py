"""Bounds at shared contexts are the process's own, point by point; the quantised sample stands for the sample."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.acquisition.context_ucb import ContextUcb
from core.acquisition.gp_ucb import gp_ucb
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import STATIONARY
from core.search import quantization
from core.search.quantization import nearest_point
from tests.core.helpers import gradient, sample_data

DIM, CONTEXT_DIM = 2, 2
quantize = jax.jit(quantization.quantize, static_argnums=1)
quantile_cells = jax.jit(quantization.quantile_cells, static_argnums=1)


@eqx.filter_jit
def process(name: str = "matern52") -> GaussianProcess:
    z, y = sample_data(12, DIM + CONTEXT_DIM, 5)
    mask = jnp.arange(12) < 9
    lengthscale = jnp.asarray([0.3, 0.7, 0.2, 1.4])
    return GaussianProcess.fit(jnp.asarray(z), jnp.asarray(y - 4), STATIONARY[name], lengthscale, 1.7, 0.02, mask)


@eqx.filter_jit
def bounds_at(fitted: GaussianProcess, contexts: jax.Array) -> ContextUcb:
    return ContextUcb.of(fitted, contexts, 1.5)


@eqx.filter_jit
def at_shared_contexts(bounds: ContextUcb, x: jax.Array) -> tuple[jax.Array, ...]:
    """Bounds and means at all contexts, and bounds at two of them."""
    return bounds(x), bounds.mean(x), bounds.take(jnp.asarray([4, 0]))(x)


@eqx.filter_jit
def at_a_pair(fitted: GaussianProcess, pair: jax.Array) -> tuple[jax.Array, jax.Array]:
    return gp_ucb(pair, fitted, 1.5**2), fitted.mean(pair)


@pytest.mark.parametrize("name", STATIONARY)
def test_bounds_are_gp_ucb_at_every_pair(name: str) -> None:
    fitted = process(name)
    contexts = jnp.asarray(np.random.default_rng(1).random((7, CONTEXT_DIM)))
    bounds = bounds_at(fitted, contexts)
    assert bounds.dim == DIM
    for x in jnp.asarray([[0.2, 0.9], [0.51, 0.33]]):
        pairs = jnp.concatenate([jnp.broadcast_to(x, (7, DIM)), contexts], axis=1)
        expected, means = zip(*(at_a_pair(fitted, pair) for pair in pairs), strict=True)
        found, found_means, two = at_shared_contexts(bounds, x)
        np.testing.assert_allclose(found, expected, rtol=1e-10)
        np.testing.assert_allclose(found_means, means, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(two, found[jnp.asarray([4, 0])], rtol=1e-12)


def test_gradient_also_at_the_data() -> None:
    fitted = process()
    bounds = bounds_at(fitted, jnp.concatenate([fitted.x[:3, DIM:], jnp.full((2, CONTEXT_DIM), 0.4)]))
    mean = jax.jit(lambda x: jnp.mean(bounds(x)))
    x = np.array([0.37, 0.62])
    slope = jax.jit(jax.grad(mean))
    np.testing.assert_allclose(slope(jnp.asarray(x)), gradient(lambda p: float(mean(jnp.asarray(p))), x), atol=1e-6)
    assert bool(jnp.all(jnp.isfinite(slope(fitted.x[0, :DIM]))))


def test_a_process_without_room_for_decisions_or_without_distances_is_refused() -> None:
    fitted = process()
    with pytest.raises(ValueError, match="cannot hold contexts in 4"):
        ContextUcb.of(fitted, jnp.zeros((3, 4)), 1.5)


def test_cells_carry_the_sample() -> None:
    sample = np.random.default_rng(2).normal(0.5, 0.15, (500, 2))
    centres, weights = (np.asarray(part) for part in quantize(jnp.asarray(sample), 32, jnp.asarray([0.3, 2.0])))
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(weights @ centres, sample.mean(axis=0), rtol=1e-12)  # exact for linear functions
    smooth = lambda c: np.sin(4 * c[:, 0]) * np.exp(c[:, 1] / 3)  # noqa: E731
    assert weights @ smooth(centres) == pytest.approx(smooth(sample).mean(), abs=2e-3)
    # Twenty times nearer than as many points of the sample are.
    plain = [abs(smooth(sample[k : k + 32]).mean() - smooth(sample).mean()) for k in range(0, 480, 32)]
    assert abs(weights @ smooth(centres) - smooth(sample).mean()) < np.mean(plain) / 20


@pytest.mark.parametrize(("size", "count"), [(500, 32), (7, 3), (4, 9), (1, 1), (64, 64)])
def test_cells_of_a_sample_on_the_line_are_runs_of_the_sorted_sample(size: int, count: int) -> None:
    sample = np.random.default_rng(size).random(size)
    means, shares = quantile_cells(jnp.asarray(sample), count)
    runs = np.array_split(np.sort(sample), min(count, size))
    assert sorted(round(float(share) * size) for share in shares) == sorted(len(run) for run in runs)
    assert float(jnp.sum(shares)) == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(shares @ means, sample.mean(), rtol=1e-12)
    bounds = np.cumsum([0, *(round(float(share) * size) for share in shares)])
    expected = [np.sort(sample)[first:last].mean() for first, last in zip(bounds[:-1], bounds[1:], strict=True)]
    np.testing.assert_allclose(means, expected, rtol=1e-12)


def test_cells_of_few_or_equal_points() -> None:
    for sample in (np.full((40, 1), 0.3), np.array([[0.1], [0.9]])):
        centres, weights = quantize(jnp.asarray(sample), 8, jnp.ones(1))
        assert centres.shape[0] == min(8, len(sample))
        assert float(jnp.sum(weights)) == pytest.approx(1.0, abs=1e-12)
        assert float(weights @ centres[:, 0]) == pytest.approx(sample.mean(), abs=1e-12)
    nearest = nearest_point(jnp.asarray([[0.1], [0.6], [0.5]]), jnp.asarray([[0.0], [1.0]]))
    np.testing.assert_array_equal(nearest, [0, 1, 0])
