"""The likelihood, its gradient and the fit on the host agree with the JAX model and with finite differences."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.host.likelihood import RESTED, Likelihood, fit
from core.models.hyperparameters import DEFAULT_BOUNDS, Hyperparameters, fit_hyperparameters, log_posterior
from core.models.kernels import matern52
from core.models.standardized import standardized
from core.types import Observations


def data(count: int, dim: int, noise: bool = False, seed: int = 0) -> Observations:
    rng = np.random.default_rng(seed)
    x = rng.random((count, dim)) ** 1.3
    y = 7.0 + np.sin(5.0 * x[:, 0]) + 3.0 * x[:, -1] ** 2 + 0.1 * rng.standard_normal(count)
    known = jnp.asarray(rng.uniform(0.01, 0.2, count)) if noise else None
    return Observations.of(jnp.asarray(x), jnp.asarray(y), noise_variance=known)


def on_host(observations: Observations) -> Likelihood:
    """The likelihood of observations in standard units."""
    known = np.asarray(observations.noise_variance).sum(axis=1)
    return Likelihood(np.asarray(observations.x), np.asarray(observations.y), known)


@pytest.mark.parametrize(("count", "dim", "noise"), [(7, 2, False), (64, 3, True), (65, 1, False), (150, 5, True)])
def test_value_and_gradient_are_those_of_the_jax_model(count: int, dim: int, noise: bool) -> None:
    standard = standardized(data(count, dim, noise))
    oracle, here = jax.jit(jax.value_and_grad(log_posterior(standard, matern52))), on_host(standard)
    rng = np.random.default_rng(1)
    for _ in range(4):
        theta = np.log([*rng.uniform(0.1, 2.0, dim), rng.uniform(0.3, 3.0), 10.0 ** rng.uniform(-5.0, -0.5)])
        value, slope = oracle(jnp.asarray(theta))
        found, gradient = here.evaluate(theta)
        np.testing.assert_allclose(found, value, rtol=1e-9)
        np.testing.assert_allclose(gradient(), slope, rtol=1e-7, atol=1e-7)


def test_the_gradient_is_that_of_finite_differences() -> None:
    here, theta, step = on_host(standardized(data(40, 3))), np.log([0.4, 0.9, 1.7, 1.3, 0.02]), 1e-5
    steps = np.eye(5) * step
    slopes = [(here.evaluate(theta + s)[0] - here.evaluate(theta - s)[0]) / (2.0 * step) for s in steps]
    np.testing.assert_allclose(here.evaluate(theta)[1](), slopes, rtol=1e-5)


def test_a_covariance_that_is_not_positive_definite_has_no_likelihood() -> None:
    twice = Likelihood(np.full((3, 2), 0.5), np.array([1.0, -1.0, 0.0]), np.full(3, -1e-3))
    value, gradient = twice.evaluate(np.log([1.0, 1.0, 1.0, 1e-4]))
    assert np.isnan([value, *gradient()]).all()


@pytest.mark.parametrize("count", [6, 30, RESTED - 1])
def test_with_few_observations_the_fit_is_that_of_jax(count: int) -> None:
    standard = standardized(data(count, 3, seed=2))
    first = np.array([0.3, 0.5, 0.9, 1.0, 0.1])
    options: Any = {"bounds": DEFAULT_BOUNDS, "starts": 2}
    initial = Hyperparameters.from_vector(jnp.asarray(first))
    oracle = fit_hyperparameters(
        standard, matern52, raw_candidates=8, initial=initial, **options
    ).parameters.to_vector()
    here = on_host(standard)
    found = fit(here, first, candidates=8, **options)
    assert here.evaluate(np.log(found))[0] == pytest.approx(here.evaluate(np.log(np.asarray(oracle)))[0], abs=1e-4)
    np.testing.assert_allclose(np.log(found), np.log(oracle), atol=2e-3)


def test_with_many_the_last_fit_stays_unless_the_likelihood_asks() -> None:
    here = on_host(standardized(data(RESTED + 12, 3, seed=3)))
    options: Any = {"bounds": DEFAULT_BOUNDS, "starts": 2, "candidates": 8}
    best = here.evaluate(np.log(fit(here, np.array([0.3, 0.5, 0.9, 1.0, 0.1]), **options)))[0]
    poor = np.array([5.0, 0.05, 0.05, 0.1, 1.0])
    for _ in range(2):
        poor = fit(here, poor, **options)
    assert here.evaluate(np.log(poor))[0] > best - 0.5
