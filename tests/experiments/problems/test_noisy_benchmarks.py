"""Problems of Paper B: values by hand, exact ranges against independent searches, and reported noise."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import optimize, stats

from core.models.kernels import STATIONARY
from experiments.problems import Problem, ReportedNoise, get
from experiments.problems.powell import powell


def at(name, natural):
    """Value of the problem at a point in natural units."""
    problem = get(name)
    return float(problem.value(problem.to_unit(jnp.asarray(natural, float))))


@pytest.mark.parametrize(
    ("name", "natural", "expected"),
    [
        ("griewank6", [2.0, 0.0, 0.0, 0.0, 0.0, -3.0], -(13 / 4000 - np.cos(2.0) * np.cos(3.0 / np.sqrt(6.0)) + 1)),
        ("levy4", [5.0, 1.0, 1.0, 1.0], -1.0 * (1.0 + 10.0 * np.sin(2.0 * np.pi + 1.0) ** 2)),
        ("levy4", [1.0, 1.0, 1.0, 2.0], -(0.25**2) * 2.0),
        ("powell5", [1.0, 2.0, 3.0, 4.0, 0.7], -(21.0**2 + 5.0 + 4.0**4 + 10.0 * 81.0)),
        ("powell5", [1.0, 2.0, 3.0, 4.0, -3.0], -(21.0**2 + 5.0 + 4.0**4 + 10.0 * 81.0)),
        ("three_bumps", [3.0], -sum(stats.norm(c, np.sqrt(0.8)).pdf(3.0) for c in (1, 5, 8))),
    ],
)
def test_values_by_hand(name, natural, expected):
    np.testing.assert_allclose(at(name, natural), expected, rtol=1e-12)


def test_range_of_levy_is_that_of_its_coordinates():
    """A separable function is largest where each of its parts is: 2,000,001 points a part."""
    grid = jnp.linspace(-10.0, 10.0, 2_000_001)
    w = 1.0 + (grid - 1.0) / 4.0
    inner = (w - 1.0) ** 2 * (1.0 + 10.0 * jnp.sin(jnp.pi * w + 1.0) ** 2)
    first = jnp.sin(jnp.pi * w) ** 2 + inner
    last = (w - 1.0) ** 2 * (1.0 + jnp.sin(2.0 * jnp.pi * w) ** 2)
    largest = float(first.max() + 2.0 * inner.max() + last.max())
    assert abs(float(get("levy4").range) - largest) <= 1e-6
    assert at("levy4", [-10.0] * 4) == pytest.approx(-largest, rel=1e-12)


def test_range_of_powell_is_at_a_corner():
    """A convex function is largest at a corner; convex because it is a sum of even powers of linear forms."""
    values = [-at("powell5", corner) for corner in itertools.product((-4.0, 5.0), repeat=5)]
    assert max(values) == pytest.approx(float(get("powell5").range), rel=1e-14)
    rng = np.random.default_rng(0)
    for first, second in rng.uniform(-4, 5, (50, 2, 5)):
        middle = at("powell5", (first + second) / 2)
        assert middle >= (at("powell5", first) + at("powell5", second)) / 2 - 1e-9


def test_nothing_of_griewank_exceeds_its_corner():
    """A bound over the whole box: bowl and product of cosines bounded apart, coordinate by coordinate.

    With l_i = -log |cos(z_i / sqrt(i))|, the function is at most 1 + sum q_i + exp(-sum l_i); the largest q_i for a
    given l_i comes from 300,001 points a coordinate, sums by dynamic programming over l rounded down to the step.
    """
    step, levels = 0.002, 3500
    z = np.linspace(0.0, 600.0, 300_001)
    best = np.zeros(levels)
    for i in range(1, 7):
        loss = -np.log(np.maximum(np.abs(np.cos(z / np.sqrt(i))), 1e-12))
        index = np.minimum((loss / step).astype(int), levels - 1)
        part = np.full(levels, -np.inf)
        np.maximum.at(part, index, z**2 / 4000.0)
        total = np.full(levels, -np.inf)
        for low in range(levels):
            if np.isfinite(part[low]):
                total[low:] = np.maximum(total[low:], best[: levels - low] + part[low])
                total[-1] = max(total[-1], part[low] + best[levels - low :].max(initial=-np.inf))
        best = total
    bound = 1.0 + np.max(best + np.exp(-step * np.arange(levels)))
    spacing = 6 * 0.3 * (z[1] - z[0])
    rounding = np.expm1(6 * step)
    assert float(get("griewank6").range) <= bound <= float(get("griewank6").range) + 0.01 + spacing + rounding


def test_griewank_near_its_corner_by_search():
    """The corner itself beats everything that L-BFGS-B reaches from 300 points in its neighbourhood."""
    problem = get("griewank6")
    gradient = jax.jit(jax.value_and_grad(problem.value))

    def objective(x):
        value, slope = gradient(jnp.asarray(x))
        return float(value), np.asarray(slope)

    starts = 1.0 - 0.03 * stats.qmc.Sobol(6, rng=np.random.default_rng(5)).random(256)[:64]
    ends = [optimize.minimize(objective, s, jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * 6) for s in starts]
    lowest = min(end.fun for end in ends)
    assert lowest == pytest.approx(-float(problem.range), abs=1e-6)
    np.testing.assert_allclose(at("griewank6", [600.0, -600.0, 600.0, 600.0, -600.0, 600.0]), -float(problem.range))


def test_range_and_optimum_of_three_bumps():
    values = np.asarray(jax.vmap(get("three_bumps").value)(jnp.linspace(0.0, 1.0, 1_000_001)[:, None]))
    problem = get("three_bumps")
    assert values.argmax() == 1_000_000
    assert float(problem.optimum) == pytest.approx(values[-1], rel=1e-14)
    assert float(problem.range) == pytest.approx(values.max() - values.min(), abs=1e-9)


def test_distance_leaves_out_inert_coordinates():
    problem = get("powell5")
    x = problem.to_unit(jnp.asarray([3.0, 0.0, 4.0, 0.0, 2.0]))
    assert float(problem.distance_to_optimizer(x)) == pytest.approx(5.0)
    camel = get("six_hump_camel")
    for sign in (1.0, -1.0):
        near = camel.to_unit(sign * camel.optimizers[0] + jnp.asarray([0.3, 0.4]))
        assert float(camel.distance_to_optimizer(near)) == pytest.approx(0.5)
    with pytest.raises(ValueError, match=r"x: powell5 expects shape \(5,\)"):
        problem.distance_to_optimizer(jnp.zeros(4))


def test_nearest_sample_is_the_value_at_the_nearest_point():
    problem = get("nearest_sample", seed=3, width=10.0, points=101)
    values, spacing = np.asarray(problem.formula.values), 0.1
    for z in (0.0, 0.049, 0.051, 3.333, 9.96, 10.0):
        nearest = values[np.abs(np.arange(101) * spacing - z).argmin()]
        assert float(problem.formula(jnp.asarray([z]))) == nearest
    assert float(problem.optimum) == values.max()
    assert float(problem.range) == pytest.approx(np.ptp(values))
    assert float(problem.value(problem.to_unit(problem.optimizers[0]))) == values.max()


def test_sample_values_have_the_covariance_of_the_kernel():
    """Over 400 paths, every covariance at three points within five standard errors of exp(-r^2 / 18)."""
    places = [0, 37, 99]
    draws = np.stack(
        [np.asarray(get("nearest_sample", seed=s, width=10.0, points=100).formula.values)[places] for s in range(400)]
    )
    z = 10.0 * jnp.asarray(places, float) / 99
    kernel = STATIONARY["squared_exponential"]
    gram = np.array([[float(kernel(a[None], b[None], jnp.asarray([3.0]), jnp.asarray(1.0))) for a in z] for b in z])
    error = np.sqrt((1.0 + gram**2) / 400)
    assert np.all(np.abs(draws.T @ draws / 400 - gram) <= 5.0 * error)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 0.0}, "width: "),
        ({"width": float("inf")}, "width: "),
        ({"points": 1}, "points: "),
        ({"points": 2.5}, "points: "),
        ({"seed": -1}, "seed: "),
    ],
)
def test_bad_options_of_nearest_sample(options, message):
    with pytest.raises(ValueError, match=message):
        get("nearest_sample", **options)


def test_inert_coordinates_must_exist():
    fields = {
        "name": "mine", "dim": 5, "formula": powell, "sign": -1.0, "bounds": [[0.0, 1.0]] * 5, "optimum": 0.0,
        "optimizers": [[0.0] * 5], "range": 1.0,
    }  # fmt: skip
    with pytest.raises(ValueError, match=r"inert: expected coordinates in 0\.\.4, got \(5,\)"):
        Problem(**fields, inert=(5,))


def test_reported_noise_changes_the_report_alone():
    """Same observations; the leaked variance is the square of the noise that occurred. One program for both."""
    traces = []

    @jax.jit
    def observe(objective, key, x):
        traces.append(1)
        return objective.observe(key, x)

    problem = get("hartmann3").with_relative_noise(0.1)
    x, key = jnp.asarray([0.2, 0.5, 0.9]), jax.random.key(7)
    y, known = observe(ReportedNoise(problem, 0.0), key, x)
    again, leaked = observe(ReportedNoise(problem, 1.0), key, x)
    assert len(traces) == 1
    assert float(y) == float(again)
    assert float(known) == pytest.approx((0.1 * float(problem.range)) ** 2)
    assert float(leaked) == pytest.approx(float((y - problem.value(x)) ** 2), rel=1e-12)
    assert ReportedNoise(problem, 1.0).dim == 3
