"""Figures of Paper D show what the results say."""

import matplotlib.pyplot as plt
import numpy as np

from paper_figures.figure import figures
from paper_figures.panels import band_around, curves
from paper_figures.style import new_figure
from paper_figures.table import number
from paper_figures.uhe import fig3
from paper_figures.uhe.benchmarks import linear_if_narrow
from tests.paper_figures.drawing import drawn


def test_standard_errors_are_drawn_around_the_mean(study_results):
    """UHE-BO's errors: the mean over seeds, and the ends of the band one standard error away."""
    figure, data = drawn(study_results, "uhe.fig4")
    errors = data.array("mse", problem="branin", policy="uhe_bo").astype(float)
    axes = figure.axes[0]
    line = [line for line in axes.lines if line.get_label() == "UHE-BO"][0]
    np.testing.assert_allclose(line.get_ydata(), errors.mean(axis=0))
    np.testing.assert_array_equal(line.get_xdata(), data.common("t", problem="branin"))
    half = errors.std(axis=0, ddof=1) / np.sqrt(len(errors))
    centre, low, high = band_around(errors, band="standard error")
    np.testing.assert_allclose((high - low) / 2, half)
    np.testing.assert_allclose(band_around(errors[:1], band="standard error").low, errors[0])
    ends = np.concatenate([path.vertices for band in axes.collections for path in band.get_paths()])
    for bound in (low, high):
        assert np.min(np.abs(ends[:, 1] - bound[-1])) < 1e-9
    plt.close(figure)


def test_narrow_curves_are_drawn_on_a_linear_axis():
    """Curves within a factor of 1.2, then within a factor of 10."""
    for lowest, linear in ((1.0, True), (0.12, False)):
        figure, grid = new_figure(1, 1, height=2.0)
        axes = grid[0][0]
        curves(axes, np.arange(1, 4), {"uhe_bo": np.array([[1.2, 1.1, lowest], [1.2, 1.1, lowest]])})
        assert linear_if_narrow(axes) is linear
        assert axes.get_yscale() == ("linear" if linear else "log")
        if linear:
            assert 0.95 < axes.get_ylim()[0] < 1.0 < 1.2 < axes.get_ylim()[1] < 1.25
        plt.close(figure)


def test_random_queries_are_told_from_acquired_ones(study_results):
    data = study_results("uhe.fig3")
    found = fig3.random_queries(data, "uhe_bo")
    np.testing.assert_array_equal(found, data.array("info_random", policy="uhe_bo")[0] == 1)
    assert not fig3.random_queries(data, "gp_ucb_map").any()


def test_running_times_are_compared_with_uhe_bo(study_results):
    data = study_results("uhe.fig5_runtime")
    (table,) = figures()["uhe.fig5_runtime"].tables(data)
    ratios = data.array("cpu_seconds_gp_ucb_mcmc", problem="hartmann3") / data.array(
        "cpu_seconds_uhe_bo", problem="hartmann3"
    )
    row = [row for row in table.rows if row[:2] == ("Hartmann3 (3D)", "MCMC")][0]
    assert row[4] == number(float(np.median(ratios)))


def test_the_share_of_the_largest_seed(study_results):
    data = study_results("uhe.fig2")
    (table,) = figures()["uhe.fig4_median"].tables(data)
    errors = data.array("mse", problem="branin", policy="uhe_bo").astype(float)
    shares = errors.max(axis=0) / errors.sum(axis=0)
    row = next(row for row in table.rows if row[:2] == ("Branin (2D)", "UHE-BO"))
    assert row[2:] == (f"{data.common('t', problem='branin')[shares.argmax()]}", f"{shares.max():.0%}")
