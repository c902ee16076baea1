import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from experiments.engine.statistics import (
    bootstrap_interval,
    clopper_pearson,
    fit_exponent,
    paired_comparison,
    signed_rank_p,
)


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_bootstrap_agrees_with_scipy(statistic: str):
    samples = np.random.default_rng(1).gamma(2.0, size=40)
    ours = bootstrap_interval(samples, statistic, resamples=20_000)
    function = {"mean": np.mean, "median": np.median}[statistic]
    theirs = stats.bootstrap((samples,), function, method="percentile", n_resamples=20_000, rng=2).confidence_interval
    # Each end is a quantile of 20,000 replicates, with a standard error of 0.5 % of the width: 6 of these are allowed.
    tolerance = 6 * 0.005 * (ours.high - ours.low)
    assert ours.estimate == function(samples)
    np.testing.assert_allclose([ours.low, ours.high], [theirs.low, theirs.high], atol=tolerance)


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_bootstrap_columns_are_the_single_calls(statistic: str):
    samples = np.random.default_rng(3).normal(size=(12, 5, 3))
    together = bootstrap_interval(samples, statistic, resamples=300, seed=7)
    assert together.low.shape == together.high.shape == together.estimate.shape == (5, 3)
    for i, j in np.ndindex(5, 3):
        alone = bootstrap_interval(samples[:, i, j], statistic, resamples=300, seed=7)
        np.testing.assert_allclose(
            [together.estimate[i, j], together.low[i, j], together.high[i, j]], alone, rtol=0, atol=1e-12
        )


def test_bootstrap_covers():
    # 2,000 columns are 2,000 repetitions of n = 30 exponential draws. The percentile interval of a mean of 30 skewed
    # draws is known to cover a little less than it says; coverage outside (0.90, 0.97) would be a mistake in the code.
    samples = np.random.default_rng(5).exponential(size=(30, 2000))
    mean = bootstrap_interval(samples, "mean")
    median = bootstrap_interval(samples, "median", resamples=500)
    assert 0.90 < np.mean((mean.low <= 1.0) & (mean.high >= 1.0)) < 0.97
    assert 0.90 < np.mean((median.low <= np.log(2)) & (median.high >= np.log(2))) < 0.97


@given(st.floats(-10, 10), st.floats(0.1, 10))
def test_bootstrap_moves_with_the_data(shift: float, factor: float):
    samples = np.random.default_rng(6).normal(size=15)
    plain = bootstrap_interval(samples, "median", resamples=100)
    moved = bootstrap_interval(shift + factor * samples, "median", resamples=100)
    np.testing.assert_allclose(moved, shift + factor * np.array(plain), atol=1e-9)


def test_bootstrap_of_one_or_constant_samples_is_a_point():
    assert bootstrap_interval([3.0]) == (3.0, 3.0, 3.0)
    assert bootstrap_interval([2.0, 2.0, 2.0], "median") == (2.0, 2.0, 2.0)


def test_paired_comparison():
    rng = np.random.default_rng(8)
    b = rng.normal(size=25)
    a = b + rng.normal(0.4, 0.5, size=25)
    a[3] = b[3]
    found = paired_comparison(a, b)
    assert found.p_value == pytest.approx(stats.wilcoxon(a, b).pvalue)
    assert found.difference.estimate == pytest.approx(np.mean(a - b))
    assert found.difference.low < found.difference.estimate < found.difference.high
    assert (found.wins, found.losses, found.ties) == (np.sum(a > b), np.sum(a < b), 1)
    mirrored = paired_comparison(b, a)
    assert (mirrored.wins, mirrored.losses) == (found.losses, found.wins)
    assert mirrored.p_value == pytest.approx(found.p_value)


def test_paired_comparison_of_a_method_with_itself():
    found = paired_comparison([1.0, 2.0], [1.0, 2.0])
    assert found.p_value == 1.0
    assert found.ties == 2
    assert found.difference == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
