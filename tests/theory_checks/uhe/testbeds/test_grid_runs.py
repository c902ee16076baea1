"""Runs on the grid against `core`."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from core.models.gaussian_process import GaussianProcess
from core.models.kernels import STATIONARY
from theory_checks.uhe.testbeds import grid_runs


def test_acquisition_on_the_grid_is_gp_ucb():
    play, rng = grid_runs.Play("ra_bo", "matern52"), np.random.default_rng(5)
    grid, queried, y = np.linspace(0, 1, 31), [2, 17, 25], rng.standard_normal(3)
    lengthscale, variance, noise, beta_t = 0.25, 1.4, 0.02, 3.0

    @jax.jit
    def posterior(x, y):
        """Mean and variance on the grid."""
        kernel = STATIONARY["matern52"]
        process = GaussianProcess.fit(x, y, kernel, jnp.asarray([lengthscale]), variance, noise)
        return jax.vmap(process.mean_and_variance)(jnp.asarray(grid)[:, None])

    mean, spread = posterior(jnp.asarray(grid[queried])[:, None], jnp.asarray(y))
    expected = int(np.argmax(np.asarray(mean) + math.sqrt(beta_t) * np.sqrt(np.asarray(spread))))
    assert play._acquire(grid, queried, y, np.array([lengthscale, variance, noise]), beta_t) == expected


def test_simple_regret_falls_and_repeats():
    play = grid_runs.Play("uhe_bo", "squared_exponential")
    first = play.regret(6, 2, 1)
    assert first.shape == (2, 6)
    assert np.all(np.diff(first, axis=1) <= 0)
    assert np.all(first >= 0)
    assert np.array_equal(first, play.regret(6, 2, 1))
