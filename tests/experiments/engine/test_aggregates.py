"""Aggregates over problems, against scipy and by definition."""

import numpy as np
import pytest
from scipy import stats

from experiments.engine.aggregates import (
    interquartile_mean,
    performance_profile,
    probability_of_improvement,
    stratified_bootstrap,
)

RNG = np.random.default_rng(4)
SCORES = RNG.gamma(2.0, size=(3, 10)) * np.array([[1.0], [3.0], [0.2]])


@pytest.mark.parametrize("shape", [(3, 10), (1, 5), (2, 1)])
def test_interquartile_mean_is_scipys_trimmed_mean(shape):
    scores = RNG.normal(size=(4, *shape))
    ours = interquartile_mean(scores)
    np.testing.assert_allclose(ours, [stats.trim_mean(one, 0.25, axis=None) for one in scores], rtol=1e-14)


def test_probability_of_improvement_is_mann_and_whitneys():
    first, second = np.round(SCORES, 1), np.round(SCORES[:, ::-1] * 1.2, 1)  # rounded: there are ties
    u = [stats.mannwhitneyu(y, x).statistic / (len(x) * len(y)) for x, y in zip(first, second, strict=True)]
    np.testing.assert_allclose(probability_of_improvement([first, second]), np.mean(u), rtol=1e-14)
    assert probability_of_improvement([first, first]) == 0.5
    assert probability_of_improvement([first, first + 99]) == 1.0


def test_performance_profile_counts():
    thresholds = [-1.0, SCORES.min(), np.median(SCORES), SCORES.max()]
    assert performance_profile(SCORES, thresholds).tolist() == [0.0, 1 / 30, 0.5, 1.0]


def test_with_one_problem_the_interval_is_scipys():
    one = SCORES[:1]
    ours = stratified_bootstrap(one, lambda table: table.mean(axis=(-2, -1)), resamples=20_000)
    theirs = stats.bootstrap((one[0],), np.mean, method="percentile", n_resamples=20_000, rng=2).confidence_interval
    # Each end is a quantile of 20,000 replicates, with a standard error of 0.5 % of the width: 6 of these are allowed.
    np.testing.assert_allclose([ours.low, ours.high], theirs, atol=0.03 * (ours.high - ours.low))


def test_strata_are_resampled_by_themselves():
    """Problems that differ, without spread inside, leave nothing to chance; resampling all runs together would."""
    scores = np.repeat([[1.0], [5.0], [9.0]], 8, axis=1)
    found = stratified_bootstrap(scores, interquartile_mean)
    assert found.estimate == found.low == found.high == 5.0


def test_times_share_their_resamples():
    together = stratified_bootstrap(np.stack([SCORES, 2 * SCORES]), interquartile_mean, resamples=50)
    alone = stratified_bootstrap(SCORES, interquartile_mean, resamples=50)
    np.testing.assert_allclose(together.low, [alone.low, 2 * alone.low])
    np.testing.assert_allclose(together.high, [alone.high, 2 * alone.high])


def test_scores_without_runs():
    with pytest.raises(ValueError, match="problems, runs"):
        interquartile_mean(np.zeros((2, 0)))
    with pytest.raises(ValueError, match="problems, runs"):
        stratified_bootstrap(np.zeros(3), interquartile_mean)