@pytest.mark.parametrize(
    "differences",
    [
        [1.0, 1.0, -1.0, 2.0, 2.0, -3.0, 4.0],  # ties
        [0.0, 0.3, -0.1, 0.5, 0.2, -0.7],  # a zero
        [0.0, 0.0, -1.0, 1.0, -2.0, -2.0, -3.0, 0.0],  # both
        [0.0, 0.0, -5.0],
        [-1.0, -1.0],
        [0.4, -0.1, 0.2, 0.3, -0.6],  # neither
        [*np.arange(-3.0, 16.0), 2.0],  # too many for all patterns
    ],
)
def test_signed_rank_p_is_scipys(differences: list[float], alternative):
    expected = stats.wilcoxon(differences, alternative=alternative).pvalue
    assert signed_rank_p(differences, alternative) == pytest.approx(expected, abs=1e-15)


def test_signed_rank_p_of_ties_only_is_one():
    assert signed_rank_p([0.0, 0.0]) == signed_rank_p([0.0, 0.0], "less") == 1.0


@pytest.mark.parametrize("level", [0.8, 0.95, 0.9999])
def test_clopper_pearson_agrees_with_scipy(level: float):
    n = 37
    ours = clopper_pearson(np.arange(n + 1), n, level)
    theirs = [stats.binomtest(k, n).proportion_ci(level, "exact") for k in range(n + 1)]
    np.testing.assert_allclose(ours.low, [interval.low for interval in theirs], atol=1e-12)
    np.testing.assert_allclose(ours.high, [interval.high for interval in theirs], atol=1e-12)


@given(st.floats(0.001, 0.999), st.integers(1, 60))
def test_clopper_pearson_never_covers_too_little(probability: float, n: int):
    successes = np.arange(n + 1)
    interval = clopper_pearson(successes, n, 0.9)
    covering = (interval.low <= probability) & (probability <= interval.high)
    assert stats.binom.pmf(successes, n, probability)[covering].sum() >= 0.9 - 1e-9


def test_fit_exponent_finds_a_known_power():
    t = np.array([10, 30, 100, 300, 1000])
    exact = fit_exponent(t, np.outer([1.0, 5.0, 0.2], t**-0.37))
    np.testing.assert_allclose(exact, [-0.37, -0.37, -0.37], atol=1e-12)


def test_fit_exponent_covers():
    rng = np.random.default_rng(11)
    t = np.arange(1, 21)
    hits = 0
    for _ in range(200):
        values = t**0.5 * np.exp(rng.normal(0, 0.3, size=(20, 20)))
        interval = fit_exponent(t, values, resamples=400)
        hits += interval.low <= 0.5 <= interval.high
    assert 0.88 < hits / 200 < 0.99


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap_interval([]), "n >= 1"),
        (lambda: bootstrap_interval(3.0), "n >= 1"),
        (lambda: bootstrap_interval([1.0], "mode"), "mean.*median.*mode"),
        (lambda: bootstrap_interval([1.0], level=95), "between 0 and 1"),
        (lambda: paired_comparison([1.0], [2.0]), "n >= 2"),
        (lambda: paired_comparison([1.0, 2.0], [2.0, 3.0, 4.0]), "equal|both"),
        (lambda: clopper_pearson(3, 2), "successes <= n"),
        (lambda: clopper_pearson(0, 0), "n >= 1"),
        (lambda: fit_exponent([1, 2], [[1.0, 2.0]]), "two seeds"),
        (lambda: fit_exponent([1, 2], np.zeros((3, 2))), "positive"),
        (lambda: fit_exponent([2, 2], np.ones((3, 2))), "different times"),
        (lambda: fit_exponent([1, 2, 3], np.ones((3, 2))), "seeds, T"),
    ],
)
def test_bad_input(call, message: str):
    with pytest.raises(ValueError, match=message):
        call()
