"""Every figure draws from made-up results; what it shows is what the results say."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from experiments.engine.statistics import fit_exponent, paired_comparison
from paper_figures.boke import fig8, sensitivity, table1
from paper_figures.cei import fig4 as cei_fig4
from paper_figures.cei.benchmarks import steps_from_incumbent
from paper_figures.comparisons import comparison_cells, exponent_cells, regret_table
from paper_figures.figure import figures
from paper_figures.load import StudyResults
from paper_figures.panels import REGRET_FLOOR, band_around, curves, tidy_log_axis
from paper_figures.style import footer, new_figure
from paper_figures.table import Table, interval, number, p_value, seconds
from paper_figures.uhe import fig3 as uhe_fig3
from paper_figures.uhe.benchmarks import linear_if_narrow

IDS = list(figures())


def drawn(study_results, figure_id: str) -> tuple[Figure, StudyResults]:
    spec = figures()[figure_id]
    data = study_results(spec.study)
    figure = spec.draw(data)
    footer(figure, data.provenance())
    figure.draw_without_rendering()
    return figure, data


def overlap(first, second) -> float:
    width = min(first.x1, second.x1) - max(first.x0, second.x0)
    height = min(first.y1, second.y1) - max(first.y0, second.y0)
    return max(width, 0.0) * max(height, 0.0)


def test_the_papers_are_complete():
    studies = {spec.study for spec in figures().values()}
    assert studies >= {
        f"cei.{name}" for name in ("fig1", "fig2", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8", "cost")
    }
    assert studies >= {f"ctx.{name}" for name in ("fig1a", "fig1b", "fig2", "table1", "table2")}
    assert studies >= {f"uhe.{name}" for name in ("fig1", "fig2", "fig3", "fig5", "fig5_runtime")}
    assert "uhe.fig4" in figures()
    expected = {f"boke.{name}" for name in ("fig1", "fig2", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8", "table1")}
    assert studies >= expected | {"boke.sensitivity"}


@pytest.mark.parametrize("figure_id", IDS)
def test_figure_draws_with_labels_and_clear_legends(study_results, figure_id):
    """No warning, every panel labelled at the margin, legends and provenance outside the data and inside the page."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure, _ = drawn(study_results, figure_id)
    panels = [axes for axes in figure.axes if axes.axison]
    boxes = [axes.get_window_extent() for axes in panels]
    assert all(box.width > 60 and box.height > 25 for box in boxes), "a panel collapsed"
    assert any(axes.get_xlabel() for axes in panels)
    assert any(axes.get_ylabel() for axes in panels)
    assert figure.get_figwidth() <= 7.0
    legends = [*figure.legends, *(axes.get_legend() for axes in panels if axes.get_legend())]
    assert legends
    page = figure.bbox
    for legend in legends:
        box = legend.get_window_extent()
        assert all(overlap(box, panel) == 0.0 for panel in boxes), "the legend covers data"
        assert page.x0 <= box.x0 <= box.x1 <= page.x1, "the legend leaves the page"
        assert box.y1 <= page.y1 + 1
    line = figure.texts[-1].get_window_extent()
    assert all(overlap(line, box) == 0.0 for box in boxes)
    plt.close(figure)


@pytest.mark.parametrize("figure_id", IDS)
def test_tables_are_filled(study_results, figure_id):
    spec = figures()[figure_id]
    for table in spec.tables(study_results(spec.study)):
        assert table.rows
        assert table.title
        assert all(cell != "nan" for row in table.rows for cell in row)


def test_regret_panels_show_every_problem_and_policy(study_results):
    figure, data = drawn(study_results, "boke.fig6")
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert [title.split("}")[0][-1] for title in titles] == list("ABCDEF")
    for axes, problem in zip(figure.axes, data.problems(), strict=True):
        lines = [line for line in axes.lines if len(line.get_xdata()) > 2]
        assert len(lines) == 5
        regret = data.array("simple_regret", problem=problem, policy="boke")
        shown = [line for line in lines if line.get_label() == "BOKE"][0].get_ydata()
        np.testing.assert_allclose(shown, regret.mean(axis=0))
        assert any(
            set(line.get_xdata()) == {float(data.common("initial_size", problem=problem))} for line in axes.lines
        )
    plt.close(figure)


