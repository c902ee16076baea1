"""The values of `core` as the bandwidth goes to zero."""

import numpy as np

from theory_checks.boke.testbeds import datasets
from theory_checks.boke.testbeds.datasets import Dataset


def test_core_keeps_the_limit_on_a_bisector_with_duplicates():
    data_x = np.array([[-1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 5.0]])
    dataset = Dataset(np.zeros(2), data_x, np.array([3.0, 0.0, 3.0, 100.0]))
    np.testing.assert_allclose(datasets.core_values("gaussian", "regression", dataset)[2:], 2.0, rtol=1e-14)
