"""Gaussian-process sample paths: their law over many seeds, and the searched optimum against a denser search."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from core.models.kernels import STATIONARY
from experiments.problems import get, sample_path
from experiments.problems.gp_sample import extremes

SEEDS = 1000
LENGTHSCALES = (0.2, 0.5)
VARIANCE = 2.0
POINTS = jnp.asarray([[0.1, 0.2], [0.1, 0.2], [0.2, 0.2], [0.1, 0.6], [0.4, 0.7], [0.9, 0.9]])


@pytest.fixture(scope="module", params=["squared_exponential", "matern52"])
def draws(request):
    """Values of independent paths at POINTS, shape (SEEDS, m). Few features do: with any number of them the covariance
    is exact."""
    evaluate = jax.jit(lambda path: jax.vmap(path)(POINTS))
    paths = (sample_path(seed, 2, request.param, LENGTHSCALES, VARIANCE, features=128) for seed in range(SEEDS))
    return request.param, np.stack([np.asarray(evaluate(path)) for path in paths])


def gram(name):
    """Covariance matrix at POINTS by the kernel of core."""
    kernel = functools.partial(STATIONARY[name], lengthscale=jnp.asarray(LENGTHSCALES), variance=jnp.asarray(VARIANCE))
    return np.asarray(jax.jit(jax.vmap(lambda a: jax.vmap(lambda b: kernel(a, b))(POINTS)))(POINTS))


def test_mean_and_covariance_over_seeds_are_the_kernel(draws):
    """Every entry within five standard errors; Var(f f') = k(x,x) k(x',x') + k(x,x')^2 for Gaussians."""
    name, values = draws
    kernel = gram(name)
    assert np.all(np.abs(values.mean(axis=0)) <= 5.0 * np.sqrt(VARIANCE / SEEDS))
    error = np.sqrt((VARIANCE**2 + kernel**2) / SEEDS)
    assert np.all(np.abs(values.T @ values / SEEDS - kernel) <= 5.0 * error)


def test_covariance_check_can_tell_the_kernels_apart(draws):
    """The same check refuses the other kernel."""
    name, values = draws
    other = {"squared_exponential": "matern52", "matern52": "squared_exponential"}[name]
    kernel = gram(other)
    differences = np.mean((values[:, :, None] - values[:, None, :]) ** 2, axis=0)
    wrong = 2 * (VARIANCE - kernel)
    assert np.any(np.abs(differences - wrong) > 5.0 * wrong * np.sqrt(2.0 / SEEDS))


def test_values_and_differences_are_gaussian(draws):
    """Exactly so for values; given the frequencies for differences. Kolmogorov-Smirnov at level 1e-4 for each."""
    _, values = draws
    assert stats.kstest(values[:, 4] / np.sqrt(VARIANCE), "norm").pvalue > 1e-4
    difference = values[:, 4] - values[:, 2]
    assert stats.kstest(difference / np.sqrt(np.mean(difference**2)), "norm").pvalue > 1e-4


def test_matern_frequencies_have_the_spectral_density_in_one_dimension():
    """Frequencies times the lengthscale follow a t distribution with 2 nu = 5 degrees of freedom."""
    path = sample_path(4, 1, "matern52", 0.3)
    statistic = stats.kstest(np.asarray(path.frequency[:, 0]) * 0.3, stats.t(5).cdf).statistic
    assert statistic < 0.005  # independent frequencies would give about 0.018


@pytest.mark.parametrize(
    ("kernel", "dim", "tolerance"),
    [("squared_exponential", 1, 0.005), ("squared_exponential", 2, 0.03), ("matern52", 2, 0.06)],
)
def test_covariance_of_one_path_given_its_frequencies(kernel, dim, tolerance):
    path = sample_path(7, dim, kernel, 0.2)
    separations = np.random.default_rng(0).uniform(-1.0, 1.0, (500, dim))
    given_frequencies = np.cos(separations @ np.asarray(path.frequency).T).mean(axis=1)
    lengthscale, variance, origin = jnp.full(dim, 0.2), jnp.asarray(1.0), jnp.zeros(dim)
    at = jax.jit(jax.vmap(lambda r: STATIONARY[kernel](r, origin, lengthscale, variance)))
    expected = at(jnp.asarray(separations))
    assert np.max(np.abs(given_frequencies - np.asarray(expected))) < tolerance


PATHS = [
    (15, {"dim": 1, "seed": 3, "lengthscale": 0.05, "features": 256}),
    (15, {"dim": 2, "seed": 1, "kernel": "matern52", "variance": 9.0, "features": 256}),
    (16, {"dim": 4, "seed": 2, "lengthscale": (0.3, 0.4, 0.5, 0.6), "features": 256}),
]
"""Searched once a process."""


@pytest.mark.parametrize(("dense", "options"), PATHS)
def test_a_denser_search_finds_nothing_better(dense, options):
    problem = get("gp_sample", **options)
    highest, where, lowest = extremes(problem.formula, candidates=2**dense, starts=160, separation=0.015, seed=11)
    assert abs(highest - problem.optimum) <= 1e-9 * problem.range
    assert abs(highest - lowest - problem.range) <= 1e-9 * problem.range
    np.testing.assert_allclose(where, problem.optimizers[0], atol=1e-5)


def test_gradient_vanishes_at_the_optimizer_or_a_bound_is_active():
    for _, options in PATHS:
        problem = get("gp_sample", **options)
        x = problem.optimizers[0]
        slope = jax.jit(jax.grad(problem.value))(x)
        free = jnp.where(((x <= 0.0) & (slope < 0.0)) | ((x >= 1.0) & (slope > 0.0)), 0.0, slope)
        assert float(jnp.max(jnp.abs(free))) <= 1e-5 * float(problem.range)


def test_a_path_is_a_function_of_its_seed_and_is_kept():
    first, again = sample_path(5, 3), sample_path(5, 3)
    np.testing.assert_array_equal(first.frequency, again.frequency)
    np.testing.assert_array_equal(first.amplitude, again.amplitude)
    assert not np.array_equal(first.frequency, sample_path(6, 3).frequency)
    assert get("gp_sample1", seed=3, lengthscale=0.05) is get("gp_sample", dim=1, seed=3, lengthscale=0.05)
    by_list = get("gp_sample", dim=2, lengthscale=[0.3, 0.4], features=64)
    assert by_list is get("gp_sample", dim=2, lengthscale=(0.3, 0.4), features=64)
