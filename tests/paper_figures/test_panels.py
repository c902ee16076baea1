"""Curves, guides and grids of panels."""

import matplotlib.pyplot as plt
import numpy as np

from paper_figures.panels import REGRET_FLOOR, Layout, curves, method_curves, panel_grid, tidy_log_axis
from paper_figures.style import method_label, new_figure


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


def test_spare_places_of_a_grid_stay_empty():
    figure, panels = panel_grid(4, Layout(across=3, columns=2, tall=1.5, margin=0.4), ["boke", "gp_ucb"])
    assert len(panels) == 4
    assert [axes.axison for axes in figure.axes] == [True] * 4 + [False] * 2
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["BOKE", "GP-UCB"]
    plt.close(figure)
