"""The plain forms of both Monte Carlo acquisitions have the values of the forms in `core`."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core import policies
from core.acquisition.qnei import MonteCarloNoisyExpectedImprovement
from core.policies.base import SearchEffort
from core.types import Observations
from experiments.cei import cost
from experiments.cei.separate_models import JointExpectedImprovement, JointQNei, SeparateNoisyEi

DIM = 2
PLACES = np.random.default_rng(3).random((40, DIM))


@pytest.fixture(scope="module")
def posterior():
    """Nine noisy observations in a capacity of twelve, known noise, under hyperparameters that fit them roughly."""
    rng = np.random.default_rng(5)
    x, sd = rng.random((9, DIM)), 0.2 * rng.uniform(0.5, 1.5, 9)
    y = 4.0 + 3.0 * np.sin(3.0 * x @ np.array([1.0, 2.0])) + sd * rng.normal(size=9)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), noise_variance=jnp.asarray(sd**2), capacity=12)
    policy = policies.make("noisy_ei", DIM, lengthscale=0.4)
    return jax.jit(lambda: policy.posterior(policy.first_guess(), observations))()


def test_separate_models_have_the_values_of_shared_ones(posterior):
    """Same key, so the same 20 samples: the acquisition and its logarithm, to rounding."""
    key = jax.random.key(1)

    def both(x):
        formulas = (policy.formulas(key, posterior, x) for policy in (together, separate))
        return [[form(x) for form in pair] for pair in formulas]

    together, separate = policies.make("noisy_ei", DIM), SeparateNoisyEi(DIM)
    shared, apart = jax.jit(jax.vmap(both))(jnp.asarray(PLACES))
    for one, other in zip(shared, apart, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-8)
    assert float(jnp.ptp(shared[0])) > 1.0


def test_joint_samples_are_the_conditional_ones(posterior):
    """Core draws at the observed points by Matheron's rule. The normal vectors that give the same values there through
    the joint factor, ``L^{-1} (f_s - m)``, give the same value at the candidate too."""
    process = posterior.process

    @jax.jit
    def improvements(places):
        shared = MonteCarloNoisyExpectedImprovement.fit(jax.random.key(2), process, posterior.noise_variance, 64)
        joint = JointExpectedImprovement.fit(process, jnp.zeros((64, 13)))
        factor = jnp.linalg.cholesky(joint.covariance)
        centred = jnp.where(process.mask[:, None], shared.models.values - joint.mean[:, None], 0.0)
        whitened = jax.scipy.linalg.solve_triangular(factor, centred, lower=True).T
        joint = JointExpectedImprovement(
            process, joint.mean, joint.covariance, jnp.concatenate([whitened, shared.normals[:, None]], axis=1)
        )
        each = (shared, joint)
        return [jax.vmap(one.improvements)(places) for one in each], [jax.vmap(one.log_value)(places) for one in each]

    (shared, joint), (log_shared, log_joint) = improvements(jnp.asarray(PLACES))
    assert shared.shape == (40, 64)
    np.testing.assert_allclose(joint, shared, atol=1e-6)
    np.testing.assert_allclose(log_joint, log_shared, atol=1e-5)
    assert float(jnp.std(shared)) > 0.1


def test_joint_samples_are_those_of_the_formula(posterior):
    """Against mean, covariance and factor worked out in numpy from the linear systems as written."""
    process, rng = posterior.process, np.random.default_rng(8)
    used = np.asarray(process.mask)
    x, noise = np.asarray(process.x)[used], np.asarray(posterior.noise_variance)[used]
    candidate = np.array([0.31, 0.77])
    normals = rng.normal(size=(5, 13))

    def kernel(a, b):
        scaled = np.sqrt(5.0 * (((a[:, None] - b[None]) / np.asarray(process.lengthscale)) ** 2).sum(-1))
        return float(process.variance) * (1.0 + scaled + scaled**2 / 3.0) * np.exp(-scaled)

    points = np.concatenate([x, candidate[None]])
    system = kernel(x, x) + np.diag(noise)
    values = system @ np.asarray(process.weights)[used]
    mean = kernel(points, x) @ np.linalg.solve(system, values)
    covariance = kernel(points, points) - kernel(points, x) @ np.linalg.solve(system, kernel(x, points))
    kept = np.append(used, True)
    samples = mean + normals[:, kept] @ np.linalg.cholesky(covariance + 1e-10 * np.eye(10)).T
    fitted = JointExpectedImprovement.fit(process, jnp.asarray(normals))
    found = jax.jit(lambda x: fitted.improvements(x))(jnp.asarray(candidate))
    np.testing.assert_allclose(found, samples[:, -1] - samples[:, :-1].max(axis=1), atol=1e-6)


@pytest.mark.parametrize("name", cost.SEPARATE)
def test_both_are_searched_like_the_methods_that_they_repeat(name):
    """Same effort and same bounds of the fit; a query in the cube."""
    plain, of_core = cost.SEPARATE[name](3), policies.make(name.removesuffix("_separate"), 3)
    assert plain.effort.lattice.shape == of_core.effort.lattice.shape
    assert (plain.effort.starts, plain.effort.max_steps) == (of_core.effort.starts, of_core.effort.max_steps)
    assert type(plain) in (SeparateNoisyEi, JointQNei)
    small = cost.SEPARATE[name](3, effort=SearchEffort.of(3, raw_candidates=16, starts=1, max_steps=3))
    data = cost.data(0, 6, 3)
    query, _, info = eqx.filter_jit(small.propose)(jax.random.key(0), small.first_guess(), data)
    assert np.all((np.asarray(query) >= 0) & (np.asarray(query) <= 1))
    assert float(info["acquisition"]) >= 0
