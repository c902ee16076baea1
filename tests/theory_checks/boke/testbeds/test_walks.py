"""Walks see each jump of a path once, and no slope."""

import numpy as np

from theory_checks.boke.testbeds import walks


def test_brackets_count_a_jump_once_and_a_slope_never():
    positions = np.linspace(0.0, 1.0, 2**12 + 1)
    jump = (positions > 1 / 3).astype(float)
    assert walks.bracket(positions, jump, 0.5, 8) == 2.0**-8
    assert walks.bracket(positions, jump, 0.5, 12) == 2.0**-12
    assert walks.bracket(positions, positions, 0.5, 8) == 0.0


def test_walk_sees_the_bisector_and_not_the_support_edge():
    data_x, data_y = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    walked = walks.walk("epanechnikov", data_x, data_y, 0.25, np.array([-0.1]), np.array([0.9]))
    assert walked.jump == 1.0
    assert walked.edge_jump == 0.0
    assert walked.lengths.fine == 2.0**-12
    pair = np.array(walked.counterexample["pair"])
    assert pair.min() < 0.5 < pair.max()


def test_ring_kernels_jump_at_the_edge_of_their_zero_zone():
    data_x, data_y = np.array([[0.0], [0.9]]), np.array([0.0, 1.0])
    walked = walks.walk("annulus", data_x, data_y, 1.0, np.array([0.0]), np.array([0.6]))
    assert walked.edge_jump == 1.0
