"""Pseudo-data against scipy's nearest neighbours, and the loss D (2) against scikit-learn and scipy."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial import cKDTree
from scipy.stats import gamma, kstest, loggamma
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from core.models.gaussian_process import JITTER
from core.models.hyperparameters import DEFAULT_BOUNDS, Hyperparameters, fit_hyperparameters, gamma_prior, log_posterior
from core.models.kernels import matern52
from core.models.pseudo_data import nearest_observation, pseudo_data
from core.types import Observations
from tests.core.helpers import sample_data

DIM, USED, CAPACITY = 2, 9, 12
SHAPE, SCALE = 1e-3, 10.0
drawn = jax.jit(pseudo_data, static_argnums=2)


def observations(seed: int = 3, noise: bool = False) -> Observations:
    x, y = sample_data(USED, DIM, seed)
    y = (y - y.mean()) / y.std()
    variance = jnp.asarray(np.random.default_rng(seed).uniform(0.01, 0.1, USED)) if noise else None
    return Observations.of(jnp.asarray(x), jnp.asarray(y), noise_variance=variance, capacity=CAPACITY)


@pytest.mark.parametrize("noise", [False, True], ids=["unknown", "known"])
def test_values_and_noise_are_those_of_the_nearest_neighbour(noise: bool) -> None:
    real = observations(noise=noise)
    pseudo = drawn(jax.random.key(4), real, 2)
    assert pseudo.capacity == 2 * CAPACITY
    assert int(pseudo.count) == 2 * USED
    x = np.asarray(pseudo.x[: 2 * USED])
    _, nearest = cKDTree(np.asarray(real.x[:USED])).query(x)
    np.testing.assert_array_equal(pseudo.y[: 2 * USED], np.asarray(real.y)[nearest])
    np.testing.assert_array_equal(pseudo.noise_variance[: 2 * USED], np.asarray(real.noise_variance)[nearest])
    assert not np.any(pseudo.y[2 * USED :])
    assert not np.any(pseudo.x[2 * USED :])


def test_points_are_uniform_and_depend_on_the_key_alone() -> None:
    real = observations()
    x = np.concatenate([np.asarray(drawn(jax.random.key(seed), real, 2).x[: 2 * USED]) for seed in range(60)])
    assert min(kstest(x[:, axis], "uniform").pvalue for axis in range(DIM)) > 1e-4
    order = np.array([3, 1, 8, 0, 5, 2, 7, 4, 6, 9, 10, 11])
    shuffled = Observations(real.x[order], real.context[order], real.y[order], real.noise_variance[order], real.count)
    first, second = (drawn(jax.random.key(7), data, 2) for data in (real, shuffled))
    np.testing.assert_array_equal(first.x, second.x)
    np.testing.assert_array_equal(first.y, second.y)


def test_a_point_of_the_data_is_its_own_neighbour_and_unused_rows_are_none() -> None:
    real = observations()
    for row in range(USED):
        assert int(nearest_observation(real.x[row], real.x, real.mask)) == row
    assert int(nearest_observation(jnp.zeros(DIM), real.x, real.mask)) < USED  # unused rows lie at the origin


def loss(theta: np.ndarray, pseudo: Observations, prior: bool) -> float:
    """Minus (8), or (9), from scikit-learn's kernels and scipy's densities."""
    values, count = np.exp(theta), int(pseudo.count)
    kernel = ConstantKernel(values[-2]) * Matern(values[:-2], nu=2.5) + WhiteKernel(values[-1] + JITTER * values[-2])
    covariance, y = kernel(np.asarray(pseudo.x[:count])), np.asarray(pseudo.y[:count])
    determinant = np.linalg.slogdet(covariance)[1]
    total = -0.5 * (y @ np.linalg.solve(covariance, y) + determinant + count * np.log(2.0 * np.pi))
    return -float(total + prior * np.sum(gamma.logpdf(values, SHAPE, scale=SCALE)))


@pytest.mark.parametrize("prior", [False, True], ids=["likelihood", "map"])
def test_the_estimate_minimises_the_loss_on_the_pseudo_data(prior: bool) -> None:
    pseudo = drawn(jax.random.key(11), observations(), 2)
    density = gamma_prior(SHAPE, SCALE) if prior else None
    fit = jax.jit(lambda data: fit_hyperparameters(data, matern52, prior=density, starts=4, max_steps=100))(pseudo)
    found = fit.parameters
    theta = np.log([*found.lengthscale, found.variance, found.noise_variance])
    constant = prior * 4 * gamma.logpdf(1.0, SHAPE, scale=SCALE) + prior * 4 / SCALE
    assert float(fit.objective) == pytest.approx(-loss(theta, pseudo, prior) - constant, abs=1e-6)
    pairs = [DEFAULT_BOUNDS.lengthscale] * DIM + [DEFAULT_BOUNDS.variance, DEFAULT_BOUNDS.noise_variance]
    box = np.log(pairs)
    starts = [theta, *np.random.default_rng(0).uniform(np.log(0.03), np.log(2.0), (6, DIM + 2))]
    best = min(minimize(loss, start, (pseudo, prior), "L-BFGS-B", bounds=box).fun for start in starts)
    assert loss(theta, pseudo, prior) <= best + 0.02


def test_with_as_many_points_as_data_at_the_data_the_loss_is_the_usual_one() -> None:
    real = observations()
    pseudo = drawn(jax.random.key(2), real, 1)
    at_data = Observations(real.x, pseudo.context, real.y, pseudo.noise_variance, pseudo.count)
    theta = jnp.log(jnp.array([0.3, 0.6, 1.2, 0.02]))
    density = jax.jit(lambda data: log_posterior(data, matern52)(theta))
    usual, same, other = (float(density(data)) for data in (real, at_data, pseudo))
    assert usual == same != other


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="per_point must be at least 1"):
        pseudo_data(jax.random.key(0), observations(), 0)
    for shape, scale in ((0.0, 1.0), (1.0, 0.0), (-1.0, 1.0), (float("nan"), 1.0), (1.0, float("inf"))):
        with pytest.raises(ValueError, match="shape and scale of a Gamma prior"):
            gamma_prior(shape, scale)
    value = gamma_prior(SHAPE, SCALE)(Hyperparameters(jnp.ones(1), jnp.ones(()), jnp.ones(())))
    assert float(value) == pytest.approx(-3.0 / SCALE)


def test_the_prior_of_the_logarithms_is_a_density_of_them() -> None:
    values = np.array([0.2, 1.7, 0.4])
    theta = Hyperparameters(jnp.asarray(values[:1]), jnp.asarray(values[1]), jnp.asarray(values[2]))
    prior = gamma_prior(2.5, 0.7, of_logarithms=True)
    expected = np.sum(loggamma.logpdf(np.log(values / 0.7), 2.5) + math.lgamma(2.5) + 2.5 * math.log(0.7))
    assert float(prior(theta)) == pytest.approx(float(expected), rel=1e-12)


def test_as_a_density_of_the_hyperparameters_the_printed_prior_has_no_mode() -> None:
    real, logs = observations(), [jnp.log(jnp.array([length, length, 1.0, 0.02])) for length in (1e-4, 1e-8, 1e-40)]
    printed, used = (
        log_posterior(real, matern52, gamma_prior(SHAPE, SCALE, of_logarithms=flag)) for flag in (False, True)
    )
    assert float(printed(logs[0])) + 15.0 < float(printed(logs[1])) < float(printed(logs[2])) - 100.0
    assert float(used(logs[0])) > float(used(logs[1])) > float(used(logs[2]))
