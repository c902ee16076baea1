"""Density exploration, GP exploration and random search against brute force and moments."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern

from core.models.gaussian_process import JITTER
from core.policies import make
from core.types import Observations
from tests.core.policies.dense_grid import GRID, OBSERVATIONS, X, Y, gaussian_weights, propose


def test_density_exploration_minimises_the_density_and_ignores_the_values() -> None:
    query, _ = propose("density_exploration", bandwidth=0.8)
    h = 0.8 * X.std(axis=0, ddof=1) * 9 ** (-1 / 6)
    density = gaussian_weights(GRID, h).sum(1)
    assert gaussian_weights(query[None], h).sum() <= density.min() * (1 + 1e-9)
    blind = Observations.of(jnp.asarray(X), jnp.asarray(-7.0 * Y**2), capacity=12)
    np.testing.assert_array_equal(propose("density_exploration", blind, bandwidth=0.8)[0], query)


def test_gp_exploration_maximises_the_posterior_variance() -> None:
    query, info = propose("gp_exploration", lengthscale=0.4)
    oracle = GaussianProcessRegressor(Matern(0.4, nu=2.5), alpha=JITTER, optimizer=None).fit(X, 0 * Y)
    deviation = oracle.predict(np.concatenate([GRID, query[None]]), return_std=True)[1]
    assert deviation[-1] >= deviation.max() - 1e-7
    assert info["acquisition"] == pytest.approx(deviation[-1], rel=1e-5)


def test_random_search_is_uniform() -> None:
    policy = make("random_search", 2)
    draw = jax.vmap(lambda key: policy.propose(key, (), OBSERVATIONS)[0])
    points = np.asarray(draw(jax.random.split(jax.random.key(0), 4000)))
    np.testing.assert_allclose(points.mean(0), 0.5, atol=4 / np.sqrt(12 * 4000))
    np.testing.assert_allclose(points.var(0), 1 / 12, atol=0.006)
