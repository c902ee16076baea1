"""Figures of Paper D show the numbers of the results."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from experiments.engine.statistics import bootstrap_interval
from paper_figures.figure import figures
from paper_figures.panels import RESAMPLES, curves
from paper_figures.style import new_figure
from paper_figures.table import number
from paper_figures.uhe import fig1, fig2, fig3
from paper_figures.uhe.benchmarks import linear_if_narrow
from tests.paper_figures.drawing import drawn


def test_means_stand_above_medians_with_their_bands(study_results):
    """UHE-BO's errors on Branin: both centre lines, and the ends of the bootstrap bands."""
    figure, data = drawn(study_results, "uhe.fig4")
    errors = data.array("mse", problem="branin", policy="uhe_bo").astype(float)
    count = len(data.problems())
    for axes, statistic in ((figure.axes[0], "mean"), (figure.axes[count], "median")):
        line = next(line for line in axes.lines if line.get_label() == "UHE-BO")
        centre, low, high = bootstrap_interval(errors, statistic, resamples=RESAMPLES)
        np.testing.assert_allclose(line.get_ydata(), centre)
        np.testing.assert_array_equal(line.get_xdata(), data.common("t", problem="branin"))
        ends = np.concatenate([path.vertices for band in axes.collections for path in band.get_paths()])
        for bound in (low, high):
            assert np.min(np.abs(ends[:, 1] - bound[-1])) < 1e-9
    said = [text.get_text() for text in figure.texts]
    assert any("interval of the mean, of the median" in text for text in said)
    plt.close(figure)


def test_all_paths_are_counted(study_results):
    """The last panel of Figure 1 has a mark a path for either kind of data, and says on how many i.i.d. are closer."""
    figure, data = drawn(study_results, "uhe.fig1")
    error = fig1.errors(data)
    paths = len(error["iid"])
    assert [len(line.get_xdata()) for line in figure.axes[3].lines].count(paths) == 2
    closer = sum(error["iid"] < error["optimisation"])
    assert f"{closer} of {paths}" in figure.axes[3].get_title(loc="left")
    for axes, kind in ((figure.axes[1], "optimisation"), (figure.axes[2], "iid")):  # the paper's middle and right
        (density,) = (line for line in axes.lines if len(line.get_xdata()) == len(data.common("lengthscale")))
        np.testing.assert_array_equal(density.get_ydata(), data.array(f"density_{kind}")[0].astype(float))
    plt.close(figure)


def test_the_share_of_one_seed(study_results):
    """The largest share of one seed in a mean of errors, by a loop; the figure names the largest of all."""
    figure, data = drawn(study_results, "uhe.fig4")
    most = 0.0
    for problem in data.problems():
        for method, (time, share) in fig2.largest_shares(data, problem).items():
            errors = data.array("mse", problem=problem, policy=method).astype(float)
            found = [max(column) / sum(column) for column in errors.T]
            assert share == pytest.approx(max(found))
            assert found[list(data.common("t", problem=problem)).index(time)] == pytest.approx(share)
            most = max(most, share)
    assert any(f"One seed makes up to {100 * most:.0f} % of a mean" in text.get_text() for text in figure.texts)
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
    table = figures()["uhe.fig4"].tables(data)[-1]
    errors = data.array("mse", problem="branin", policy="uhe_bo").astype(float)
    shares = errors.max(axis=0) / errors.sum(axis=0)
    row = next(row for row in table.rows if row[:2] == ("Branin (2D)", "UHE-BO"))
    assert row[2:] == (f"{data.common('t', problem='branin')[shares.argmax()]}", f"{shares.max():.0%}")
