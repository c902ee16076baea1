"""Counterexamples to Lemmas 8 and 10 of Paper C."""

import math

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.stats import norm

from theory_checks.ctx import deviation_sum
from theory_checks.ctx.independence import worst_distribution


def test_mass_that_leaks_where_the_feature_lives():
    h = 0.04

    def integrand(v, u):
        density = 35 / 8 * (1 - (4 * u - 2) ** 2) ** 3
        return density * (4 * (v - 0.75)) ** 2 * norm.pdf(v, u, h)

    whole, _ = dblquad(integrand, 0.75 - 8 * h, 0.75, 0.75, 1.0)
    assert 0.999 * whole < deviation_sum.leaked(h) < whole


def test_leaked_mass_grows_with_the_bandwidth():
    found = [deviation_sum.leaked(h) for h in (0.001, 0.01, 0.03, 0.05)]
    assert np.all(np.diff(found) > 0)


def test_kappa_by_simulation():
    rng = np.random.default_rng(0)
    excess = np.maximum(rng.standard_normal(200_000) - np.hypot(*rng.standard_normal((2, 200_000))), 0.0)
    assert deviation_sum.kappa() == pytest.approx(excess.mean(), abs=4 * excess.std() / math.sqrt(200_000))


def test_a_round_under_the_worst_distributions_adds_kappa_times_half_the_radius():
    rng, radius, root_beta = np.random.default_rng(1), 0.3, 2.0
    c = (np.arange(80) + 0.5) / 80
    first, second = (4 / 3 * np.maximum(0.75 - c, 0)) ** 2, (4 * np.maximum(c - 0.75, 0)) ** 2
    p = np.exp(-0.5 * ((c[:, None] - np.array([0.4, 0.6])) / 0.05) ** 2).sum(1)
    p /= p.sum()
    added = []
    for _ in range(2000):  # w known, so that sigma = psi_2; x = 0
        known, unknown = rng.standard_normal(2)
        ucb, path = known * first + root_beta * second, known * first + unknown * second
        q_ucb, q_path = worst_distribution(ucb, p, radius), worst_distribution(path, p, radius)
        added.append(q_ucb @ ucb - q_path @ path)
    error = np.std(added) / math.sqrt(len(added))
    assert np.mean(added) > deviation_sum.kappa() * radius / 2 - 2 * error


def test_gain_bounds_that_of_random_designs():
    rng = np.random.default_rng(2)
    x, c = 2 * math.pi * rng.random(50), rng.random(50)
    wave = np.stack([np.cos(x), np.sin(x)], axis=1)
    first, second = (4 / 3 * np.maximum(0.75 - c, 0)) ** 2, (4 * np.maximum(c - 0.75, 0)) ** 2
    features = np.concatenate([wave * first[:, None], wave * second[:, None]], axis=1)
    information = 0.5 * np.linalg.slogdet(np.eye(50) + features @ features.T / deviation_sum.NOISE_VARIANCE)[1]
    assert information < deviation_sum.gain(50)
