"""Limits of kernel regression: the parts of the check that could hide a mistake."""

import numpy as np

from theory_checks.boke import limits
from theory_checks.boke.testbeds.datasets import Dataset


def test_the_exponential_half_of_the_remark_holds():
    evidence = limits.attack_regression({"exponential": "l2"}, "averaged", "smoke")
    assert evidence.verdict == "supported"


def test_norms_disagree_on_the_stored_design():
    dataset = limits.L1_DIFFERS_FROM_L2
    distances = np.abs(dataset.data_x)
    assert np.argmin(np.sqrt((distances**2).sum(axis=1))) == 0
    assert np.argmin(distances.sum(axis=1)) == 1


def test_a_wrong_limit_is_seen_by_both_arithmetics():
    dataset = Dataset(np.zeros(1), np.array([[-1.0], [1.0]]), np.array([0.0, 2.0]))
    right = limits.regression_errors("gaussian", "l2", "averaged", dataset)
    wrong = limits.regression_errors("gaussian", "l2", "first", dataset)
    assert right["exact"] == right["core"] == 0.0
    assert wrong["exact"] == wrong["core"] == 0.5
