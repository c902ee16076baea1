"""Tests and estimates of advantages, against scipy and by simulation."""

import numpy as np
import pytest
from scipy import stats

from theory_checks.readings.statistics import (
    jackknifed,
    middle,
    moved,
    p_above,
    p_below,
    pooled,
    seeds_needed,
    stratified,
)

RNG = np.random.default_rng(0)
SKEWED = {"one": RNG.exponential(1.0, 31) - 0.6, "two": 3 * RNG.exponential(1.0, 17) - 2.2}
ONE = {"one": SKEWED["one"]}


def test_one_problem_is_students_test_of_scipy():
    told = stats.ttest_1samp(ONE["one"], 0.25, alternative="greater").pvalue
    assert p_above(ONE, 0.25, "student") == pytest.approx(told, rel=1e-12)
    assert p_below(ONE, 0.25, "student") == pytest.approx(1 - told, rel=1e-12)
    low, high = stats.ttest_1samp(ONE["one"], 0.0).confidence_interval(0.95)
    assert middle(ONE, "student")[1:] == pytest.approx((low, high), rel=1e-12)


def test_two_problems_are_welchs_test_of_scipy():
    """Minus the mean of the second is Welch's test of two samples, but for the factor of two of the mean."""
    mirrored = {"one": SKEWED["one"], "two": -SKEWED["two"]}
    told = stats.ttest_ind(SKEWED["one"], SKEWED["two"], equal_var=False, alternative="greater").pvalue
    assert p_above(mirrored, 0.0, "student") == pytest.approx(told, rel=1e-12)
    mean, _, _ = stratified(mirrored)
    assert mean == pytest.approx((SKEWED["one"].mean() - SKEWED["two"].mean()) / 2)


def test_wilcoxon_is_scipys_on_all_pairs():
    told = stats.wilcoxon(pooled(SKEWED) - 0.1, alternative="less", method="approx", correction=False).pvalue
    assert p_below(SKEWED, 0.1, "wilcoxon") == pytest.approx(told, rel=0.02)


def test_hodges_lehmann_is_the_median_of_all_pairwise_means():
    values = ONE["one"]
    pairs = [(values[i] + values[j]) / 2 for i in range(len(values)) for j in range(i, len(values))]
    assert middle(ONE, "wilcoxon").estimate == pytest.approx(np.median(pairs))


@pytest.mark.parametrize("test", ["student", "wilcoxon"])
def test_intervals_cover_as_often_as_they_say(test):
    rng = np.random.default_rng(1)
    hits = [(m := middle({"": rng.normal(0.3, 1.0, 24)}, test)).low <= 0.3 <= m.high for _ in range(1000)]
    assert abs(np.mean(hits) - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 1000)


def test_jackknifed_ratio_of_means_is_the_ratio_and_its_error():
    rng = np.random.default_rng(2)
    truth, estimates, inside = np.log10(2.0), [], []
    for _ in range(600):
        first = rng.lognormal(0.0, 0.5, 60)
        second = 2.0 * first * rng.lognormal(0.0, 0.5, 60) / np.exp(0.125)
        row = {"": jackknifed(first, second)}
        found = middle(row, "student")
        estimates.append(found.estimate)
        inside.append(found.low <= truth <= found.high)
    assert np.mean(estimates) == pytest.approx(truth, abs=4 * np.std(estimates) / np.sqrt(600))
    assert abs(np.mean(inside) - 0.95) < 0.03


def test_jackknife_of_equal_rows_is_the_plain_ratio():
    assert jackknifed(np.full(5, 2.0), np.full(5, 8.0)) == pytest.approx(np.log10(4.0))


@pytest.mark.parametrize("test", ["student", "wilcoxon"])
def test_seeds_needed_find_the_effect_nine_times_in_ten(test):
    rng = np.random.default_rng(3)
    needed = seeds_needed({"": rng.normal(0.0, 1.0, 4000)}, 0.4, 0.01, test)
    found = [p_above({"": rng.normal(0.4, 1.0, needed)}, 0.0, test) <= 0.01 for _ in range(600)]
    assert abs(np.mean(found) - 0.9) < 0.05


@pytest.mark.parametrize("test", ["student", "wilcoxon"])
def test_moved_samples_have_the_middle_asked_for_and_the_same_spread(test):
    found = moved(SKEWED, -1.25, test)
    assert middle(found, test).estimate == pytest.approx(-1.25)
    assert np.diff(found["two"]) == pytest.approx(np.diff(SKEWED["two"]))


def test_without_spread_the_side_alone_decides():
    still = {"": np.full(8, 0.5)}
    assert (p_above(still, 0.4, "student"), p_above(still, 0.5, "student")) == (0.0, 1.0)
    assert p_above({"": np.zeros(8)}, 0.0, "wilcoxon") == 1.0


def test_upper_tail_of_few_tied_samples_is_one_sided():
    """Every pattern of signs of eight equal sizes: one in 2^8 has all of them positive."""
    ties = {"": np.full(8, 0.1)}
    assert p_above(ties, 0.0, "wilcoxon") == pytest.approx(2.0**-8)
    assert p_below(ties, 0.0, "wilcoxon") == pytest.approx(1.0)


def test_a_jackknife_of_zeros_is_nan_and_decides_nothing():
    row = {"": jackknifed(np.array([0.0, 0.0, 3.0]), np.array([1.0, 2.0, 3.0]))}
    assert np.isnan(row[""]).all()
    assert not middle(row, "student").estimate >= 0.0
    assert not p_above(row, 0.0, "student") <= 0.05
    assert not p_below(row, 0.0, "student") <= 0.05
