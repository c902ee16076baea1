"""The problem structure: coordinates, transformations of JAX, observations, names and bad input."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.problems import NAMES, BoundedNoise, GaussianNoise, HeteroscedasticNoise, NoNoise, Problem, get
from experiments.problems.rosenbrock import rosenbrock

unit_points = st.lists(st.floats(-1.0, 2.0, allow_subnormal=False), min_size=8, max_size=8)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "gp_sample"])
@settings(max_examples=15)
@given(point=unit_points)
def test_units_round_trip(name, point):
    """Inside the cube and outside it: nothing is clipped. Few examples each: it is one map, of 21 boxes."""
    problem = get(name)
    x = jnp.asarray(point[: problem.dim])
    np.testing.assert_allclose(problem.to_unit(problem.to_natural(x)), x, atol=1e-14)
    z = problem.bounds[:, 0] + 0.3 * x
    np.testing.assert_allclose(problem.to_natural(problem.to_unit(z)), z, atol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_corners_of_the_cube_are_the_bounds(name):
    problem = get(name)
    np.testing.assert_array_equal(problem.to_natural(jnp.zeros(problem.dim)), problem.bounds[:, 0])
    np.testing.assert_allclose(problem.to_natural(jnp.ones(problem.dim)), problem.bounds[:, 1], rtol=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_jit_and_vmap_agree_with_eager(name):
    problem = get(name, noise=HeteroscedasticNoise.linear(0.1, 0.5))
    points = jax.random.uniform(jax.random.key(3), (5, problem.dim))
    keys = jax.random.split(jax.random.key(4), 5)
    eager = [problem.observe(key, x) for key, x in zip(keys, points, strict=True)]
    compiled = jax.jit(lambda problem, keys, points: jax.vmap(problem.observe)(keys, points))
    y, variance = compiled(problem, keys, points)
    assert y.shape == variance.shape == (5,)
    assert y.dtype == jnp.float64
    np.testing.assert_allclose(y, [pair[0] for pair in eager], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(variance, [pair[1] for pair in eager], rtol=1e-12)


def test_one_program_serves_every_noise_level_and_every_sample_path():
    traces = []

    @jax.jit
    def observe(problem, key, x):
        traces.append(problem.name)
        return problem.observe(key, x)

    x = jnp.asarray([0.2, 0.7])
    observe(get("six_hump_camel", noise=GaussianNoise(0.1)), jax.random.key(0), x)
    observe(get("six_hump_camel", noise=GaussianNoise(0.7)), jax.random.key(1), x)
    assert len(traces) == 1
    options = {"features": 64, "lengthscale": 0.3}
    observe(get("gp_sample2", seed=0, **options), jax.random.key(0), x)
    observe(get("gp_sample2", seed=1, **options), jax.random.key(0), x)
    assert len(traces) == 2


def test_noise_sizes_can_be_vmapped():
    problem = get("forrester")
    x, key = jnp.asarray([0.4]), jax.random.key(0)
    sizes = jnp.asarray([0.0, 0.1, 1.0])
    y, variance = jax.vmap(lambda sd: problem.with_noise(GaussianNoise(sd)).observe(key, x))(sizes)
    np.testing.assert_allclose(variance, sizes**2)
    np.testing.assert_allclose(y - problem.value(x), sizes * jax.random.normal(key), rtol=1e-9)


def test_observe_adds_the_noise_and_reports_its_variance():
    x, key = jnp.asarray([0.2, 0.7]), jax.random.key(5)
    for noise in (NoNoise(), GaussianNoise(2.0), BoundedNoise(0.5, "rademacher")):
        problem = get("six_hump_camel", noise=noise)
        y, variance = problem.observe(key, x)
        np.testing.assert_allclose(y, problem.value(x) + noise.sample(key, x))
        np.testing.assert_allclose(variance, noise.variance(x))
    y, variance = get("six_hump_camel").observe(key, x)
    assert float(y) == float(problem.value(x))
    assert float(variance) == 0.0


@pytest.mark.parametrize(("kind", "factor"), [("gaussian", 1.0), ("uniform", np.sqrt(3.0)), ("rademacher", 1.0)])
def test_relative_noise_has_that_fraction_of_the_range_as_standard_deviation(kind, factor):
    problem = get("hartmann3").with_relative_noise(0.05, kind)
    x = jnp.full(3, 0.5)
    np.testing.assert_allclose(jnp.sqrt(problem.noise.variance(x)), 0.05 * problem.range, rtol=1e-14)
    size = problem.noise.sd if kind == "gaussian" else problem.noise.half_width
    np.testing.assert_allclose(size, factor * 0.05 * problem.range, rtol=1e-14)


def test_outside_the_cube_the_formula_holds():
    problem = get("sphere2")
    np.testing.assert_allclose(problem.value(jnp.asarray([1.5, 0.5])), -(10.24**2), rtol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_nan_in_gives_nan_out(name):
    problem = get(name)
    assert bool(jnp.isnan(problem.value(jnp.full(problem.dim, jnp.nan))))


def test_free_dimension_by_name_or_option():
    assert get("rosenbrock4").name == get("rosenbrock", dim=4).name == get("rosenbrock4", dim=4).name == "rosenbrock4"
    assert get("sphere", dim=1).dim == 1
    assert get("sphere12").dim == 12
    assert get("forrester", dim=1).dim == 1


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("rosenbrok", "rosenbrock"),
        ("hartmann", "hartmann3"),
        ("Forrester", "forrester"),
        ("six-hump-camel", "six_hump_camel"),
        ("forrester2", "forrester"),
        ("sphere0", "sphere"),
        ("zzz", "goldstein_price"),
        ("", "eq9"),
    ],
)
def test_unknown_names_list_near_ones(name, near):
    with pytest.raises(KeyError, match=near):
        get(name)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("forrester", {"dim": 2}, "dim: forrester is defined for dim = 1 only, got 2"),
        ("hartmann3", {"dim": 4}, "dim: hartmann3"),
        ("rosenbrock", {"dim": 1}, "dim: rosenbrock is defined for dim >= 2, got 1"),
        ("rosenbrock1", {}, "dim: rosenbrock"),
        ("rosenbrock4", {"dim": 5}, "dim: rosenbrock4 has dim 4, got 5"),
        ("sphere", {"dim": 0}, "dim: sphere"),
        ("sphere", {"dim": 2.0}, "dim: expected a whole number"),
        ("sphere", {"dim": True}, "dim: expected a whole number"),
        ("sphere", {"dims": 2}, "dims: sphere has no such option; did you mean 'dim'"),
        ("eq9", {"seed": 1}, "seed: eq9 has no such option"),
        ("gp_sample", {"dim": 0}, "dim: "),
        ("gp_sample", {"seed": -1}, "seed: "),
        ("gp_sample", {"seed": 0.5}, "seed: "),
        ("gp_sample", {"kernel": "matern25"}, "kernel: .*matern52"),
        ("gp_sample", {"lengthscale": 0.0}, "lengthscale: "),
        ("gp_sample", {"lengthscale": float("nan")}, "lengthscale: "),
        ("gp_sample", {"lengthscale": [0.1, 0.2, 0.3]}, "lengthscale: expected one or 2"),
        ("gp_sample", {"variance": -1.0}, "variance: "),
        ("gp_sample", {"features": 100}, "features: "),
    ],
)
def test_bad_options_are_named(name, options, message):
    with pytest.raises(ValueError, match=message):
        get(name, **options)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 2)])
def test_points_of_another_shape_are_refused(shape):
    problem, x = get("six_hump_camel", noise=GaussianNoise(1.0)), jnp.zeros(shape)
    for call in (
        problem.value,
        problem.to_natural,
        lambda x: problem.observe(jax.random.key(0), x),
        jax.jit(problem.value),
    ):
        with pytest.raises(ValueError, match=r"x: six_hump_camel expects shape \(2,\)"):
            call(x)
    with pytest.raises(ValueError, match="z: six_hump_camel expects"):
        problem.to_unit(x)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bounds": [[1.0, 0.0], [0.0, 1.0]]}, "bounds: expected finite rows"),
        ({"bounds": [[0.0, np.inf], [0.0, 1.0]]}, "bounds: expected finite rows"),
        ({"bounds": [[0.0, 1.0]]}, "bounds: expected shape"),
        ({"optimizers": [[0.0]]}, "optimizers: expected shape"),
        ({"optimizers": np.zeros((0, 2))}, "optimizers: expected shape"),
        ({"sign": 2.0}, "sign: "),
        ({"noise": 0.1}, "noise: expected a Noise, got float"),
        ({"formula": 3}, "expected a function"),
    ],
)
def test_inconsistent_problems_are_refused(change, message):
    fields = {
        "name": "mine",
        "dim": 2,
        "formula": rosenbrock,
        "sign": -1.0,
        "bounds": [[0.0, 1.0]] * 2,
        "optimum": 0.0,
        "optimizers": [[1.0, 1.0]],
        "range": 1.0,
    }
    assert Problem(**fields).name == "mine"
    with pytest.raises(ValueError, match=message):
        Problem(**{**fields, **change})
