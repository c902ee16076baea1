"""The counterexamples to Theorem 9 agree with their docstrings, and with `core` at each point."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.acquisition.boke import beta_continuum, ikr_ucb
from core.models.kernels import SmoothingKernel, l2_distance
from theory_checks.boke import regret
from theory_checks.boke.testbeds.grid_boke import distances_of
from theory_checks.boke.testbeds.selection import Cube, Needle

SMALL = Needle(pairs=9, levels=6, repeats=3, height=0.5, delta=0.1)


def needle_data(needle, cells):
    """Every leaf once, with the mean of its observations and their number: positions, values, weights."""
    n = needle.pairs
    levels = 2 * needle.g * np.arange(1 + needle.levels)
    signs = np.array([1.0, -1.0])
    x = np.zeros((*cells.shape, n + 1))
    x[..., :n] = signs[None, :, None, None] * np.eye(n)[None, None]
    x[..., n] = levels[:, None, None]
    values = needle.height * x[..., n] / needle.length + cells
    copies = np.where(np.arange(1 + needle.levels) == 0, 1, needle.repeats)
    return x.reshape(-1, n + 1), values.ravel(), np.broadcast_to(copies[:, None, None], cells.shape).ravel()


def needle_kernel(needle):
    flat = math.sqrt(2 + needle.g**2) / needle.h

    def log_value(x, x_prime, bandwidth):
        height = jnp.clip((1 - l2_distance(x, x_prime) / bandwidth) / (1 - flat), 0.0, 1.0)
        inside = height > 1e-9  # the construction puts leaves exactly on the edge of the support
        return jnp.where(inside, jnp.log(jnp.where(inside, height, 1.0)), -jnp.inf)

    return SmoothingKernel("trapezium", log_value, radius=1.0)


@pytest.fixture(scope="module")
def needle_acquisition():
    cells = SMALL.noise(np.random.default_rng(0))
    x, y, copies = needle_data(SMALL, cells)
    x, y = np.repeat(x, copies, axis=0), np.repeat(y, copies)  # the mean, observed as often: same m_t, same W_t
    beta = beta_continuum(SMALL.count, 1.0, SMALL.delta)
    kernel = needle_kernel(SMALL)
    assert len(y) == SMALL.count

    @jax.jit
    @jax.vmap
    def evaluate(point):
        arguments = (jnp.asarray(x), jnp.asarray(y), SMALL.h)
        value, plain = ikr_ucb(point, *arguments, beta, kernel), ikr_ucb(point, *arguments, 0.0, kernel)
        return value, beta / (value - plain) ** 2  # u and W

    return cells, evaluate


def test_needle_lucky_point_has_the_acquisition_claimed(needle_acquisition):
    cells, evaluate = needle_acquisition
    signs = np.where(cells[0, 0] >= cells[0, 1], 1.0, -1.0)
    point = np.append(signs / math.sqrt(SMALL.pairs), 0.0)
    value, weight = evaluate(jnp.asarray(point[None]))
    assert float(weight[0]) == pytest.approx(SMALL.pairs, rel=1e-9)
    assert float(value[0]) == pytest.approx(SMALL.acquisitions(cells)[0], rel=1e-12)


def test_needle_bounds_hold_all_over_the_set(needle_acquisition):
    cells, evaluate = needle_acquisition
    rng = np.random.default_rng(1)
    directions = rng.standard_normal((4000, SMALL.pairs))
    directions[::3] = np.sign(directions[::3])
    directions[1::3] *= rng.random(directions[1::3].shape) < 0.3
    lengths = np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-12)
    radius = np.where(rng.random((4000, 1)) < 0.5, 1.0, rng.random((4000, 1)))
    s = SMALL.length * rng.random((4000, 1))
    s[:500] = 2 * SMALL.g * rng.integers(0, SMALL.levels, (500, 1)) + SMALL.g  # half-way between levels
    points = np.concatenate([radius * directions / lengths, s], axis=1)
    value, weight = (np.asarray(out) for out in evaluate(jnp.asarray(points)))
    above = points[:, -1] > SMALL.h
    assert weight.min() >= SMALL.pairs * (1 - 1e-6)
    assert weight[above].min() >= SMALL.pairs * SMALL.repeats * (1 - 1e-6)
    assert value[above].max() <= SMALL.acquisitions(cells)[1]


def test_needle_kernel_is_inside_assumption_3():
    ratio = np.linspace(0, 1.5, 100_001)
    value = regret.NEEDLE.profile(ratio)
    assert value[0] == 1.0
    assert np.all(np.diff(value) <= 0)
    assert np.all(value[ratio >= 1] == 0)
    assert np.max(np.abs(np.diff(value))) < 0.01  # continuous


def test_cube_weights_are_as_described():
    cube = Cube(pairs=5, visits=3, horizon=10, height=0.5, delta=0.1)
    points = cube.coordinates()
    weights = cube.profile(distances_of(points))
    n = cube.pairs
    leaves, centres, best = slice(0, 2 * n), slice(2 * n, -1), -1
    signs = np.sign(points[centres, :n])
    np.testing.assert_allclose(weights[centres, :n], signs > 0, atol=1e-9)
    np.testing.assert_allclose(weights[centres, n : 2 * n], signs < 0, atol=1e-9)
    np.testing.assert_array_equal(weights[centres, centres], np.eye(2**n))
    opposite = np.roll(np.eye(2 * n), n, axis=1)
    np.testing.assert_array_equal(weights[leaves, leaves], 1 - opposite)
    np.testing.assert_array_equal(weights[best], np.eye(len(points))[best])
    assert cube.size == pytest.approx(math.log(len(points)))


@pytest.mark.parametrize("pairs", [5, regret.CUBE.pairs])
def test_cube_kernel_is_inside_assumption_3(pairs):
    cube = Cube(pairs, 1, 10, 0.5, 0.1)
    root = 1 / math.sqrt(pairs)
    near, far = math.sqrt(17 - 8 * root), math.sqrt(17 + 8 * root)
    assert 2 < near < far < 5.0 < 4 * math.sqrt(2) < 5.8
    assert cube.profile(np.array([0.0])) == 1.0
    assert np.all(cube.profile(np.array([2 * root, 2.0, 6.0, 8.0, 100.0])) == 0)
    np.testing.assert_array_equal(cube.profile(np.array([near, 4 * math.sqrt(2)])), 1.0)


def test_cube_sides_are_those_of_27():
    cube = regret.CUBE
    t = np.arange(1, cube.horizon + 1)
    weight = np.where(t < cube.start, t, cube.pairs)
    eta = float(np.sum(1 / weight))
    printed = math.sqrt(16 * eta * cube.horizon * math.log(cube.horizon))
    printed += math.sqrt(8 * math.log(2 * math.pi**2 / (3 * cube.delta)) * cube.horizon * eta)
    printed += 2 * cube.height * (cube.start - 1)
    assert printed <= cube.sides()[1] <= 1.001 * printed


def test_the_needle_needs_its_pairs():
    few = Needle(pairs=50, levels=20, repeats=50, height=0.52, delta=0.1)
    assert not any(few.fails(np.random.default_rng(seed)) for seed in range(5))
    assert regret.NEEDLE.fails(np.random.default_rng(0))
