"""Figures 1, 2, 4 and 5 of Paper A: the stored arrays equal the formulas."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import integrate, stats

from core.policies import constants
from experiments.boke import fig1, fig2, fig4, fig5
from experiments.engine.study import Cell


@pytest.fixture(scope="module")
def regression():
    return fig1.run(fig1.STUDY.cells("smoke")[0])


@pytest.fixture(scope="module")
def density():
    return fig2.run(fig2.STUDY.cells("smoke")[0])


@pytest.fixture(scope="module")
def pictures():
    """Figure 5 at smoke scale, one entry a policy."""
    return {cell.policy: fig5.STUDY.run(cell) for cell in fig5.STUDY.cells("smoke")}


def eq9(x):
    return -np.exp(-1.4 * x) * np.cos(3.5 * np.pi * x)


def gaussian(x, data, h):
    return np.exp(-((x - data) ** 2) / (2 * h**2))


def test_fig1_samples(regression):
    """Ten stratified points a seed, their noise of variance 0.01, and the function on the grid."""
    x, y = regression["x"], regression["y"]
    assert x.shape == y.shape == (3, 10)
    assert (np.sort((x * 10).astype(int), axis=1) == np.arange(10)).all()
    noise = y - eq9(x)
    assert 1e-3 < stats.chi2(noise.size).cdf((noise**2).sum() / 0.01) < 1 - 1e-3
    np.testing.assert_allclose(regression["truth"], eq9(regression["grid"]), atol=1e-14)


def test_fig1_cross_validation_by_brute_force(regression):
    """Leave each sample out, predict it by eq. (5) written out, square; the stored bandwidth has the least error."""
    grid = regression["cv_grid"]
    for seed in range(3):
        x, y = regression["x"][seed], regression["y"][seed]
        for index in range(20, len(grid), 13):
            errors = []
            for left_out in range(10):
                kept = np.arange(10) != left_out
                weights = gaussian(x[left_out], x[kept], grid[index])
                errors.append((y[left_out] - weights @ y[kept] / weights.sum()) ** 2)
            assert regression["cv_score"][seed, index] == pytest.approx(np.mean(errors), rel=1e-9)
        assert regression["bandwidth"][seed, 1] == grid[regression["cv_score"][seed].argmin()]
    assert (regression["bandwidth"][:, [0, 2]] == [fig1.TOO_SMALL, fig1.TOO_LARGE]).all()


def test_fig1_regression(regression):
    """Eq. (5) on the grid, for each of the three bandwidths; the small one is nearly a step function."""
    positions = regression["grid"]
    x, y, h = (regression[name][1] for name in ("x", "y", "bandwidth"))
    for index in (1, 2):
        weights = gaussian(positions[:, None], x, h[index])
        np.testing.assert_allclose(regression["mean"][1, index], weights @ y / weights.sum(axis=1), rtol=1e-9)
    distance = np.abs(positions[:, None] - x)
    clear = np.diff(np.sort(distance, axis=1)[:, :2], axis=1)[:, 0] * np.sort(distance, axis=1)[:, 0] > 1e-3
    np.testing.assert_allclose(regression["mean"][1, 0][clear], y[distance.argmin(axis=1)][clear], atol=0.05)


def test_fig2_mixture(density):
    """p(x) against the beta densities written out; the draws against the mixture's distribution function."""
    x = density["grid"]
    truth = 0.7 * 360 * x**2 * (1 - x) ** 7 + 0.3 * 110 * x**9 * (1 - x)
    np.testing.assert_allclose(density["truth"], truth, rtol=1e-10, atol=1e-12)

    def cdf(x):
        return 0.7 * stats.beta(3, 8).cdf(x) + 0.3 * stats.beta(10, 2).cdf(x)

    assert stats.kstest(density["x"].ravel(), cdf).pvalue > 1e-3
    assert ((density["x"] > 0) & (density["x"] < 1)).all()


def test_fig2_density_integrates_to_one(density):
    """The normalised estimate, also of the mass that it puts outside [0, 1]."""
    data, h = density["x"][0], density["bandwidth"][0, 1]

    def estimate(x):
        return gaussian(x, data, h).sum() / (math.sqrt(2 * math.pi) * h * len(data))

    assert integrate.quad(estimate, -1, 2, limit=200)[0] == pytest.approx(1.0, abs=1e-8)
    expected = [estimate(x) for x in density["grid"]]
    np.testing.assert_allclose(density["density"][0, 1], expected, rtol=1e-9)


