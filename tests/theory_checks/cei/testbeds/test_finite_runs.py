"""Runs of corrected EI on finite sets against steps by hand."""

import math

import numpy as np
import pytest

from theory_checks.cei.testbeds import finite_runs, normal, posteriors


def test_runs_never_propose_the_incumbent_and_match_a_step_by_hand():
    rng = np.random.default_rng(0)
    points = np.linspace(0, 1, 7)[:, None]
    covariance = posteriors.gram("matern52", points, points, 0.3)
    value, noise = np.sin(5 * points[:, 0]), 0.2 * rng.standard_normal((3, 12))
    played = finite_runs.run(covariance, value, 0.2, (0, 3), noise)
    assert np.all(played.index != played.incumbent)
    posterior = posteriors.condition(covariance, [0, 3], value[[0, 3]] + noise[1, :2], [0.04, 0.04])
    best = max((0, 3), key=lambda i: posterior.mean[i])
    acquisition = normal.corrected_ei(posterior.mean - posterior.mean[best], posterior.difference_deviation(best))
    assert played.incumbent[1, 0] == best
    assert played.index[1, 0] == np.argmax(acquisition)
    assert played.log_acquisition[1, 0] == pytest.approx(math.log(acquisition.max()), rel=1e-9)
    assert played.deviation[1, 0] == pytest.approx(math.sqrt(posterior.variance()[played.index[1, 0]]), rel=1e-9)
    assert played.regret(value)[1, 0] == pytest.approx(value.max() - value[played.index[1, 0]])


def test_runs_take_a_function_of_their_own():
    covariance = np.eye(3)
    values, noise = np.array([[0.0, 1.0, 2.0], [3.0, 1.0, 0.0]]), np.zeros((2, 6))
    together = finite_runs.run(covariance, values, 0.1, (0,), noise)
    for row in range(2):
        alone = finite_runs.run(covariance, values[row], 0.1, (0,), noise[:1])
        np.testing.assert_array_equal(together.index[row], alone.index[0])
        np.testing.assert_allclose(together.regret(values)[row], alone.regret(values[row])[0])
        np.testing.assert_allclose(together.optimum_deviation[row], alone.optimum_deviation[0])
