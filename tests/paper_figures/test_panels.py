"""Curves, guides and grids of panels."""

import matplotlib.colors
import matplotlib.pyplot as plt
import numpy as np
import pytest

from paper_figures.panels import (
    REGRET_FLOOR,
    STOP,
    Layout,
    curves,
    final_intervals,
    method_curves,
    panel_grid,
    plain,
    tidy_log_axis,
)
from paper_figures.style import method_label, method_order, method_style, new_figure


def test_zero_regret_is_drawn_at_the_floor():
    figure, grid = new_figure(1, 1, height=2.0)
    curves(grid[0][0], np.arange(1, 4), {"boke": np.array([[1.0, 0.5, 0.0], [1.0, 0.1, 0.0]])})
    assert grid[0][0].lines[0].get_ydata()[-1] == REGRET_FLOOR
    assert grid[0][0].get_ylim()[0] > 0
    plt.close(figure)


def test_the_common_initial_design_is_drawn_once():
    """Curves that agree up to the end of the design leave it together; others are drawn whole."""
    together = {"boke": np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 2.0]]), "gp_ucb": np.array([[3.0, 2.0, 0.5]] * 2)}
    apart = {"boke": together["boke"], "gp_ucb": together["gp_ucb"] * 2}
    for samples, lengths in ((together, [2, 2, 2]), (apart, [3, 3])):
        figure, grid = new_figure(1, 1, height=2.0)
        curves(grid[0][0], np.arange(1, 4), samples, common=2)
        assert [len(line.get_xdata()) for line in grid[0][0].lines] == lengths
        plt.close(figure)


def test_narrow_logarithmic_axes_are_labelled():
    figure, grid = new_figure(1, 1, height=2.0)
    axes = grid[0][0]
    axes.set_yscale("log")
    axes.set_ylim(0.15, 0.9)
    tidy_log_axis(axes)
    figure.draw_without_rendering()
    low, high = axes.get_ylim()
    labels = [t.get_text() for t in axes.get_yticklabels() if low <= t.get_position()[1] <= high and t.get_text()]
    assert len(labels) >= 2
    plt.close(figure)


def test_the_first_methods_are_drawn_on_top_and_places_may_differ():
    figure, grid = new_figure(1, 1, height=2.0)
    samples = {name: np.full((3, length), height) for name, length, height in (("boke", 4, 1.0), ("gp_ucb", 6, 2.0))}
    places = {"boke": np.arange(4), "gp_ucb": np.arange(6)}
    centres = method_curves(grid[0][0], places, samples, first=("gp_ucb",))
    heights = {line.get_label(): line.get_zorder() for line in grid[0][0].lines}
    assert heights[method_label("gp_ucb")] > heights[method_label("boke")]
    assert [len(centre) for centre in centres] == [4, 6]
    plt.close(figure)


def test_ends_stand_beside_the_curves_with_their_intervals():
    """One mark and one bar a method beyond the end of its own curve; the bar holds the mean."""
    figure, grid = new_figure(1, 1, height=2.0)
    places = {"boke": np.arange(1, 5), "gp_ucb": np.arange(1, 41), "kr_ucb": np.arange(1, 41)}
    samples = {
        "boke": np.array([1.0, 3.0, 5.0]),
        "gp_ucb": np.array([2.0, 2.5, 9.0]),
        "kr_ucb": np.array([0.0, 1.0, 1.5]),
    }
    final_intervals(grid[0][0], places, samples)
    bars, marks = grid[0][0].lines[:-1:2], grid[0][0].lines[1:-1:2]
    for name, bar, mark in zip(method_order(samples), bars, marks, strict=True):
        end = float(places[name][-1])
        assert mark.get_xdata()[0] == bar.get_xdata()[0] > end
        assert mark.get_ydata()[0] == samples[name].mean()
        low, high = bar.get_ydata()
        assert samples[name].min() <= low < samples[name].mean() < high <= samples[name].max()
    assert marks[0].get_xdata()[0] < 40 < marks[1].get_xdata()[0] < marks[2].get_xdata()[0] < grid[0][0].get_xlim()[1]
    assert max(grid[0][0].get_xticks()) <= 40
    plt.close(figure)


def test_bands_of_some_methods_alone():
    figure, grid = new_figure(1, 1, height=2.0)
    samples = {name: np.random.default_rng(0).random((5, 4)) for name in ("boke", "gp_ucb")}
    method_curves(grid[0][0], np.arange(4), samples, banded=("gp_ucb",))
    (band,) = grid[0][0].collections
    assert matplotlib.colors.same_color(band.get_facecolor()[0][:3], method_style("gp_ucb").colour)
    plt.close(figure)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1e-5, "$10^{-5}$"), (3e-4, r"$3 \times 10^{-4}$"), (0.001, "0.001"), (0.5, "0.5"), (2000.0, "2000"), (0.0, "0")],
)
def test_numbers_on_axes_have_no_e(value, shown):
    assert plain(value) == shown


def test_curves_are_marked_where_they_stop_early():
    """Curves are marked only where the end of whole runs is given."""
    samples = {"boke": np.ones((3, 4)), "gp_ucb": np.ones((3, 6))}
    places = {"boke": np.arange(1, 5), "gp_ucb": np.arange(1, 7)}
    for whole, stopped in ((None, []), (6, [4.0]), (9, [4.0, 6.0])):
        figure, grid = new_figure(1, 1, height=2.0)
        method_curves(grid[0][0], places, samples, whole=whole)
        marks = [
            line for line in grid[0][0].lines if line.get_marker() == STOP["marker"] and len(line.get_xdata()) == 1
        ]
        assert sorted(float(mark.get_xdata()[0]) for mark in marks) == stopped
        plt.close(figure)


def test_spare_places_of_a_grid_stay_empty():
    figure, panels = panel_grid(4, Layout(across=3, columns=2, tall=1.5, margin=0.4), ["boke", "gp_ucb"])
    assert len(panels) == 4
    assert [axes.axison for axes in figure.axes] == [True] * 4 + [False] * 2
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["BOKE", "GP-UCB"]
    plt.close(figure)
