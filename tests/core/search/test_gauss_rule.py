"""Gauss rules of discrete measures, against moments, numpy's Legendre rule and the measure itself."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.search.gauss_rule import gauss_rule, jacobi_matrix

RNG = np.random.default_rng(5)
SAMPLES = {
    "normal": np.clip(RNG.normal(0.5, 0.15, 700), 0, 1),
    "two clusters": np.concatenate([RNG.normal(0.1, 1e-3, 300), RNG.normal(0.9, 1e-3, 400)]),
    "faces": np.clip(RNG.normal(0.5, 1.0, 700), 0, 1),
}


def rule(points: np.ndarray, weights: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    matrix = jax.jit(jacobi_matrix, static_argnums=2)(jnp.asarray(points), jnp.asarray(weights), count)
    nodes, masses = gauss_rule(matrix)
    return np.asarray(nodes), np.asarray(masses)


@pytest.mark.parametrize("count", [1, 2, 7, 16])
@pytest.mark.parametrize("name", SAMPLES)
def test_exact_for_polynomials_of_degree_2k_minus_1_and_not_of_2k(name: str, count: int) -> None:
    points = SAMPLES[name]
    weights = RNG.random(len(points))
    nodes, masses = rule(points, weights, count)
    assert np.all(masses >= 0)
    assert masses.sum() == pytest.approx(1.0, abs=1e-13)
    assert nodes.min() >= points.min() - 1e-13
    assert nodes.max() <= points.max() + 1e-13
    for degree in range(2 * count):
        legendre = np.polynomial.legendre.Legendre.basis(degree, domain=[0.0, 1.0])
        expected = weights @ legendre(points) / weights.sum()
        assert masses @ legendre(nodes) == pytest.approx(expected, abs=1e-12), degree
    square = np.prod([(points - node) ** 2 for node in nodes], axis=0)  # of degree 2k, zero at the nodes
    assert weights @ square / weights.sum() > 0


def test_a_fine_lattice_has_the_rule_of_the_uniform_distribution() -> None:
    nodes, masses = rule((np.arange(200_000) + 0.5) / 200_000, np.ones(200_000), 9)
    expected, lengths = np.polynomial.legendre.leggauss(9)
    np.testing.assert_allclose(nodes, 0.5 + 0.5 * expected, atol=1e-8)
    np.testing.assert_allclose(masses, 0.5 * lengths, atol=1e-8)


def test_orthogonality_survives_many_nodes() -> None:
    points = SAMPLES["normal"]
    nodes, masses = rule(points, np.ones(len(points)), 64)
    for frequency in (1.0, 20.0, 60.0):
        expected = np.mean(np.cos(frequency * points))
        assert masses @ np.cos(frequency * nodes) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("distinct", [1, 2, 5])
def test_fewer_distinct_points_than_nodes_are_the_rule(distinct: int) -> None:
    values = np.sort(RNG.random(distinct))
    points = values[RNG.integers(0, distinct, 200)]
    points[:distinct] = values
    nodes, masses = rule(points, np.ones(200), 12)
    assert np.all(np.isfinite(nodes))
    for value in values:
        near = np.abs(nodes - value) < 1e-9
        assert masses[near].sum() == pytest.approx(np.mean(points == value), abs=1e-12)


def test_points_of_weight_zero_do_not_count() -> None:
    points = SAMPLES["normal"]
    weights = np.where(points < 0.5, 1.0, 0.0)
    some, all_points = rule(points[points < 0.5], np.ones((points < 0.5).sum()), 6), rule(points, weights, 6)
    np.testing.assert_allclose(all_points[0], some[0], atol=1e-12)
    np.testing.assert_allclose(all_points[1], some[1], atol=1e-12)


def test_leading_blocks_are_the_smaller_rules() -> None:
    points = jnp.asarray(SAMPLES["faces"])
    weights = jnp.ones(points.shape[0])
    large, small = jacobi_matrix(points, weights, 20), jacobi_matrix(points, weights, 6)
    np.testing.assert_allclose(large[:6, :6], small, atol=1e-14)
