"""Figures of Paper B show the numbers of the results."""

import dataclasses
import re
import string

import matplotlib.pyplot as plt
import numpy as np
import pytest

from experiments.engine.statistics import paired_comparison
from paper_figures.cei import fig8, ratios
from paper_figures.cei.benchmarks import APART
from paper_figures.cei.fig4 import FIRST, lettered, sums
from paper_figures.cei.gaps import steps_from_incumbent
from paper_figures.figure import figures
from paper_figures.style import method_style
from paper_figures.table import number, p_value
from tests.paper_figures import cei_results
from tests.paper_figures.drawing import drawn


def test_steps_from_the_incumbent(study_results):
    """Proposal k against the row that was the incumbent when it was made, in the unit cube."""
    match = {"problem": "levy4", "policy": "ei", "arm": "known"}
    whole = cei_results.STUDIES["cei.fig3"]()
    x, incumbent = whole.array("x", **match), whole.array("incumbent", **match)
    found = steps_from_incumbent(whole, **match)
    assert found.shape == (6, 20)
    assert found[2, 5] == pytest.approx(np.linalg.norm(x[2, 12 + 5] - x[2, incumbent[2, 5]]))
    kept = study_results("cei.fig3")
    assert kept.array("x_digest", **match).shape == (6,)
    np.testing.assert_allclose(steps_from_incumbent(kept, **match), found, rtol=1e-6)


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


def test_ratios_to_ei_are_paired_by_seed(study_results):
    """Logarithms of the last gaps, ours less EI's; their mean is the geometric ratio that the figure draws."""
    data = study_results("cei.fig3")
    found = ratios.differences(data, ratios.log_gap, "levy4", "known")
    assert set(found) == set(data.policies()) - {"ei"}
    ours, theirs = (data.array("gap", problem="levy4", policy=name, arm="known")[:, -1] for name in ("pi", "ei"))
    np.testing.assert_allclose(found["pi"], np.log10(ours / theirs))
    assert float(ratios.geometric_ratio(found["pi"]).estimate) == pytest.approx(np.exp(np.mean(np.log(ours / theirs))))


def test_probability_of_improvement():
    """Ties count half, every problem counts alike; the interval holds the estimate, and is a point where all agree."""
    found = ratios.improvement({"a": np.array([-1.0, -2.0, 0.0, 3.0]), "b": np.array([-1.0, 1.0])})
    assert float(found.estimate) == pytest.approx((2.5 / 4 + 1 / 2) / 2)
    assert found.low < found.estimate < found.high
    assert [float(side) for side in ratios.improvement({"a": np.full(5, -1.0)})] == [1.0, 1.0, 1.0]


def test_figure_8_draws_what_is_there(study_results):
    """Methods that some levels lack end at those that they have; the last panel has the others' at all."""
    whole = study_results("cei.fig8")
    levels = fig8.levels(whole)
    there = dataclasses.replace(
        whole,
        results=[
            result
            for result in whole.results
            if result.config["policy"] in ("ei", "corrected_ei")
            or result.config["options"]["noise_fraction"] <= levels[2]
        ],
    )
    found = fig8.at_levels(there)
    assert found[("corrected_ei", "ei")] == levels
    others = set(whole.policies()) - {"ei", "corrected_ei"}
    assert {frozenset(names): ends for names, ends in found.items() if "ei" not in names} == {
        frozenset(others): levels[:3]
    }
    *each, last = fig8.draw(there).axes[: len(levels) + 1]
    lines = [[line for line in panel.lines if not line.get_label().startswith("_")] for panel in each[:4]]
    assert [len(found) for found in lines] == [len(whole.policies())] * 3 + [2]
    drawn = sorted(tuple(float(x) for x in line.get_xdata()) for line in last.lines)
    assert drawn == sorted([tuple(levels[:3])] * len(others) + [tuple(levels)] * 2)


@pytest.mark.parametrize(
    ("name", "rows", "unit"),
    [
        ("cei.fig3", ("gap", "distance"), 0.1),
        ("cei.fig7", ("gap", "distance"), 0.15),
        ("cei.fig3_public", ("gap", "distance", "best"), 0.1),
    ],
)
def test_benchmarks_are_curves_with_the_papers_letters(study_results, name, rows, unit):
    """Panels (a) to (d) show the mean of log10 of the gap, (e) to (h) of the distance; the ends stand beside them."""
    figure, data = drawn(study_results, name)
    arm = figures()[name].shows["arm"]
    panels = [axes for axes in figure.axes if axes.axison]
    letters = [re.search(r"\((\w)\)", axes.get_title(loc="left"))[1] for axes in panels]
    columns = len(data.problems())
    assert letters == [
        string.ascii_lowercase[4 * row + column] for row in range(len(rows)) for column in range(columns)
    ]
    for index, axes in enumerate(panels[: 2 * columns]):
        stored = data.array(rows[index // columns], problem=data.problems()[index % columns], policy="ei", arm=arm)
        stored = np.log10(stored) if index < columns else stored
        (line,) = (line for line in axes.lines if line.get_label() == "EI")
        np.testing.assert_allclose(line.get_ydata(), stored.mean(axis=0), rtol=1e-5)
        beside = [
            line
            for line in axes.lines
            if line.get_color() == line_colour("ei") and line.get_xdata()[0] > stored.shape[1]
        ]
        assert any(np.allclose(one.get_ydata(), stored[:, -1].mean(), rtol=1e-5) for one in beside)
    plt.close(figure)


def line_colour(method: str) -> str:
    return method_style(method).colour


def test_networks_have_the_papers_letters(study_results):
    """The paper's data first, a prime for other data; panel (d) has the ends of panel (a)."""
    figure, data = drawn(study_results, "cei.fig4")
    letters = lettered(data)
    first = next(iter(letters))
    assert (first == FIRST) == (FIRST in data.problems())
    assert [found[0] for found in letters.values()] == ["(a)", "(a')"][: len(letters)]
    panels = {re.search(r"\((\w'*)\)", axes.get_title(loc="left"))[0]: axes for axes in figure.axes if axes.axison}
    observed = sums(data, measure="observed", problem=first, policy="qnei")
    (curve,) = (line for line in panels["(a)"].lines if line.get_label() == "qNEI")
    times = data.common("t", problem=first)
    places = np.searchsorted(times, curve.get_xdata())
    np.testing.assert_allclose(curve.get_ydata(), observed.mean(axis=0)[places], rtol=1e-5)
    assert {0, len(times) - 1} <= set(places)
    assert np.diff(places).max() == APART
    assert any(np.allclose(line.get_xdata(), observed[:, -1].mean(), rtol=1e-5) for line in panels["(d)"].lines)
    plt.close(figure)


def test_compression_sums_are_as_stored(study_results):
    """Both measures are known before each proposal: x+ from t observations, and the smallest of those t sums."""
    data = study_results("cei.fig4")
    match = {"problem": "fc3_digits", "policy": "ei"}
    y = cei_results.STUDIES["cei.fig4"]().array("y", **match)
    smallest = sums(data, measure="observed", **match)
    assert smallest.shape == sums(data, measure="incumbent", **match).shape == (5, 20)
    for k, t in enumerate(data.common("t", **match)):
        np.testing.assert_array_equal(smallest[:, k], (-y[:, :t]).min(axis=1))
    np.testing.assert_array_equal(sums(data, measure="incumbent", **match), -data.array("incumbent_value", **match))
