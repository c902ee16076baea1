"""Steps of appendix B against simulation and finite differences."""

from fractions import Fraction

import numpy as np
import pytest

from theory_checks.uhe import exp3_statements, fisher_information, regret_steps


@pytest.mark.parametrize("gap", [0.0, 0.5, 2.0])
def test_what_noise_adds_to_the_larger_of_two_values(gap):
    drawn = np.random.default_rng(0).standard_normal((400_000, 2))
    assert regret_steps.mean_of_noise(gap) == pytest.approx(
        np.mean(np.maximum(drawn[:, 0], drawn[:, 1] - gap)), abs=4e-3
    )


def test_paths_through_noisy_data_are_not_rarer_than_the_limit_says():
    """The steepest neighbours of 12 random points; the limit counts 6 pairs."""
    rng, constant, sigma = np.random.default_rng(1), 40.0, 1.0
    x = np.sort(rng.random((20_000, 12)), axis=1)
    slopes = np.abs(np.diff(rng.normal(0, sigma, x.shape), axis=1) / np.diff(x, axis=1))
    share = np.mean(np.max(slopes, axis=1) <= constant)
    assert share <= 10 ** regret_steps.passable(24, sigma, constant)
    assert regret_steps.passable(2400, sigma, constant) < regret_steps.passable(1200, sigma, constant) < 0


def played(noise, horizon, runs):
    """Regrets at even steps of RA-BO with f(x) = z (2x - 1), its kernel known."""
    rng = np.random.default_rng(2)
    z, score, regret = rng.standard_normal(runs), np.zeros(runs), np.zeros(runs)
    for step in range(1, horizon + 1):
        side = np.where(score > 0, 1.0, -1.0) if step % 2 == 0 else 2 * rng.random(runs) - 1
        if step % 2 == 0:
            regret += np.abs(z) - z * side
        score += side * (z * side + noise * rng.standard_normal(runs))
    return regret


def test_regret_under_heavy_noise_exceeds_a_limit_at_least_as_often_as_said():
    regret = played(noise=400.0, horizon=4000, runs=600)
    for allowed in (500.0, 1500.0):
        assert np.mean(regret > allowed) >= regret_steps.failing(400.0, 4000, allowed) > 0.0


def test_information_of_the_pseudo_loss_by_finite_differences():
    theta, value = fisher_information.information(3, Fraction(1, 7))
    assert theta == Fraction(4, 3)
    step = 1e-4
    steepness = [-1 / np.sqrt(1 + (float(theta) + k * step) ** 2) for k in (-1, 0, 1)]
    second = (steepness[0] - 2 * steepness[1] + steepness[2]) / step**2
    assert float(value) == pytest.approx((1 + float(theta) ** 2) ** -3 + second / 7, rel=1e-5)


def test_regret_of_one_earner_is_at_least_what_exploration_costs():
    for horizon in (50, 400):
        gamma = exp3_statements.exploration_rate(2, horizon)
        exact = horizon - exp3_statements.one_earner(2, horizon, 1.0, gamma)
        assert exact >= exp3_statements.least_regret(horizon) == gamma * horizon / 2


def test_the_general_bound_by_hand():
    left, right = exp3_statements.sides({"rewards": [[1.0, 0.0]], "gamma": 1.0, "factor": 1.0})
    assert left == 0.5
    assert right == pytest.approx(np.e - 1 + 2 * np.log(2))
