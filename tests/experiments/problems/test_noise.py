"""Noise models: moments, sub-Gaussian parameters, and bad sizes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.problems import BoundedNoise, GaussianNoise, HeteroscedasticNoise, NoNoise, relative_noise

DRAWS = 100_000
POINTS = ([0.0, 0.9], [0.7, 0.1])
# Model, its kurtosis, and its standard deviation at the two points.
MODELS = {
    "none": (NoNoise(), 0.0, (0.0, 0.0)),
    "gaussian": (GaussianNoise(0.3), 3.0, (0.3, 0.3)),
    "linear": (HeteroscedasticNoise.linear(0.2, 1.2), 3.0, (0.2, 0.9)),
    "callable": (HeteroscedasticNoise(lambda x: 0.1 + x[0] * x[1], 1.1), 3.0, (0.1, 0.17)),
    "uniform": (BoundedNoise(0.6), 1.8, (0.6 / np.sqrt(3.0),) * 2),
    "rademacher": (BoundedNoise(0.6, "rademacher"), 1.0, (0.6, 0.6)),
}


@pytest.mark.parametrize("point", [0, 1])
@pytest.mark.parametrize("name", MODELS)
def test_moments_are_within_five_standard_errors(name, point):
    noise, kurtosis, deviations = MODELS[name]
    x, sd = jnp.asarray(POINTS[point]), deviations[point]
    np.testing.assert_allclose(noise.variance(x), sd**2, rtol=1e-14)
    draws = jax.vmap(lambda key: noise.sample(key, x))(jax.random.split(jax.random.key(point), DRAWS))
    assert draws.dtype == jnp.float64
    assert abs(draws.mean()) <= 5.0 * sd / np.sqrt(DRAWS)
    # The variance of a squared draw is sd^4 (kurtosis - 1): nought for Rademacher, whose squares are constant.
    assert abs((draws**2).mean() - sd**2) <= 5.0 * sd**2 * np.sqrt(max(kurtosis - 1.0, 0.0) / DRAWS) + 1e-12
    assert abs((draws**3).mean()) <= 5.0 * sd**3 * np.sqrt(15.0 / DRAWS)
    if isinstance(noise, BoundedNoise):
        assert float(jnp.abs(draws).max()) <= 0.6


def test_rademacher_takes_two_values():
    draws = jax.vmap(lambda key: BoundedNoise(0.5, "rademacher").sample(key, jnp.zeros(1)))(
        jax.random.split(jax.random.key(0), 100)
    )
    assert set(np.asarray(draws).tolist()) == {-0.5, 0.5}


def log_moment_generating_function(name, u):
    """``log E exp(u e)`` for size 1, by series of the closed forms, stable near 0 and at large u."""
    u = np.abs(u)
    if name == "rademacher":
        return u + np.log1p(np.exp(-2 * u)) - np.log(2.0)
    if name == "uniform":
        small = np.log1p(u**2 / 6 + u**4 / 120 + u**6 / 5040)
        safe = np.maximum(u, 1e-3)
        return np.where(u < 1e-2, small, safe + np.log1p(-np.exp(-2 * safe)) - np.log(2 * safe))
    return u**2 / 2


@pytest.mark.parametrize(
    ("name", "noise"), [("uniform", BoundedNoise(1.0)), ("rademacher", BoundedNoise(1.0, "rademacher"))]
)
def test_sub_gaussian_parameter_is_valid_and_the_smallest(name, noise):
    u = np.concatenate([np.logspace(-3, 3, 4001)])
    parameter = float(noise.sub_gaussian)
    log_moment = log_moment_generating_function(name, u)
    assert np.all(log_moment <= u**2 * parameter**2 / 2 * (1 + 1e-12) + 1e-15)
    assert np.any(log_moment > u**2 * (0.999 * parameter) ** 2 / 2)


def test_sub_gaussian_parameters():
    assert float(NoNoise().sub_gaussian) == 0.0
    assert float(GaussianNoise(0.3).sub_gaussian) == 0.3
    assert float(HeteroscedasticNoise.linear(0.2, 1.2).sub_gaussian) == 1.2
    assert float(HeteroscedasticNoise.linear(1.2, 0.2).sub_gaussian) == 1.2
    assert float(HeteroscedasticNoise(lambda x: x[0], 1.0).sub_gaussian) == 1.0
    np.testing.assert_allclose(BoundedNoise(0.6).sub_gaussian, 0.6 / np.sqrt(3.0), rtol=1e-15)
    assert float(BoundedNoise(0.6, "rademacher").sub_gaussian) == 0.6


@given(low=st.floats(0.0, 10.0), high=st.floats(0.0, 10.0), x=st.floats(0.0, 1.0))
def test_no_point_is_noisier_than_the_sub_gaussian_parameter(low, high, x):
    noise = HeteroscedasticNoise.linear(low, high)
    assert float(noise.variance(jnp.asarray([x]))) <= float(noise.sub_gaussian) ** 2 * (1 + 1e-12)


def test_arrays_inside_a_standard_deviation_stay_leaves():
    noise = HeteroscedasticNoise(jax.tree_util.Partial(lambda scale, x: scale * x[0], jnp.asarray(2.0)), 2.0)
    assert len(jax.tree_util.tree_leaves(noise)) == 2
    np.testing.assert_allclose(jax.jit(lambda n, x: n.variance(x))(noise, jnp.asarray([0.5])), 1.0)


@pytest.mark.parametrize("size", [-0.1, float("nan"), float("inf"), np.zeros(2)])
@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (GaussianNoise, "sd"),
        (BoundedNoise, "half_width"),
        (lambda size: HeteroscedasticNoise.linear(size, 1.0), "low"),
        (lambda size: HeteroscedasticNoise.linear(1.0, size), "high"),
        (lambda size: HeteroscedasticNoise(lambda x: x[0], size), "largest_sd"),
        (lambda size: relative_noise(1.0, size), "fraction"),
        (lambda size: relative_noise(size, 1.0), "value_range"),
    ],
)
def test_bad_sizes_are_named(make, argument, size):
    with pytest.raises(ValueError, match=f"{argument}: expected"):
        make(size)


def test_unknown_kinds_list_near_ones():
    with pytest.raises(ValueError, match="kind: 'unifrom' .* did you mean 'uniform'"):
        BoundedNoise(1.0, "unifrom")
    with pytest.raises(ValueError, match="kind: 'gausian' .* did you mean 'gaussian'"):
        relative_noise(1.0, 0.1, "gausian")
