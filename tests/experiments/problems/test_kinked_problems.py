"""Problems with kinks: optima of the deceptive function and of h1, which gradients miss, by bounds and fine grids."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments.problems import get
from experiments.problems.deceptive import deceptive, peaks
from experiments.problems.h1 import CENTRE, h1


def part(x, alpha):
    """One coordinate's part of the deceptive function, by interpolation between its corners."""
    return np.interp(x, [0.0, 0.8 * alpha, alpha, (1.0 + 4.0 * alpha) / 5.0, 1.0], [0.8, 0.0, 1.0, 0.0, 0.8])


@pytest.mark.parametrize("dim", [1, 2, 3, 5])
def test_deceptive_interpolates_between_its_corners(dim):
    points = np.random.default_rng(dim).random((400, dim))
    points[0], points[1], points[2] = 0.0, 1.0, peaks(dim)
    parts = np.stack([part(points[:, i], (i + 1) / (dim + 1)) for i in range(dim)], axis=1)
    values = jax.jit(jax.vmap(get("deceptive", dim=dim).value))(jnp.asarray(points))
    np.testing.assert_allclose(values, parts.mean(axis=1) ** 2, atol=1e-12)


def test_deceptive_has_its_optimum_and_range():
    """A piecewise linear part is extreme at its corners, and the function at combinations of them."""
    for dim in (1, 2, 3):
        problem = get("deceptive", dim=dim)
        alphas = [i / (dim + 1) for i in range(1, dim + 1)]
        corners = [[0.0, 0.8 * a, a, (1.0 + 4.0 * a) / 5.0, 1.0] for a in alphas]
        points = jnp.asarray(list(itertools.product(*corners)))
        values = np.asarray(jax.vmap(problem.value)(points))
        assert np.flatnonzero(values > 1.0 - 1e-9).size == 1
        np.testing.assert_allclose(points[values.argmax()], problem.optimizers[0], rtol=1e-15)
        assert float(values.max()) == pytest.approx(float(problem.optimum), abs=1e-12)
        assert float(values.max() - values.min()) == pytest.approx(float(problem.range), abs=1e-12)
        assert np.sum(values < 1e-12) == 2**dim


def test_deceptive_is_continuous_and_its_slopes_lead_away():
    """Across every kink; and from the zeros the wide slopes rise towards the corners of the box."""
    alpha, step = 1.0 / 3.0, 1e-9
    value = jax.jit(lambda x: -deceptive(jnp.stack([x, 2.0 / 3.0])))
    for kink in (0.8 * alpha, alpha, (1.0 + 4.0 * alpha) / 5.0):
        assert float(value(kink - step)) == pytest.approx(float(value(kink + step)), abs=1e-7)
    assert float(value(0.0)) > float(value(0.1)) > float(value(0.26))
    assert float(value(1.0)) > float(value(0.8)) > float(value(0.47))


def test_nothing_of_h1_exceeds_its_centre():
    """h1 <= 2 / (r + 1) < 1.99 beyond r = 0.01; within, the ripple rises by 0.03 a unit, and the rest falls by 1.9."""
    problem = get("h1")
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0.0, 2.0 * np.pi, 4000), 10.0 ** rng.uniform(-9.0, -2.0, 4000)
    near = np.asarray(CENTRE) + np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    values = jax.jit(jax.vmap(h1))(jnp.asarray(near))
    assert float(jnp.max(values)) < float(problem.optimum)
    u, v = near.T
    slope = np.hypot(
        np.sin(2 * (u - v / 8)) + np.sin(2 * (v + u / 8)) / 8, np.sin(2 * (v + u / 8)) - np.sin(2 * (u - v / 8)) / 8
    )
    assert slope.max() < 0.03
    far = jnp.asarray(rng.uniform(-100.0, 100.0, (20000, 2)))
    distance = np.linalg.norm(np.asarray(far) - np.asarray(CENTRE), axis=1)
    assert np.all(np.asarray(jax.jit(jax.vmap(h1))(far)) <= 2.0 / (distance + 1.0))
    assert float(h1(jnp.zeros(2))) == 0.0


def test_h1_has_a_finite_gradient_at_its_peak():
    slope = jax.grad(h1)(jnp.asarray(CENTRE))
    assert np.all(np.isfinite(slope))


def test_the_two_denominators_differ_away_from_the_centre_only_by_the_rounding_of_the_peak():
    """1 <= (r + 1) / sqrt(r^2 + 1) <= sqrt(2): the printed function is the larger one, at most by that factor."""
    points = jax.random.uniform(jax.random.key(1), (2000, 2))
    ours, printed = (jax.jit(jax.vmap(get(name).value))(points) for name in ("h1", "h1_printed"))
    ratio = np.asarray(printed)[np.asarray(ours) > 1e-9] / np.asarray(ours)[np.asarray(ours) > 1e-9]
    assert ratio.min() >= 1.0
    assert ratio.max() <= np.sqrt(2.0)


def test_refusals():
    with pytest.raises(ValueError, match="dim"):
        get("deceptive", dim=0)
    with pytest.raises(ValueError, match="h1 is defined for dim = 2"):
        get("h1", dim=3)