def test_median_figure_shows_medians(study_results):
    figure, data = drawn(study_results, "boke.fig6_median")
    regret = data.array("simple_regret", problem="forrester", policy="gp_ucb")
    shown = [line for line in figure.axes[0].lines if line.get_label() == "GP-UCB"][0].get_ydata()
    np.testing.assert_allclose(shown, np.median(regret, axis=0))
    plt.close(figure)


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
    assert f"GP-UCB, $t^{{{exponent:.2f}}}$" in labels
    assert exponent == pytest.approx(3.0, abs=0.1)
    plt.close(figure)


def test_sensitivity_marks_the_policies_own_values():
    assert sensitivity.default_value("boke_plus", "bandwidth") == sensitivity.default_value("boke", "bandwidth") > 0
    assert sensitivity.default_value("boke", "no such constant") is None
    assert sensitivity.default_value("no such policy", "bandwidth") is None


def test_comparison_is_the_paired_one(study_results):
    """The table's numbers, recomputed from the arrays."""
    data = study_results("boke.fig6")
    table = regret_table(data, "boke", peers=["gp_ucb"])
    assert [row[1] for row in table.rows] == ["GP-UCB"] * 6
    ours, theirs = (data.array("simple_regret", problem="sphere6", policy=p)[:, -1] for p in ("boke", "gp_ucb"))
    result = paired_comparison(ours, theirs)
    assert table.rows[-1][4] == number(float(result.difference.estimate))
    assert table.rows[-1][6] == p_value(result.p_value)
    assert table.rows[-1][7] == f"{(ours < theirs).sum()}–{(ours > theirs).sum()}–0"


def test_steps_from_the_incumbent(study_results):
    """Proposal k against the row that was the incumbent when it was made, in the unit cube."""
    data = study_results("cei.fig3")
    match = {"problem": "levy4", "policy": "ei", "arm": "known"}
    x, incumbent = data.array("x", **match), data.array("incumbent", **match)
    found = steps_from_incumbent(data, **match)
    assert found.shape == (6, 20)
    assert found[2, 5] == pytest.approx(np.linalg.norm(x[2, 12 + 5] - x[2, incumbent[2, 5]]))


def test_corrected_ei_is_compared_in_pairs(study_results):
    """The end table's row, recomputed: log10 of the gaps, ours less the peer's."""
    data = study_results("cei.fig3")
    table = figures()["cei.fig3"].tables(data)[0]
    row = next(row for row in table.rows if row[:2] == ("Levy (4D)", "EI"))
    ours, theirs = (
        np.log10(data.array("gap", problem="levy4", policy=name, arm="known")[:, -1]) for name in ("corrected_ei", "ei")
    )
    assert row[3] == number(float(np.mean(ours - theirs)))
    assert row[5] == p_value(paired_comparison(ours, theirs).p_value)


def test_context_panels_accumulate_after_the_initial_design(study_results):
    """Regret of the expectation everywhere but on the complicated Hartmann, which shows rewards observed."""
    figure, data = drawn(study_results, "ctx.fig1a")
    for axes, problem in zip(figure.axes, data.problems(), strict=True):
        rewarded = problem == "context_hartmann_complicated"
        stored = data.array("y" if rewarded else "regret", problem=problem, policy="drbo_kde")
        shown = [line for line in axes.lines if line.get_label() == "DRBO-KDE"][0].get_ydata()
        np.testing.assert_allclose(shown, np.cumsum(stored[:, 10:], axis=1).mean(axis=0))
        assert axes.get_ylabel() == ("Cumulative reward" if rewarded else "Cumulative regret")
    plt.close(figure)


