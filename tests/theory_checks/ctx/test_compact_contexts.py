"""The counterexample to Theorems 1 and 2 of Paper C against its formulas."""

import math

import numpy as np
import pytest
from scipy import integrate

from theory_checks.ctx import compact_contexts
from theory_checks.ctx.testbeds import rank_two


@pytest.mark.parametrize(("shape", "h"), [(1.0, 0.05), (4.0, 0.05)])
def test_moments_of_the_expected_estimate_by_double_quadrature(shape, h):
    def pdf(c):
        return 1.0 if shape == 1.0 else 140 * (c * (1 - c)) ** 3

    def bump(z):
        return math.exp(-0.5 * (z / h) ** 2) / (math.sqrt(2 * math.pi) * h)

    centre = integrate.quad(lambda c: pdf(c) * math.cos(2 * math.pi * c), 0, 1)[0]

    def density(c):
        low, high = max(0.0, c - 8 * h), min(1.0, c + 8 * h)
        return integrate.quad(lambda v: pdf(v) * bump(c - v), low, high)[0]

    edges = [min(8 * h, 0.5), max(1 - 8 * h, 0.5)]
    mass = integrate.quad(density, 0, 1, points=edges)[0]
    tilt = integrate.quad(lambda c: density(c) * (math.cos(2 * math.pi * c) - centre), 0, 1, points=edges)[0]
    assert rank_two.estimated_moments(shape, h) == pytest.approx((mass, tilt), abs=1e-6)


def test_mass_lost_at_the_ends_tilts_the_objective_by_order_h():
    for h in (0.01, 0.001):
        assert rank_two.estimated_moments(1.0, h)[1] == pytest.approx(-2 * h / math.sqrt(2 * math.pi), rel=2e-2)
    first, second = (rank_two.estimated_moments(4.0, h)[1] for h in (0.01, 0.005))
    assert first / second == pytest.approx(4, rel=0.02)


def test_loss_in_the_limit_by_sampling():
    m, b = rank_two.estimated_moments(1.0, rank_two.bandwidth(1e4))
    w = np.random.default_rng(0).standard_normal((6000, 2))
    u = np.linspace(-1, 1, 401)
    flat = 1 - u**10
    best = u[np.argmax(m * w[:, :1] * flat + w[:, 1:] * b * u, axis=1)]
    loss = np.where(w[:, 0] > 0, rank_two.SCALE * w[:, 0] * best**10, 0.0)
    error = loss.std() / math.sqrt(len(loss))
    assert abs(loss.mean() - rank_two.limit_loss(10, "uniform", "sbo", 1e4)) < 4 * error


@pytest.mark.parametrize("power", [4, 10, 40])
def test_exponent_of_the_limit_is_that_of_the_formula(power):
    found = rank_two.limit_exponent(power, "uniform", "sbo", 1e10, 1e12)
    assert found == pytest.approx(1 - power / (5 * (power - 1)), abs=2e-3)


def test_hypotheses_kernel_below_one_and_slopes_within_assumption_1():
    u, g = np.linspace(-1, 1, 4001), 1.0
    assert rank_two.SCALE**2 * np.max((1 - u**10) ** 2 + (u * g) ** 2) < 1
    rng = np.random.default_rng(1)
    c = np.linspace(0, 1, 201)
    for w in rng.standard_normal((20, 2)):
        along_x = 2 * rank_two.SCALE * (-10 * w[0] * u[:, None] ** 9 + w[1] * np.cos(2 * np.pi * c))
        along_c = rank_two.SCALE * 2 * np.pi * w[1] * u[:, None] * np.sin(2 * np.pi * c)
        limit = np.linalg.norm(w) * 2 * rank_two.SCALE * math.sqrt(101)
        assert max(np.abs(along_x).max(), np.abs(along_c).max()) <= limit


def test_losses_are_those_of_decisions_and_reproducible():
    first = rank_two.RankTwo(10, "uniform").losses(30, 4, 0)
    assert np.all(first >= 0)
    assert np.array_equal(first, rank_two.RankTwo(10, "uniform").losses(30, 4, 0))


def test_the_smooth_density_stays_within_the_order():
    stored = {"power": 10, "contexts": "smooth", "method": "sbo", "first": 1e8, "last": 1e12, "order": 0.6}
    left, right, violated = compact_contexts.replay(stored)
    assert left < right
    assert not violated
