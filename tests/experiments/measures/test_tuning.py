"""Scores of tuning runs, against values worked out by hand."""

import numpy as np
import pytest

from experiments.engine.result_file import Result
from experiments.measures.tuning import score

BEST = np.array([[0.1, 0.3, 0.5, 0.6], [0.2, 0.2, 0.2, 0.8]])


@pytest.mark.parametrize(("which", "expected"), [("design", [0.3, 0.2]), ("mean", [0.55, 0.5]), ("final", [0.6, 0.8])])
def test_a_score_is_that_of_the_design_of_the_run_or_of_its_end(which, expected):
    """Two of four evaluations are the design."""
    result = Result({}, {"best": BEST, "initial_size": np.asarray(2)}, {})
    assert score(result, which) == pytest.approx(expected)
