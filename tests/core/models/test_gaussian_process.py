"""The Gaussian process against scikit-learn; information gain against numpy's log determinant and brute force."""

import functools
import itertools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Kernel, Matern

from core.models.gaussian_process import (
    JITTER,
    GaussianProcess,
    cholesky,
    gaussian_log_likelihood,
    gram_matrix,
    greedy_information_gain,
    information_gain,
)
from core.models.kernels import STATIONARY, squared_exponential
from tests.core.helpers import gradient, sample_data

LENGTHSCALE, VARIANCE = np.array([0.31, 0.9]), 2.3
X, Y = sample_data(12, 2, 7)
Y = Y - 5.0
NOISE = np.linspace(0.01, 0.4, 12)  # heteroscedastic
POINTS = np.random.default_rng(2).uniform(-0.3, 1.3, (6, 2))


def scikit_kernel(name: str) -> Kernel:
    inner = RBF(LENGTHSCALE) if name == "squared_exponential" else Matern(LENGTHSCALE, nu=int(name[-2]) / int(name[-1]))
    return ConstantKernel(VARIANCE) * inner


def scikit(name: str, noise: np.ndarray | float) -> GaussianProcessRegressor:
    jitter = JITTER * VARIANCE
    return GaussianProcessRegressor(scikit_kernel(name), alpha=noise + jitter, optimizer=None).fit(X, Y)


@functools.lru_cache
def posterior(name: str) -> Callable:
    """Everything at once: one compiled program for every test of a kernel."""

    @jax.jit
    def evaluate(x: jax.Array, y: jax.Array, noise: jax.Array, mask: jax.Array, points: jax.Array) -> dict:
        process = GaussianProcess.fit(x, y, STATIONARY[name], jnp.asarray(LENGTHSCALE), VARIANCE, noise, mask)
        mean, variance = jax.vmap(process.mean_and_variance)(points)
        return {
            "mean": jax.vmap(process.mean)(points),
            "mean_again": mean,
            "variance": variance,
            "covariance": jax.vmap(lambda a: jax.vmap(lambda b: process.covariance(a, b))(points))(points),
            "likelihood": process.log_marginal_likelihood(),
            "slope_of_mean": jax.vmap(jax.grad(process.mean))(points),
            "slope_of_variance": jax.vmap(jax.grad(process.variance_at))(points),
        }

    return evaluate


def fit(name: str, noise: np.ndarray | float = NOISE, points: np.ndarray = POINTS) -> dict:
    full = jnp.broadcast_to(jnp.asarray(noise, float), (12,))
    return posterior(name)(jnp.asarray(X), jnp.asarray(Y), full, jnp.ones(12, bool), jnp.asarray(points))


@pytest.mark.parametrize("name", STATIONARY)
@pytest.mark.parametrize("noise", [NOISE, 0.05], ids=["heteroscedastic", "homoscedastic"])
def test_posterior_and_likelihood_are_scikit_learns(name: str, noise: np.ndarray | float) -> None:
    ours, oracle = fit(name, noise), scikit(name, noise)
    mean, covariance = oracle.predict(POINTS, return_cov=True)
    np.testing.assert_allclose(ours["mean"], mean, rtol=1e-9)
    np.testing.assert_allclose(ours["mean_again"], mean, rtol=1e-9)
    np.testing.assert_allclose(ours["covariance"], covariance, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours["variance"], np.diag(covariance), rtol=1e-8, atol=1e-10)
    expected = oracle.log_marginal_likelihood(oracle.kernel_.theta)
    assert float(ours["likelihood"]) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("name", STATIONARY)
