"""Figures of Paper A show the numbers of the results."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from experiments.engine.statistics import fit_exponent
from paper_figures.boke import best_settings, fig8, sensitivity, table1
from paper_figures.figure import figures
from tests.paper_figures.drawing import drawn


def test_regret_panels_show_every_problem_and_policy(study_results):
    figure, data = drawn(study_results, "boke.fig6")
    panels = [axes for axes in figure.axes if axes.axison]
    titles = [axes.get_title(loc="left") for axes in panels]
    letters = [title.removeprefix("$\\mathbf{").split("}")[0] for title in titles]
    assert dict(zip(data.problems(), letters, strict=True)) == {
        "forrester": "A",
        "goldstein_price": "B",
        "log_goldstein_price": "B'",
        "six_hump_camel": "C",
        "hartmann3": "D",
        "rosenbrock4": "E",
        "sphere6": "F",
        "rotated_sphere": "F'",
    }
    for axes, problem in zip(panels, data.problems(), strict=True):
        lines = [line for line in axes.lines if len(line.get_xdata()) > 2]
        assert len(lines) == 5
        regret = data.array("simple_regret", problem=problem, policy="boke")
        shown = [line for line in lines if line.get_label() == "BOKE"][0].get_ydata()
        np.testing.assert_allclose(shown, regret.mean(axis=0))
        marks = [line for line in axes.lines if len(line.get_xdata()) == 1]
        ends = [data.array("simple_regret", problem=problem, policy=name)[:, -1].mean() for name in data.policies()]
        assert sorted(float(line.get_ydata()[0]) for line in marks) == pytest.approx(sorted(ends))
        assert any(
            set(line.get_xdata()) == {float(data.common("initial_size", problem=problem))} for line in axes.lines
        )
    plt.close(figure)


def test_each_method_at_its_best_on_other_seeds_than_those_that_chose(study_results):
    figure, data = drawn(study_results, "boke.fig6_best")
    chosen, regrets = best_settings.best(data, False, "gp_ucb")
    assert chosen == "bandwidth = 2"
    stored = data.array("final_regret", problem="hartmann3", policy="gp_ucb")
    np.testing.assert_array_equal(regrets["hartmann3"], stored[1, 1::2])
    axes = figure.axes[0]
    labels = [label.get_text().split("\n") for label in axes.get_xticklabels()]
    assert [label[0] for label in labels] == ["A", "B", "B′", "C", "D", "E", "F", "F′"]
    assert labels[0][1:] == ["Forrester", "(1D)"]
    shown = [bars for bars in axes.containers if bars.get_label() == "GP-UCB"][0].lines[0].get_ydata()
    np.testing.assert_allclose(shown[4], stored[1, 1::2].mean())
    plt.close(figure)


def test_a_best_setting_is_one_of_all_problems(study_results):
    data = study_results("boke.regret_constants")
    assert best_settings.best(data, True, "boke")[0] == "bandwidth = 2"


def test_a_method_that_lacks_a_panel_is_left_out(study_results):
    data = study_results("boke.regret_constants")
    lacking = [one for one in data.results if (one.config["problem"], one.config["policy"]) != ("sphere6", "kr_ucb")]
    part = replace(data, results=tuple(lacking))
    assert best_settings.shown(part, False) == ["boke", "boke_plus", "gp_ucb"]
    assert best_settings.shown(part, True) == ["boke", "boke_plus", "kr_ucb", "gp_ucb"]


def test_median_figure_shows_medians(study_results):
    figure, data = drawn(study_results, "boke.fig6_median")
    regret = data.array("simple_regret", problem="forrester", policy="gp_ucb")
    shown = [line for line in figure.axes[0].lines if line.get_label() == "GP-UCB"][0].get_ydata()
    np.testing.assert_allclose(shown, np.median(regret, axis=0))
    plt.close(figure)


def test_unexplored_regions_draw(unexplored_results):
    """Infinite bonus and acquisition (W = 0) stay inside the panel."""
    figure = figures()["boke.fig4"].draw(unexplored_results)
    figure.draw_without_rendering()
    assert all(np.isfinite(axes.get_ylim()).all() for axes in figure.axes)
    acquisition = figure.axes[1].lines[0].get_ydata()
    assert np.isfinite(acquisition).all()
    assert acquisition.argmax() >= 70
    plt.close(figure)


def test_table1_prints_the_fitted_exponents(study_results):
    figure, data = drawn(study_results, "boke.table1")
    counts, times = (
        data.common("t", problem="preprocessing"),
        data.array("seconds", problem="preprocessing", policy="gp_ucb"),
    )
    exponent = float(fit_exponent(*table1.upper_half(counts, times)).estimate)
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert f"GP-UCB, $t^{{{exponent:.2f}}}$ (paper: $t^3$)" in labels
    assert exponent == pytest.approx(3.0, abs=0.1)
    plt.close(figure)


def test_constants_leave_few_empty_places():
    assert [sensitivity.across(count) for count in (1, 3, 4, 5, 6, 8, 9)] == [1, 3, 4, 3, 3, 4, 3]


def test_sensitivity_marks_the_policies_own_values():
    assert sensitivity.default_value("boke_plus", "bandwidth") == sensitivity.default_value("boke", "bandwidth") > 0
    assert sensitivity.default_value("boke", "no such constant") is None
    assert sensitivity.default_value("no such policy", "bandwidth") is None


def test_sprinkler_regret_after_equal_cpu_time(study_results):
    """GP-UCB's proposals cost three times BOKE's: when BOKE has made its 23, it has made about a third as many."""
    data = study_results("boke.fig8")
    seconds, t_ours, t_peer = fig8.equal_time(data, "boke", "gp_ucb")
    assert seconds == pytest.approx(0.023, rel=0.1)
    assert t_ours == 40
    assert 23 <= t_peer <= 25
    table = figures()["boke.fig8"].tables(data)[-1]
    row = next(row for row in table.rows if row[:2] == ("BOKE", "GP-UCB"))
    assert row[3] == f"40 / {t_peer}"
