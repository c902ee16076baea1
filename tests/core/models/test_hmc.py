"""Draws of two hyperparameters against quadrature of their posterior, and the diagnostics."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.models.hmc import Sample, sample_hyperparameters, split_r_hat
from core.models.hyperparameters import DEFAULT_BOUNDS, Bounds, Hyperparameters, gamma_prior, log_posterior
from core.models.kernels import matern52
from core.types import Observations

NOISE = 0.04
BOUNDS = Bounds(lengthscale=(0.05, 5.0), variance=(0.1, 20.0), noise_variance=(NOISE, NOISE * (1 + 1e-9)))
PRIOR = gamma_prior(2.0, 0.7, of_logarithms=True)
START = Hyperparameters(jnp.array([0.5]), jnp.ones(()), jnp.asarray(NOISE))


def observations() -> Observations:
    rng = np.random.default_rng(8)
    x = rng.beta(1.3, 2.1, (7, 1))
    return Observations.of(jnp.asarray(x), jnp.asarray(np.sin(5.0 * x[:, 0]) + 0.2 * rng.normal(size=7)), capacity=8)


@jax.jit
def sample(key: jax.Array, data: Observations) -> Sample:
    return sample_hyperparameters(
        key, data, matern52, START, prior=PRIOR, bounds=BOUNDS, burn_in=300, draws=3000, leapfrog_steps=8
    )


def test_moments_are_those_of_quadrature() -> None:
    """The noise is fixed, so the posterior has two dimensions: log lengthscale and log variance."""
    data = observations()
    axes = [np.linspace(np.log(low), np.log(high), 120) for low, high in (BOUNDS.lengthscale, BOUNDS.variance)]
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)
    theta = jnp.asarray(np.column_stack([grid, np.full(len(grid), np.log(NOISE))]))
    density = np.asarray(jax.jit(jax.vmap(log_posterior(data, matern52, PRIOR)))(theta))
    weights = np.exp(density - density.max())
    weights /= weights.sum()
    means = weights @ grid
    deviations = np.sqrt(weights @ (grid - means) ** 2)
    correlation = weights @ np.prod((grid - means) / deviations, axis=1)

    drawn = [sample(jax.random.key(seed), data) for seed in range(4)]
    logs = np.stack([np.log(np.column_stack([s.parameters.lengthscale, s.parameters.variance])) for s in drawn])
    chain_means = logs.mean(axis=1)
    spread = chain_means.std(axis=0, ddof=1) / 2.0  # standard error of the mean of four chains
    assert np.all(spread < 0.1 * deviations)
    assert np.all(np.abs(chain_means.mean(axis=0) - means) < 6.0 * np.maximum(spread, 0.01 * deviations))
    pooled = logs.reshape(-1, 2)
    np.testing.assert_allclose(pooled.std(axis=0), deviations, rtol=0.08)
    assert np.corrcoef(pooled.T)[0, 1] == pytest.approx(correlation, abs=0.08)
    for result in drawn:
        assert 0.6 < float(result.acceptance) < 0.99
        assert float(result.divergences) == 0.0
        assert float(result.split_r_hat) < 1.05


def test_draws_stay_in_the_box_and_unused_rows_do_not_matter() -> None:
    data = observations()
    rubbish = Observations(data.x.at[7].set(0.9), data.context, data.y.at[7].set(50.0), data.noise_variance, data.count)
    first, second = sample(jax.random.key(1), data), sample(jax.random.key(1), rubbish)
    np.testing.assert_array_equal(first.parameters.lengthscale, second.parameters.lengthscale)
    for values, (low, high) in (
        (first.parameters.lengthscale, BOUNDS.lengthscale),
        (first.parameters.variance, BOUNDS.variance),
        (first.parameters.noise_variance, BOUNDS.noise_variance),
    ):
        assert np.all((np.asarray(values) >= low * (1 - 1e-12)) & (np.asarray(values) <= high * (1 + 1e-12)))


def test_a_prior_with_all_its_mass_outside_leaves_the_draws_finite_and_in_the_box() -> None:
    prior, sizes = gamma_prior(1e-3, 1e-12, of_logarithms=True), {"burn_in": 30, "draws": 4, "leapfrog_steps": 2}
    drawn = jax.jit(lambda key: sample_hyperparameters(key, observations(), matern52, START, prior=prior, **sizes))(
        jax.random.key(0)
    )
    assert all(bool(jnp.all(jnp.isfinite(leaf))) for leaf in jax.tree.leaves(drawn))
    for name in ("lengthscale", "variance", "noise_variance"):
        low, high = getattr(DEFAULT_BOUNDS, name)
        values = np.asarray(getattr(drawn.parameters, name))
        assert np.all((values >= low * (1 - 1e-12)) & (values <= high * (1 + 1e-12)))


def test_split_r_hat() -> None:
    rng = np.random.default_rng(5)
    chain = rng.normal(size=(2000, 3))
    assert float(split_r_hat(jnp.asarray(chain))) < 1.01
    chain[1000:, 1] += 2.0
    halves = chain[:1000, 1], chain[1000:, 1]
    within = np.mean([half.var(ddof=1) for half in halves])
    between = np.var([half.mean() for half in halves], ddof=1)
    expected = np.sqrt((999 / 1000 * within + between) / within)
    assert float(split_r_hat(jnp.asarray(chain))) == pytest.approx(expected, rel=1e-12)
    assert expected > 1.3
    assert float(split_r_hat(jnp.ones((10, 2)))) == 1.0


@pytest.mark.parametrize(("name", "value"), [("burn_in", 19), ("draws", 3), ("leapfrog_steps", 0)])
def test_bad_input_is_refused(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"{name} must be at least"):
        sample_hyperparameters(jax.random.key(0), observations(), matern52, START, **{name: value})