def test_gradients_match_finite_differences_of_the_oracle(name: str) -> None:
    ours, oracle = fit(name), scikit(name, NOISE)
    for row in (0, 3):
        mean_slope = gradient(lambda p: oracle.predict(p[None])[0], POINTS[row], 1e-5)
        variance_slope = gradient(lambda p: oracle.predict(p[None], return_cov=True)[1][0, 0], POINTS[row], 1e-5)
        np.testing.assert_allclose(ours["slope_of_mean"][row], mean_slope, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(ours["slope_of_variance"][row], variance_slope, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", STATIONARY)
def test_gradients_at_the_data_are_finite_without_noise(name: str) -> None:
    ours = fit(name, 0.0, X[:6])
    np.testing.assert_allclose(ours["mean"], Y[:6], rtol=1e-5, atol=1e-6)  # interpolation
    assert float(jnp.max(ours["variance"])) < 1e-8
    assert all(bool(jnp.isfinite(part).all()) for part in ours.values())


@given(seed=st.integers(0, 10**6), rows=st.integers(1, 12))
@settings(max_examples=20)
def test_unused_rows_and_their_order_change_nothing(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(12)
    used = np.zeros(12, bool)
    used[order[:rows]] = True
    y = np.where(used, Y, 1e6 * rng.normal(size=12))
    noise = np.where(used, NOISE, -1.0)
    ours = posterior("matern52")(X[order], y[order], noise[order], used[order], POINTS)
    oracle = GaussianProcessRegressor(scikit_kernel("matern52"), alpha=NOISE[used] + JITTER * VARIANCE, optimizer=None)
    oracle.fit(X[used], Y[used])
    mean, covariance = oracle.predict(POINTS, return_cov=True)
    np.testing.assert_allclose(ours["mean"], mean, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours["covariance"], covariance, rtol=1e-8, atol=1e-10)
    assert float(ours["likelihood"]) == pytest.approx(oracle.log_marginal_likelihood(oracle.kernel_.theta), rel=1e-9)


def test_no_rows_in_use_give_the_prior() -> None:
    ours = posterior("matern52")(X, Y, NOISE, np.zeros(12, bool), POINTS)
    np.testing.assert_array_equal(ours["mean"], 0.0)
    np.testing.assert_allclose(ours["variance"], VARIANCE)
    assert float(ours["likelihood"]) == 0.0


def test_duplicates_are_their_mean_with_less_noise() -> None:
    # Lemma 10: n observations at one point with noise s^2 are one observation, their mean, with noise s^2 / n.
    x = np.concatenate([X[:4], X[3:4], X[3:4]])
    y = np.array([1.0, -2.0, 0.5, 3.0, 5.0, 4.6])
    merged = np.array([1.0, -2.0, 0.5, 4.2])

    @jax.jit
    def posterior(x: jax.Array, y: jax.Array, noise: jax.Array) -> tuple[jax.Array, jax.Array]:
        process = GaussianProcess.fit(x, y, squared_exponential, jnp.asarray(LENGTHSCALE), 1.0, noise)
        return jax.vmap(process.mean_and_variance)(jnp.asarray(POINTS[:3]))

    many, few = posterior(x, y, np.full(6, 0.3)), posterior(X[:4], merged, np.array([0.3, 0.3, 0.3, 0.1]))
    np.testing.assert_allclose(many, few, rtol=1e-8)


@pytest.mark.parametrize("copies", [2, 200])
@pytest.mark.parametrize("name", STATIONARY)
def test_noise_free_duplicates_factorise(name: str, copies: int) -> None:
    x = jnp.concatenate([jnp.asarray(X[:3]), jnp.tile(jnp.asarray(X[:1]), (copies, 1))])
    y = jnp.concatenate([jnp.asarray(Y[:3]), jnp.tile(jnp.asarray(Y[:1]), copies)])

    @jax.jit
    def at_the_first(x: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:
        process = GaussianProcess.fit(x, y, STATIONARY[name], jnp.asarray(LENGTHSCALE), 1e6, 0.0)
        return process.mean_and_variance(jnp.asarray(X[0]))

    mean, variance = at_the_first(x, y)
    assert float(mean) == pytest.approx(Y[0], rel=1e-5)
    assert 0.0 <= float(variance) < 1.0  # of 1e6


def test_dense_noise_free_designs_factorise() -> None:
    grid = jnp.linspace(0.2, 0.3, 60)[:, None]

    @jax.jit
    def fit(y: jax.Array) -> tuple[jax.Array, jax.Array]:
        process = GaussianProcess.fit(grid, y, squared_exponential, jnp.array([0.5]), 1.0, 0.0)
        return process.factor, process.mean(jnp.array([0.2512]))

    factor, mean = fit(jnp.sin(9.0 * grid[:, 0]))
    assert bool(jnp.isfinite(factor).all())
    assert float(mean) == pytest.approx(np.sin(9 * 0.2512), abs=1e-4)


def test_cholesky_of_an_indefinite_matrix_is_nan_as_documented() -> None:
    assert bool(jnp.isnan(cholesky(jnp.array([[1.0, 2.0], [2.0, 1.0]]))).any())


def gram(count: int, seed: int) -> np.ndarray:
    x = jnp.asarray(sample_data(count, 2, seed)[0])
    gram_of = jax.jit(lambda x: gram_matrix(squared_exponential, x, x, jnp.array([0.2, 0.5]), jnp.asarray(1.7)))
    return np.asarray(gram_of(x))


@pytest.mark.parametrize("noise", [0.3, np.linspace(0.05, 0.9, 9)], ids=["one", "each"])
def test_information_gain_is_half_a_log_determinant(noise: np.ndarray | float) -> None:
    covariance = gram(9, 8)
    expected = 0.5 * np.linalg.slogdet(np.eye(9) + covariance / np.broadcast_to(noise, 9)[:, None])[1]
    got = jax.jit(information_gain)(jnp.asarray(covariance), jnp.asarray(noise))
    assert float(got) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("noise", [0.1, np.linspace(0.05, 0.9, 6)], ids=["one", "each"])
def test_greedy_information_gain(noise: np.ndarray | float) -> None:
    covariance, rounds = gram(6, 9), 4
    each = np.broadcast_to(noise, 6)
    gains, chosen = greedy_information_gain(jnp.asarray(covariance), jnp.asarray(noise), rounds)

    def exact(rows: tuple[int, ...]) -> float:
        index = np.array(rows)
        scaled = covariance[np.ix_(index, index)] / each[index][:, None]
        return 0.5 * np.linalg.slogdet(np.eye(len(rows)) + scaled)[1]

    # Each prefix is worth what the determinant says, and each step is the best single step (points may repeat).
    picks: tuple[int, ...] = ()
    for step, pick in enumerate(np.asarray(chosen)):
        best = max(exact((*picks, row)) for row in range(6))
        picks = (*picks, int(pick))
        assert exact(picks) == pytest.approx(best, rel=1e-12)
        assert float(gains[step]) == pytest.approx(exact(picks), rel=1e-10)
    # And the two sides of the bound of submodular functions.
    for size in range(1, rounds + 1):
        optimum = max(exact(rows) for rows in itertools.combinations_with_replacement(range(6), size))
        assert float(gains[size - 1]) <= optimum + 1e-12
        assert optimum <= float(gains[size - 1]) / (1 - np.exp(-1))


@pytest.mark.parametrize("fit_mean", [False, True])
def test_log_likelihood_and_its_gradient(fit_mean: bool) -> None:
    """Value against scipy, gradient against central differences, batched, with a row that is unused."""
    covariance = np.asarray(
        gram_matrix(squared_exponential, *[jnp.asarray(X)] * 2, jnp.asarray(LENGTHSCALE), jnp.asarray(VARIANCE))
    )
    covariance = covariance + np.diag(NOISE)
    directions = 0.005 * np.random.default_rng(4).normal(size=(2, *covariance.shape))
    directions = directions + directions.transpose(0, 2, 1)

    def of(theta: jax.Array) -> jax.Array:
        moved = jnp.asarray(covariance) + jnp.tensordot(theta, jnp.asarray(directions), 1)
        return jnp.eye(13).at[:12, :12].set(moved)

    def oracle(theta: np.ndarray) -> float:
        moved = covariance + np.tensordot(theta, directions, 1)
        weights = np.linalg.solve(moved, np.ones(12))
        mean = weights @ Y / weights.sum() if fit_mean else 0.0
        return float(multivariate_normal(np.full(12, mean), moved).logpdf(Y))

    likelihood = gaussian_log_likelihood(of, jnp.asarray(np.append(Y, 7.0)), jnp.arange(13) < 12, fit_mean=fit_mean)
    at, step = np.array([[0.0, 0.0], [0.3, -0.2]]), 1e-5
    np.testing.assert_allclose(jax.jit(jax.vmap(likelihood))(at), [oracle(theta) for theta in at], rtol=1e-12)
    differences = [
        [(oracle(theta + step * axis) - oracle(theta - step * axis)) / (2 * step) for axis in np.eye(2)] for theta in at
    ]
    np.testing.assert_allclose(jax.jit(jax.vmap(jax.grad(likelihood)))(at), differences, rtol=1e-6)
