"""Figures of Paper B show what the results say."""

import numpy as np
import pytest

from experiments.engine.statistics import paired_comparison
from paper_figures.cei.fig4 import sums
from paper_figures.cei.gaps import steps_from_incumbent
from paper_figures.figure import figures
from paper_figures.table import number, p_value


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


def test_compression_sums_are_as_stored(study_results):
    """Both measures are known before each proposal: x+ from t observations, and the smallest of those t sums."""
    data = study_results("cei.fig4")
    match = {"problem": "fc3_digits", "policy": "ei"}
    y = data.array("y", **match)
    smallest = sums(data, measure="observed", **match)
    assert smallest.shape == sums(data, measure="incumbent", **match).shape == (5, 20)
    for k, t in enumerate(data.common("t", **match)):
        np.testing.assert_array_equal(smallest[:, k], (-y[:, :t]).min(axis=1))
    np.testing.assert_array_equal(sums(data, measure="incumbent", **match), -data.array("incumbent_value", **match))
