"""Tuning figures show times, paired differences, failures, and the runs that are left out, as the results have them."""

import numpy as np
import pytest

from experiments.boke import fig9
from experiments.engine.statistics import paired_comparison
from experiments.workloads.tuning.tasks import get
from paper_figures import tuning
from paper_figures.draw import Drawn
from paper_figures.figure import figures
from paper_figures.footer import footer
from paper_figures.site.figure_page import figure_page
from paper_figures.style import new_figure
from paper_figures.table import number


def test_scores_at_equal_times():
    """A score counts from the moment its evaluation has ended, worked out by hand."""
    spent = np.array([[0.0, 1.0, 3.0], [0.0, 2.0, 2.5]])
    best = np.array([[0.1, 0.4, 0.5], [0.2, 0.2, 0.9]])
    found = tuning.at_times(spent, best, np.array([0.0, 0.99, 1.0, 2.0, 2.5]))
    np.testing.assert_array_equal(found, [[0.1, 0.1, 0.4, 0.4, 0.4], [0.2, 0.2, 0.2, 0.2, 0.9]])


def test_time_runs_from_the_end_of_the_design(study_results):
    data = study_results("boke.fig9")
    spent, best = tuning.time_course(data, "rf_wine", "boke")
    initial = 11
    assert spent.shape == best.shape == (8, 30 - initial + 1)
    assert np.all(spent[:, 0] == 0)
    seconds = data.array("evaluation_seconds", problem="rf_wine", policy="boke")[:, initial:]
    own = data.array("proposal_seconds", problem="rf_wine", policy="boke")[:, initial:]
    np.testing.assert_allclose(spent[:, -1], (seconds.astype(float) + own).sum(axis=1))
    np.testing.assert_array_equal(best[:, 0], data.array("best", problem="rf_wine", policy="boke")[:, initial - 1])


@pytest.mark.parametrize("measure", ["mean", "final"])
def test_tables_compare_in_pairs(study_results, measure):
    data = study_results("boke.fig9")
    table = tuning.tuning_table(data, "boke", measure)
    assert len(table.rows) == 4 * (len(fig9.METHODS) - 1)
    row = next(row for row in table.rows if row[:2] == (get("xgb_wine").label, "GP-UCB"))
    ours, theirs = (data.array("best", problem="xgb_wine", policy=name) for name in ("boke", "gp_ucb"))
    pick = (lambda best: best[:, 15:].mean(axis=1)) if measure == "mean" else (lambda best: best[:, -1])
    expected = paired_comparison(pick(ours), pick(theirs))
    assert row[2] == f"{number(pick(ours).mean())} / {number(pick(theirs).mean())}"
    assert row[3] == number(float(expected.difference.estimate))
    assert row[-1] == f"{expected.wins}–{expected.losses}–{expected.ties}"


def test_failures_are_reported(study_results):
    (table,) = tuning.failure_table(study_results("boke.fig9"))
    assert table.rows == ((get("rf_california").label, "ValueError: overflow", "1"),)


@pytest.mark.parametrize(
    ("study", "words"),
    [
        ("boke.fig9", "At most 300 rows, at most 30 trees · 1 failed evaluation"),
        (
            "uhe.fig2_tuning",
            "Logistic regression: at most 300 rows, 30 epochs; XGBoost and Random forest: at most 300 rows, 30 trees",
        ),
    ],
)
def test_the_figure_says_what_was_run(study_results, study, words):
    figure, _ = new_figure(1, 1, height=2.0)
    tuning.workload_note(figure, study_results(study))
    footer(figure, "provenance")
    said = " ".join(" ".join(text.get_text() for text in figure.texts).split())
    assert said.startswith(words)


def test_the_figures_page_marks_what_is_skipped(monkeypatch, tmp_path):
    """The page marks skipped data only where it shows no stored results; the reference has the data that it names."""
    monkeypatch.setenv("KERNELBO_DATA", str(tmp_path))
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path))
    missing = Drawn(figures()["boke.fig9"], None, (), reason="no results")
    page = figure_page(missing, "quick", [])
    assert "skipped: data: cal\\_housing.csv is missing" in page
    assert "`python -m experiments.data fetch cal_housing.csv`" in page
    assert "skipped: data" not in figure_page(missing, "smoke", [])
