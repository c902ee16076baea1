"""The figures of all methods show the share of regret left, and the methods behind random search."""

import dataclasses

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import stats

from paper_figures.common import policies
from paper_figures.common.shares import compared, final, shares
from paper_figures.load import StudyResults
from paper_figures.style import method_label
from tests.paper_figures.drawing import drawn


def middle_half(values: np.ndarray) -> float:
    """The interquartile mean of all runs, by SciPy."""
    return float(stats.trim_mean(values.ravel(), 0.25))


def test_a_row_a_method_best_first(study_results):
    """Marks at the interquartile means of the stored regrets over the design's mean; the rows in their order."""
    figure, data = drawn(study_results, "common.policies")
    exact, noisy, cost = figure.axes
    names = [label.get_text() for label in exact.get_yticklabels()]
    assert sorted(names) == sorted(method_label(name) for name in compared(data))
    rows = []
    for level, axes in enumerate((exact, noisy)):
        marks = [line for line in axes.lines if line.get_marker() in ("o", "^", "s", "D")]
        rows.append([float(mark.get_xdata()[0]) for mark in marks])
        for place, name in enumerate(policies.ranked(data)):
            left = []
            for problem in data.problems():
                regret = data.array("simple_regret", problem=problem, policy=name)[:, level].astype(float)
                design = int(data.common("initial_size", problem=problem))
                left.append(regret[:, -1] / regret[:, design - 1].mean())
            assert rows[level][place] == pytest.approx(middle_half(np.stack(left)), rel=1e-6)
            assert float(marks[place].get_ydata()[0]) == place
    heights = np.prod(np.array(rows), axis=0)
    assert np.all(np.diff(heights) >= 0)
    assert cost.get_xlabel() == "CPU milliseconds (lower is better)"
    plt.close(figure)


def test_behind_random_search_is_hollow(study_results):
    """A method that ends ten times worse than random search in every noisy run, and is as before without noise."""
    data = study_results("common.policies")

    def worse(result):
        if result.config["policy"] != "boke":
            return result
        peers = data.select(policy="random_search", problem=result.config["problem"])
        (peer,) = (one for one in peers if one.config["seeds"] == result.config["seeds"])
        regret = result.arrays["simple_regret"].copy()
        regret[:, 1, -1] = 10 * peer.arrays["simple_regret"][:, 1, -1]
        return dataclasses.replace(result, arrays=result.arrays | {"simple_regret": regret})

    changed: StudyResults = dataclasses.replace(data, results=tuple(map(worse, data.results)))
    assert policies.behind(changed, "boke", 1)
    assert policies.behind(changed, "boke", 0) == policies.behind(data, "boke", 0)
    assert not policies.behind(changed, "random_search", 1)
    figure = policies.draw(changed)
    place = policies.ranked(changed).index("boke")
    (mark,) = (
        line for line in figure.axes[1].lines if line.get_marker() == "o" and float(line.get_ydata()[0]) == place
    )
    assert mark.get_markerfacecolor() == "white"
    plt.close(figure)


def test_curves_end_where_the_rows_stand(study_results):
    figure, data = drawn(study_results, "common.policies_curves")
    (curve,) = (line for line in figure.axes[1].lines if line.get_label() == "Corrected EI")
    assert float(curve.get_ydata()[-1]) == pytest.approx(middle_half(shares(data, "corrected_ei")[0, -1]), rel=1e-6)
    assert final(shares(data, "corrected_ei")).shape == (4, 6)
    plt.close(figure)
