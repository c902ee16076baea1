"""Bandwidth rules against `scipy.stats.gaussian_kde` and A (28) and (29)."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import gaussian_kde

from core.models import bandwidth
from core.models.bandwidth import SMALLEST_DEVIATION, deviations, overall, scott_rate
from core.models.density import density, normalized_density_1d
from tests.core.helpers import sample_data

RULES = {name: jax.jit(rule) for name, rule in bandwidth.RULES.items()}
FOLLOWING = ("scott", "silverman")


def data(count: int, dim: int) -> jax.Array:
    return jnp.asarray(sample_data(count, dim, 40 + dim)[0])


@pytest.mark.parametrize("dim", [1, 3, 6])
@pytest.mark.parametrize("rule", FOLLOWING)
def test_bandwidths_are_those_of_scipys_kernel_density_estimate(rule: str, dim: int) -> None:
    x = data(23, dim)
    oracle = gaussian_kde(np.asarray(x).T, bw_method=rule)
    expected = np.sqrt(np.diag(np.atleast_2d(oracle.covariance)))
    np.testing.assert_allclose(RULES[rule](x, 1.0), expected, rtol=1e-12)
    np.testing.assert_allclose(RULES[rule](x, 0.3), 0.3 * expected, rtol=1e-12)


@pytest.mark.parametrize("rule", FOLLOWING)
def test_the_density_is_scipys_on_the_line(rule: str) -> None:
    x = data(17, 1)
    points = np.linspace(-0.4, 1.4, 31)
    h = RULES[rule](x, 1.0)[0]
    ours = jax.jit(jax.vmap(lambda point: normalized_density_1d(point, x[:, 0], h)))(jnp.asarray(points))
    np.testing.assert_allclose(ours, gaussian_kde(np.asarray(x[:, 0]), bw_method=rule)(points), rtol=1e-10)


def test_the_density_is_scipys_where_axes_are_uncorrelated() -> None:
    first, second = np.array([0.1, 0.15, 0.4, 0.9]), 0.2 * np.array([0.3, 1.1, 1.2])
    x = np.stack(np.meshgrid(first, second), -1).reshape(-1, 2)  # a product: no sample covariance
    h = RULES["scott"](jnp.asarray(x), 1.0)
    points = np.random.default_rng(3).uniform(-0.2, 1.2, (20, 2))
    ours = jax.jit(jax.vmap(lambda point: density(point, jnp.asarray(x), h)))(jnp.asarray(points))
    volume = 2.0 * np.pi * float(jnp.prod(h)) * len(x)
    np.testing.assert_allclose(np.asarray(ours) / volume, gaussian_kde(x.T)(points.T), rtol=1e-10)


@pytest.mark.parametrize("dim", [1, 2, 6])
@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_rules_that_look_at_the_number_alone(count: int, dim: int) -> None:
    x = data(count, dim)
    assert float(RULES["scott_box"](x, 0.3)) == pytest.approx(0.3 * dim**0.5 * count ** (-1 / (dim + 4)), rel=1e-13)
    assert float(RULES["silverman_box"](x, 0.3)) == pytest.approx(
        0.3 * dim**0.5 * (count * (dim + 2) / 4) ** (-1 / (dim + 4)), rel=1e-13
    )
    assert float(RULES["scott_sides"](x, 0.3)) == pytest.approx(0.3 * dim * count ** (-1 / (dim + 4)), rel=1e-13)
    assert float(RULES["spacing"](x, 0.3)) == pytest.approx(0.3 * count ** (-1 / dim), rel=1e-13)
    assert float(RULES["fixed"](x, 0.3)) == 0.3
    assert float(scott_rate(count, dim)) == pytest.approx(count ** (-1 / (dim + 4)), rel=1e-13)


@pytest.mark.parametrize("rule", RULES)
def test_masked_rows_do_not_count(rule: str) -> None:
    x = data(9, 2)
    padded = jnp.concatenate([x[:4], jnp.full((3, 2), 7.0), x[4:]])
    mask = jnp.asarray([True] * 4 + [False] * 3 + [True] * 5)
    np.testing.assert_allclose(RULES[rule](padded, 0.4, mask), RULES[rule](x, 0.4), rtol=1e-13)
    batched = jax.jit(jax.vmap(RULES[rule], in_axes=(0, None, 0)))(
        jnp.stack([padded, padded]), 0.4, jnp.stack([mask, mask])
    )
    np.testing.assert_allclose(batched[1], RULES[rule](x, 0.4), rtol=1e-13)


@pytest.mark.parametrize("rule", FOLLOWING)
def test_an_axis_has_the_bandwidth_of_its_own_spread(rule: str) -> None:
    x = data(12, 3)
    h = RULES[rule](x, 1.0)
    stretched = 2.5 + x * jnp.asarray([1.0, 4.0, 0.5])[None, :]
    np.testing.assert_allclose(RULES[rule](stretched, 1.0), h * jnp.asarray([1.0, 4.0, 0.5]), rtol=1e-12)


def test_a_collapsed_axis_keeps_the_floor() -> None:
    x = data(8, 3).at[:, 1].set(0.37)
    found = jax.jit(deviations)(x)
    assert float(found[1]) == SMALLEST_DEVIATION
    np.testing.assert_allclose(found[::2], np.asarray(x).std(axis=0, ddof=1)[::2], rtol=1e-12)
    one = RULES["scott"](x[:1], 0.7)
    np.testing.assert_allclose(one, 0.7 * SMALLEST_DEVIATION, rtol=1e-13)
    none = RULES["scott"](x, 0.7, jnp.zeros(8, bool))
    np.testing.assert_allclose(none, one, rtol=1e-13)
    slope = jax.jit(jax.grad(lambda points: jnp.sum(RULES["scott"](points, 1.0))))(x)
    assert bool(jnp.all(jnp.isfinite(slope)))


def test_bandwidths_stay_within_the_bounds_stated() -> None:
    corners = jnp.asarray([[0.0, 0.5], [1.0, 0.5]])
    lowest, highest = SMALLEST_DEVIATION * 2 ** (-1 / 6), 0.5**0.5 * 2 ** (-1 / 6)
    np.testing.assert_allclose(RULES["scott"](corners, 1.0), [highest, lowest], rtol=1e-12)


def test_the_overall_bandwidth_is_the_geometric_mean() -> None:
    assert float(overall(jnp.asarray([0.1, 0.4]))) == pytest.approx(0.2, rel=1e-14)
    assert float(overall(0.3)) == 0.3
