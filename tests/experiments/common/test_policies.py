"""The study of all methods: the distance of a proposal from the best observation."""

import numpy as np

from experiments.common.policies import steps_from_best


def test_steps_are_from_the_best_observation_before_each_proposal():
    """The best of (1, 3) is the second point; then the third proposal's own value is the best."""
    x = np.array([[[0.0, 0.0], [0.5, 0.0], [0.5, 0.3], [0.1, 0.3]]])
    np.testing.assert_allclose(steps_from_best(x, np.array([[1.0, 3.0, 4.0, 9.0]]), 2), [[0.3, 0.4]])
    np.testing.assert_allclose(steps_from_best(x, np.array([[1.0, 3.0, 2.0, 9.0]]), 2), [[0.3, 0.5]])
