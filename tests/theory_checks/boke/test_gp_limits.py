"""Limits of posteriors under kernels with a constant part."""

from fractions import Fraction

import numpy as np
import pytest

from theory_checks.boke import gp_limits


@pytest.mark.parametrize(("kernel", "value"), [("squared_exponential", 0.5), ("matern12", 0.5), ("matern52", 0.5)])
def test_a_constant_part_changes_the_limit(kernel, value):
    design = {"points": [[0.0]], "copies": [1], "x": [1.0], "values": [2], "noise": 1.0}
    (*_, last) = gp_limits.posteriors(kernel, Fraction(1, 2), "mean", design)
    assert float(last) == pytest.approx(value)
    assert gp_limits.claimed_limit("mean", True, design) == 0


def test_constant_part_keeps_the_hypothesis_and_positive_definiteness():
    assert gp_limits.covariance("matern32", Fraction(1, 2), Fraction(0), 1e-3) == 1
    points = np.random.default_rng(0).uniform(size=(6, 2))
    squared = ((points[:, None] - points) ** 2).sum(axis=-1)
    gram = [[float(gp_limits.covariance("matern32", Fraction(1, 2), Fraction(s), 0.3)) for s in row] for row in squared]
    assert np.linalg.eigvalsh(np.array(gram)).min() > 0