def test_fig2_cross_validation_by_brute_force(density):
    """The sum of log leave-one-out densities, by a loop over the draws; scipy's own estimate agrees with it."""
    grid = density["cv_grid"]
    for seed in range(3):
        data = density["x"][seed]
        for index in range(10, len(grid), 11):
            total, scipys = 0.0, 0.0
            for left_out in range(len(data)):
                kept = np.delete(data, left_out)
                total += math.log(stats.norm(kept, grid[index]).pdf(data[left_out]).mean())
                scipys += float(
                    stats.gaussian_kde(kept, bw_method=grid[index] / kept.std(ddof=1)).logpdf(data[left_out])[0]
                )
            assert density["cv_score"][seed, index] == pytest.approx(total, rel=1e-9)
            assert density["cv_score"][seed, index] == pytest.approx(scipys, rel=1e-9)
        assert density["bandwidth"][seed, 1] == grid[density["cv_score"][seed].argmax()]


def test_fig5_methods_start_alike(pictures):
    """The same five points and the same noise, by seed; different ones between seeds."""
    boke, plus = pictures["boke"], pictures["boke_plus"]
    np.testing.assert_array_equal(boke["x"][:, :5], plus["x"][:, :5])
    np.testing.assert_array_equal(boke["y"][:, :5], plus["y"][:, :5])
    assert not np.array_equal(boke["x"][0, :5], boke["x"][1, :5])
    assert (boke["explore"] == 1).all()
    assert set(np.unique(plus["explore"])) == {0, 1}
    np.testing.assert_allclose(boke["value"], eq9(boke["x"]), atol=1e-14)


@pytest.mark.parametrize("policy", ["boke", "boke_plus"])
def test_fig5_pictures_are_eq_14(pictures, policy):
    """Mean, bonus and acquisition written out on the standardised outputs; the next point maximises the acquisition."""
    stored = pictures[policy]
    positions = stored["grid"]
    for seed in range(2):
        for step in (0, 3, 7):
            count = 5 + step
            x, y = stored["x"][seed, :count], stored["y"][seed, :count]
            h = constants.BANDWIDTH * 1 * count ** (-1 / 5)  # the sum of the sides is 1
            beta = 2 * constants.NOISE_SCALE**2 * math.log(2 * math.pi**2 * count**2 / (3 * constants.DELTA))
            assert stored["bandwidth"][seed, step] == pytest.approx(h)
            assert stored["beta"][seed, step] == pytest.approx(beta)
            weights = gaussian(positions[:, None], x, h)
            mean = weights @ y / weights.sum(axis=1)
            bonus = y.std() * np.sqrt(beta / weights.sum(axis=1))
            explore = stored["explore"][seed, step]
            np.testing.assert_allclose(stored["mean"][seed, step], mean, rtol=1e-8, atol=1e-10)
            np.testing.assert_allclose(stored["bonus"][seed, step], bonus, rtol=1e-8)
            acquisition = mean + explore * bonus
            np.testing.assert_allclose(stored["acquisition"][seed, step], acquisition, rtol=1e-8, atol=1e-10)
            near = gaussian(stored["x"][seed, count], x, h)
            at_choice = near @ y / near.sum() + explore * y.std() * np.sqrt(beta / near.sum())
            assert at_choice >= acquisition.max() - 1e-9 * np.ptp(acquisition)


def test_fig4_is_the_first_step_of_fig5(pictures):
    """The same seeds give the same five points and the same sixth."""
    stored = fig4.STUDY.run(fig4.STUDY.cells("smoke")[0])
    assert stored["x"].shape == (2, 6)
    np.testing.assert_array_equal(stored["x"], pictures["boke"]["x"][:, :6])
    np.testing.assert_array_equal(stored["acquisition"], pictures["boke"]["acquisition"][:, 0])
    assert stored["mean"].shape == (2, len(stored["grid"]))


def test_where_no_data_is_in_reach():
    """With a kernel that underflows, bonus and acquisition are +∞ far from the data, the mean stays finite."""
    x, y = jnp.array([[0.0], [0.01], [0.0]]), jnp.array([1.0, 2.0, 9.0])
    snapshot = jax.jit(fig4.snapshot)
    picture = snapshot(x, y, jnp.asarray(2), jnp.asarray(1e-3), jnp.asarray(0.5), jnp.asarray(1.0))
    bonus, acquisition, mean = (np.asarray(picture[name]) for name in ("bonus", "acquisition", "mean"))
    assert np.isinf(bonus[-1])
    assert np.isinf(acquisition[-1])
    assert np.isfinite(mean).all()
    np.testing.assert_allclose(mean[-1], 2.0, atol=1e-9)
    exploit = snapshot(x, y, jnp.asarray(2), jnp.asarray(1e-3), jnp.asarray(0.5), jnp.asarray(0.0))
    np.testing.assert_array_equal(exploit["acquisition"], exploit["mean"])


def test_a_cell_is_a_pure_function_of_its_seeds(regression):
    """Run alone, a seed gives what it gave beside the others."""
    alone = fig1.run(Cell("eq9", "kernel_regression", (2,), scale="smoke"))
    np.testing.assert_array_equal(alone["y"][0], regression["y"][2])
    np.testing.assert_allclose(alone["mean"][0], regression["mean"][2], rtol=1e-12)
