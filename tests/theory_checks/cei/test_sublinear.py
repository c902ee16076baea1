"""Growth of corrected EI's regret on an interval: what `theory_checks.growth` does not cover."""

import numpy as np

from theory_checks.cei import sublinear
from theory_checks.cei.testbeds import finite_runs
from theory_checks.cei.testbeds.posteriors import gram


def test_gp_ucb_takes_the_largest_upper_limit_and_leaves_the_other_rules_as_they_are():
    points = np.linspace(0, 1, 7)[:, None]
    covariance = gram("squared_exponential", points, points, 0.2)
    value = np.sin(5 * points[:, 0])
    noise = np.zeros((1, 2))
    played = finite_runs.run(covariance, value, 0.1, (3,), noise, ucb=3.0)
    weight = covariance[:, 3] / (covariance[3, 3] + 0.01)
    upper = weight * value[3] + 3 * np.sqrt(np.diag(covariance) - weight * covariance[:, 3])
    assert played.index[0, 0] == np.argmax(upper)


def test_runs_have_four_times_and_a_share_of_kept_incumbents():
    at, reached = sublinear.regrets(sublinear.SETTINGS[0], "smoke", sublinear.METHODS[1], 61)
    assert at.shape == (sublinear.RUNS["smoke"], 4)
    assert np.all(np.diff(at, axis=1) >= 0)
    assert 0 <= reached["kept_one_incumbent"] <= 1


def test_runs_refute_what_is_said_of_them_and_no_limit(monkeypatch):
    """Runs whose mean loss a round is constant: exponents one."""
    mean = np.outer(1 + 0.01 * np.arange(8), [1.0, 2.0, 4.0, 8.0])
    monkeypatch.setattr(sublinear, "regrets", lambda *_: (mean, {"kept_one_incumbent": 1.0, "least_acquisition": 0.1}))
    assert sublinear.sublinear_on_intervals("smoke").verdict == "undecided"
    assert sublinear.sublinear_on_intervals.check("smoke", limit=False).verdict == "refuted"
    slowing = mean**0.5
    monkeypatch.setattr(
        sublinear, "regrets", lambda *_: (slowing, {"kept_one_incumbent": 0.0, "least_acquisition": 0.1})
    )
    assert sublinear.sublinear_on_intervals("smoke").verdict == "supported"
