"""Linear regret on two points."""

import numpy as np
import pytest

from theory_checks.cei import two_points


@pytest.mark.parametrize("noise", [0.3, 0.4])
def test_the_bound_of_the_probability_lies_below_the_share_of_long_walks_that_stay(noise):
    """The walk of the module's docstring, drawn without any Gaussian process: a stays ahead at each of 3000 steps."""
    probability, _ = two_points.for_ever(noise, 1)
    rng, rho, runs, steps = np.random.default_rng(5), np.exp(-12.5), 4000, 3000
    n = np.arange(1, steps + 1)
    best = 1 + noise * rng.standard_normal((runs, 1))
    mean = np.cumsum(noise * rng.standard_normal((runs, steps)), axis=1) / n
    stays = np.all(best * (1 + rho + noise**2 / n) > mean * (1 + rho + noise**2), axis=1)
    assert 0 < probability <= np.mean(stays) < 1
    assert probability < two_points.for_ever(noise, 4)[0]


def test_runs_follow_the_walk():
    """Corrected EI proposes the worse point forever; EI, which may sample its incumbent, does not."""
    stuck = two_points.row(0.1, 1, "smoke", True)
    assert stuck["runs_that_stay"] == stuck["runs"]
    assert stuck["average_regret"] == pytest.approx(1.0)
    assert two_points.row(0.1, 1, "smoke", False)["average_regret"] < 0.01
