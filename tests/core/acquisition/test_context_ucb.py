"""Bounds at shared contexts equal the process's own bounds at each point; a quantised sample stands for the sample."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.acquisition.context_ucb import ContextUcb, InterpolatedUcb, interpolation_weights, single_precision
from core.acquisition.gp_ucb import gp_ucb
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import STATIONARY
from core.search import quantization
from core.search.quantization import nearest_point
from tests.core.helpers import gradient, sample_data

DIM, CONTEXT_DIM = 2, 2
quantize = jax.jit(quantization.quantize, static_argnums=1)


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


def test_slopes_are_those_of_automatic_differentiation() -> None:
    fitted = process()
    bounds = bounds_at(fitted, jnp.concatenate([fitted.x[:3, DIM:], jnp.full((2, CONTEXT_DIM), 0.4)]))
    both = jax.jit(
        lambda x: (bounds.with_slopes(x), bounds.mean_and_variance(x), jax.jacfwd(bounds.mean_and_variance)(x))
    )
    for x in (jnp.asarray([0.37, 0.62]), fitted.x[1, :DIM]):
        (values, slopes), expected, derivatives = both(x)
        for found, wanted in zip((*values, *slopes), (*expected, *derivatives), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("context_dim", [1, 2])
def test_interpolation_from_nodes(context_dim: int) -> None:
    """Exact at the nodes, and for kernels about nodes; ever closer to the bounds as nodes are added."""
    z, y = sample_data(12, 1 + context_dim, 5)
    lengthscale = jnp.asarray([0.3, 0.4, 0.7][: 1 + context_dim])
    fitted = eqx.filter_jit(
        lambda: GaussianProcess.fit(jnp.asarray(z), jnp.asarray(y), STATIONARY["matern52"], lengthscale, 1.7, 0.02)
    )()
    rng = np.random.default_rng(1)
    contexts, x = jnp.asarray(rng.random((40, context_dim))), jnp.asarray([0.41])

    @eqx.filter_jit
    def from_nodes(nodes: jax.Array) -> tuple[jax.Array, ...]:
        bounds = InterpolatedUcb.of(fitted, nodes, contexts, 1.5)
        at_nodes = InterpolatedUcb.of(fitted, nodes, nodes, 1.5)
        return bounds(x), at_nodes(x), bounds.nodes(x), single_precision(bounds)(x)

    exact = np.asarray(bounds_at(fitted, contexts)(x))
    errors = []
    for count in (6, 24, 96):
        found, at_nodes, expected, single = from_nodes(jnp.asarray(rng.random((count, context_dim))))
        np.testing.assert_allclose(at_nodes, expected, atol=1e-6)
        np.testing.assert_allclose(single, found, atol=1e-2)
        assert single.dtype == found.dtype
        assert float(jnp.max(jnp.abs(single - found))) > 1e-9
        errors.append(float(np.max(np.abs(found - exact))))
    assert errors[2] < 0.1 * errors[1] < 0.1 * errors[0]
    assert errors[2] < 5e-3 * np.ptp(exact)
    nodes = jnp.asarray(rng.random((9, context_dim)))
    weights = np.asarray(eqx.filter_jit(interpolation_weights)(fitted, nodes, contexts))

    def kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        r = np.sqrt(5.0) * np.sqrt((((a[:, None] - b[None]) / np.asarray(lengthscale[1:])) ** 2).sum(axis=2))
        return np.asarray((1 + r + r**2 / 3) * np.exp(-r))

    about = kernel(np.asarray(nodes), np.asarray(nodes)[:2])
    np.testing.assert_allclose(weights @ about, kernel(np.asarray(contexts), np.asarray(nodes)[:2]), atol=1e-6)


def test_corrected_bounds_have_the_value_and_the_slope_of_the_exact_ones_where_they_begin() -> None:
    fitted = process()
    contexts = jnp.asarray(np.random.default_rng(4).random((30, CONTEXT_DIM)))
    exact = bounds_at(fitted, contexts)
    rough = eqx.filter_jit(InterpolatedUcb.of)(fitted, contexts[:5], contexts, 1.5)
    start = jnp.asarray([0.37, 0.62])

    @eqx.filter_jit
    def at(x: jax.Array) -> tuple[jax.Array, ...]:
        near = rough.corrected(exact, start)
        return near(x), exact(x), rough(x), jax.jacfwd(near)(x), jax.jacfwd(exact)(x)

    near, expected, before, slopes, expected_slopes = at(start)
    np.testing.assert_allclose(near, expected, rtol=1e-10)
    np.testing.assert_allclose(slopes, expected_slopes, rtol=1e-7, atol=1e-9)
    assert float(jnp.max(jnp.abs(before - expected))) > 0.02
    # Off by the square of the distance.
    errors = [float(jnp.max(jnp.abs(jnp.subtract(*at(start + step)[:2])))) for step in (0.02, 0.01)]
    assert 3.0 < errors[0] / errors[1] < 5.5


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


def test_cells_of_few_or_equal_points() -> None:
    for sample in (np.full((40, 1), 0.3), np.array([[0.1], [0.9]])):
        centres, weights = quantize(jnp.asarray(sample), 8, jnp.ones(1))
        assert centres.shape[0] == min(8, len(sample))
        assert float(jnp.sum(weights)) == pytest.approx(1.0, abs=1e-12)
        assert float(weights @ centres[:, 0]) == pytest.approx(sample.mean(), abs=1e-12)
    nearest = nearest_point(jnp.asarray([[0.1], [0.6], [0.5]]), jnp.asarray([[0.0], [1.0]]))
    np.testing.assert_array_equal(nearest, [0, 1, 0])
