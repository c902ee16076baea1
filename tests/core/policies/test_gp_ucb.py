"""GP-UCB, without and with refits, against brute force over a dense grid with scikit-learn's posterior."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from core.models.gaussian_process import JITTER
from core.models.hyperparameters import Hyperparameters
from core.policies import make
from core.types import Observations
from tests.core.policies.dense_grid import EFFORT, GRID, OBSERVATIONS, X, Y, Z, propose


def test_gp_ucb_maximises_equation_a3() -> None:
    query, info = propose("gp_ucb", lengthscale=0.3, noise_scale=0.2, beta=2.5)
    oracle = GaussianProcessRegressor(RBF(0.3), alpha=0.04 + JITTER, optimizer=None).fit(X, Z)
    mean, deviation = oracle.predict(np.concatenate([GRID, query[None]]), return_std=True)
    score = mean + np.sqrt(2.5) * deviation
    assert score[-1] >= score.max() - 1e-9
    assert info["acquisition"] == pytest.approx(score[-1], rel=1e-7)


def test_gp_ucb_takes_known_noise_in_the_unit_of_y() -> None:
    noise = np.linspace(0.05, 2.0, 9)
    observations = Observations.of(jnp.asarray(X), jnp.asarray(Y), noise_variance=jnp.asarray(noise), capacity=12)
    oracle = GaussianProcessRegressor(RBF(0.3), alpha=noise / Y.var() + JITTER, optimizer=None).fit(X, Z)
    policy = make("gp_ucb", 2, effort=EFFORT, lengthscale=0.3)
    surrogate = policy.surrogate((), observations)
    np.testing.assert_allclose(surrogate[:9], Y.mean() + Y.std() * oracle.predict(X), rtol=1e-8)
    refit = make("gp_ucb_refit", 2, effort=EFFORT)
    theta = Hyperparameters(jnp.full(2, 0.3), jnp.asarray(1.0), jnp.asarray(0.2))
    both = GaussianProcessRegressor(RBF(0.3), alpha=noise / Y.var() + 0.2 + JITTER, optimizer=None).fit(X, Z)
    np.testing.assert_allclose(
        refit.surrogate(theta, observations)[:9], Y.mean() + Y.std() * both.predict(X), rtol=1e-8
    )


def test_gp_ucb_refit_uses_its_state() -> None:
    policy = make("gp_ucb_refit", 2, effort=EFFORT, beta=2.5)
    state = eqx.filter_jit(policy.update)(policy.init(jax.random.key(0)), OBSERVATIONS)
    query, _, info = eqx.filter_jit(policy.propose)(jax.random.key(0), state, OBSERVATIONS)
    kernel = float(state.variance) * RBF(np.asarray(state.lengthscale))
    alpha = float(state.noise_variance) + JITTER * float(state.variance)
    oracle = GaussianProcessRegressor(kernel, alpha=alpha, optimizer=None).fit(X, Z)
    mean, deviation = oracle.predict(np.concatenate([GRID, np.asarray(query)[None]]), return_std=True)
    score = mean + np.sqrt(2.5) * deviation
    assert score[-1] >= score.max() - 1e-7
    assert float(info["variance"]) == float(state.variance)
