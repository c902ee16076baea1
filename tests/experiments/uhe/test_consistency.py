"""The study of consistency: its likelihood against the method's likelihood, and its stored arrays."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.models.hyperparameters import log_posterior
from core.models.kernels import STATIONARY
from core.types import Observations
from experiments.uhe import consistency, iid_consistency, likelihood

RNG = np.random.default_rng(3)
X, Y = RNG.random((12, 2)), RNG.standard_normal(12)
THETA = np.log([0.3, 0.7, 1.7, 0.05])


@pytest.mark.parametrize("kernel", sorted(likelihood.PROFILES))
def test_likelihood_and_gradient_are_those_of_the_method(kernel):
    objective = log_posterior(Observations.of(jnp.asarray(X), jnp.asarray(Y)), STATIONARY[kernel])
    expected, slope = jax.jit(jax.value_and_grad(objective))(jnp.asarray(THETA))
    value, gradient = likelihood.log_likelihood(kernel, X, Y, THETA)
    assert value == pytest.approx(float(expected), rel=1e-10)
    assert gradient == pytest.approx(np.asarray(slope), rel=1e-7, abs=1e-9)


def test_maximum_is_a_stationary_point_not_below_its_starts():
    bounds = np.log([[1e-2, 10]] * 2 + [[1e-3, 1e3], [1e-4, 10]])
    starts = np.stack([THETA, np.log([1.0, 0.1, 1.0, 0.5])])
    found, value = likelihood.maximum_likelihood("matern52", X, Y, bounds, starts)
    for start in starts:
        assert value >= likelihood.log_likelihood("matern52", X, Y, start)[0]
    _, gradient = likelihood.log_likelihood("matern52", X, Y, np.log(found))
    inside = (np.log(found) > bounds[:, 0] + 1e-6) & (np.log(found) < bounds[:, 1] - 1e-6)
    assert np.abs(gradient[inside]).max() < 1e-2


def test_draws_have_the_covariance_of_the_truth():
    """Whitened draws are standard normal: their squares sum to n on average."""
    sizes = []
    for key in jax.random.split(jax.random.key(0), 60):
        x, y = consistency.draw(key, "matern52", 6, 2)
        squared = ((x[:, None] - x) ** 2).sum(2) / 0.04
        covariance = likelihood.PROFILES["matern52"](squared)[0] + 0.01 * np.eye(6)
        sizes.append(y @ np.linalg.solve(covariance, y))
    assert np.mean(sizes) == pytest.approx(6, abs=4 * np.sqrt(12 / 60))


def test_stored_arrays_and_log_ratios():
    cell = consistency.STUDY.cells("smoke")[-1]
    stored = consistency.run(cell)
    assert stored["iid"].shape == stored["pseudo"].shape == (len(cell.seeds), 3)
    assert not np.array_equal(stored["iid"], stored["pseudo"])
    alone = iid_consistency.run(iid_consistency.STUDY.cells("smoke")[-1])
    np.testing.assert_array_equal(alone["iid"], stored["iid"])
    ratios = consistency.log_ratios("matern52", np.array([[0.4, 0.1, 2.0, 0.01]]))
    assert ratios["lengthscale"][0] == pytest.approx(0.0)
    assert ratios["microergodic"][0] == pytest.approx(np.log(2))
    assert "microergodic" not in consistency.log_ratios("squared_exponential", stored["iid"])
