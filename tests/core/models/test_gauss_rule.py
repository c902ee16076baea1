"""Gauss rules of discrete measures: exactness, classical rules, measures with few, close or repeated points."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import eval_chebyt

from core.models.gauss_rule import gauss_rule

RULE = jax.jit(gauss_rule, static_argnums=2)


def moments(points, weights, low, high, degree):
    """Integrals of Chebyshev polynomials, scaled to [low, high]: well conditioned, unlike powers."""
    scaled = (2 * np.asarray(points) - low - high) / (high - low)
    return np.array([np.asarray(weights) @ eval_chebyt(k, scaled) for k in range(degree + 1)])


def measures(rng):
    spread = rng.normal(size=500)
    yield spread, np.ones(500) / 500
    yield 3.0 + 0.01 * rng.random(500), rng.random(500)
    yield np.concatenate([1e-7 * spread[:300], 5 + 1e-7 * spread[300:]]), rng.exponential(size=500)
    yield rng.integers(0, 40, 500) / 7.0, np.ones(500)
    yield np.clip(spread, -0.5, 1.0), rng.random(500)


@pytest.mark.parametrize("nodes", [1, 5, 16, 64])
def test_polynomials_up_to_twice_the_nodes_less_one(nodes):
    for points, weights in measures(np.random.default_rng(0)):
        found, masses = RULE(jnp.asarray(points), jnp.asarray(weights), nodes)
        low, high = points.min(), points.max()
        assert found.min() >= low - 1e-12 * (high - low)
        assert found.max() <= high + 1e-12 * (high - low)
        assert np.all(np.diff(found) >= 0)
        assert masses.min() >= 0
        expected = moments(points, weights, low, high, 2 * nodes - 1)
        assert moments(found, masses, low, high, 2 * nodes - 1) == pytest.approx(expected, abs=1e-11 * weights.sum())


def test_one_degree_more_is_not_exact():
    points = np.random.default_rng(1).normal(size=50)
    found, masses = RULE(jnp.asarray(points), jnp.ones(50), 4)
    low, high = points.min(), points.max()
    difference = moments(found, masses, low, high, 8) - moments(points, np.ones(50), low, high, 8)
    assert abs(difference[8]) > 1e-3


@pytest.mark.parametrize(
    "classical",
    [np.polynomial.legendre.leggauss, np.polynomial.hermite_e.hermegauss, np.polynomial.chebyshev.chebgauss],
)
def test_classical_rules_from_larger_ones(classical):
    points, weights = classical(40)
    expected, masses = classical(9)
    found = RULE(jnp.asarray(points), jnp.asarray(weights), 9)
    assert found[0] == pytest.approx(np.sort(expected), abs=1e-12 * np.abs(points).max())
    assert found[1] == pytest.approx(masses, abs=1e-12 * weights.sum())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-20, 20), min_size=1, max_size=6, unique=True), st.integers(0, 1000))
def test_few_distinct_points_are_their_own_rule(places, seed):
    rng = np.random.default_rng(seed)
    points = rng.choice(places, size=12)
    points[: len(places)] = places
    weights = rng.random(12) + 0.1
    found, masses = RULE(jnp.asarray(points, float), jnp.asarray(weights), 8)
    for place in places:
        near = np.abs(np.asarray(found) - place) < 1e-8
        assert float(np.asarray(masses)[near].sum()) == pytest.approx(weights[points == place].sum(), rel=1e-8)
    assert float(masses.sum()) == pytest.approx(weights.sum())


def test_smooth_integrand_over_samples():
    samples = 0.4 + 0.15 * np.random.default_rng(2).normal(size=1024)

    def integrand(c):
        return np.exp(np.sin(5 * c)) / (1 + c**2)

    found, masses = RULE(jnp.asarray(samples), jnp.full(1024, 1 / 1024), 32)
    assert np.asarray(masses) @ integrand(np.asarray(found)) == pytest.approx(integrand(samples).mean(), abs=1e-11)


def test_batched_rules_are_those_of_each():
    points = np.random.default_rng(3).normal(size=(3, 30))
    points[1, :20] = points[1, 0]
    weights = np.random.default_rng(4).random((3, 30))
    batched = jax.vmap(lambda c, w: gauss_rule(c, w, 6))(jnp.asarray(points), jnp.asarray(weights))
    for k in range(3):
        alone = gauss_rule(jnp.asarray(points[k]), jnp.asarray(weights[k]), 6)
        assert np.asarray(batched[0][k]) == pytest.approx(np.asarray(alone[0]), abs=1e-12)
        assert np.asarray(batched[1][k]) == pytest.approx(np.asarray(alone[1]), abs=1e-12)


def test_no_nodes_are_refused():
    with pytest.raises(ValueError, match="nodes"):
        gauss_rule(jnp.arange(3.0), jnp.ones(3), 0)