def test_sbo_kde_is_compared_in_pairs(study_results):
    """Rows of the end table, recomputed: for rewards the sign is turned, so that negative favours SBO-KDE."""
    data = study_results("ctx.fig1a")
    table = figures()["ctx.fig1a"].tables(data)[0]
    for problem, array, label, sign in (
        ("context_branin", "regret", "Modified Branin (2+2)", 1.0),
        ("context_hartmann_complicated", "y", "Complicated Hartmann (5+1), reward", -1.0),
    ):
        row = next(row for row in table.rows if row[:2] == (label, "StableOpt"))
        ours, theirs = (
            data.array(array, problem=problem, policy=name)[:, 10:].sum(axis=1) for name in ("sbo_kde", "stable_opt")
        )
        assert row[2] == f"{number(ours.mean())} / {number(theirs.mean())}"
        assert row[3] == number(sign * float(np.mean(ours - theirs)))
        assert row[6].startswith(f"{int(np.sum(sign * ours < sign * theirs))}–")


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
    found = uhe_fig3.random_queries(data, "uhe_bo")
    np.testing.assert_array_equal(found, data.array("info_random", policy="uhe_bo")[0] == 1)
    assert not uhe_fig3.random_queries(data, "gp_ucb_map").any()


def test_running_times_are_compared_with_uhe_bo(study_results):
    data = study_results("uhe.fig5_runtime")
    (table,) = figures()["uhe.fig5_runtime"].tables(data)
    ratios = data.array("cpu_seconds_gp_ucb_mcmc", problem="hartmann3") / data.array(
        "cpu_seconds_uhe_bo", problem="hartmann3"
    )
    row = [row for row in table.rows if row[:2] == ("Hartmann3 (3D)", "MCMC")][0]
    assert row[4] == number(float(np.median(ratios)))


def test_one_seed_gives_no_interval():
    assert comparison_cells(np.array([1.0]), np.array([3.0])) == ("−2", "n/a", "n/a")
    assert exponent_cells(np.arange(1, 4), np.ones((1, 3))) == ("n/a", "n/a")


def test_numbers_as_text():
    assert [number(v) for v in (0.0, 1.0, -0.01234, 1.5e-7, 123456.0, np.nan, -np.inf)] == [
        "0", "1", "−0.0123", "1.50e−7", "1.23e5", "n/a", "−∞",
    ]  # fmt: skip
    assert interval(-1.0, 2.5) == "[−1, 2.5]"
    assert [p_value(v) for v in (0.5, 1e-4, np.nan)] == ["0.500", "< 0.001", "n/a"]
    assert [seconds(v) for v in (0.456, 9.94, 42.4, 59.6, 185.0, 7805.0)] == [
        "0.46 s", "9.9 s", "42 s", "60 s", "3 min 05 s", "2 h 10 min",
    ]  # fmt: skip


def test_ragged_table_is_refused():
    with pytest.raises(ValueError, match="1 cells for 2 columns"):
        Table("x", ("a", "b"), (("1",),))


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
    np.testing.assert_allclose(
        fig8.cpu_seconds(data, "boke")[1], data.array("seconds", policy="boke")[:, :2].sum(axis=1).mean()
    )


def test_compression_sums_are_as_stored(study_results):
    """Both measures are known before each proposal: x+ from t observations, and the smallest of those t sums."""
    data = study_results("cei.fig4")
    match = {"problem": "fc3_digits", "policy": "ei"}
    y = data.array("y", **match)
    smallest = cei_fig4.sums(data, "observed", **match)
    assert smallest.shape == cei_fig4.sums(data, "incumbent", **match).shape == (5, 20)
    for k, t in enumerate(data.common("t", **match)):
        np.testing.assert_array_equal(smallest[:, k], (-y[:, :t]).min(axis=1))
    np.testing.assert_array_equal(cei_fig4.sums(data, "incumbent", **match), -data.array("incumbent_value", **match))
