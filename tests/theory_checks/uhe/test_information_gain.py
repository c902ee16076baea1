"""Greedy gains against all choices of points."""

import itertools
import math

import numpy as np
import pytest

from experiments.uhe import consistency as study
from theory_checks.uhe import (
    information_gain,
)


def test_gains_are_log_determinants_of_the_points_chosen():
    """The first greedy gains against all single and pairs of points of a small grid."""
    found = information_gain.gains("matern52", 1, 0.3, 2, 7)
    x = np.linspace(0, 1, 7)
    gram = study.PROFILES["matern52"]((x[:, None] - x) ** 2 / 0.09)[0] / study.NOISE_VARIANCE
    best = max(
        0.5 * np.linalg.slogdet(np.eye(2) + gram[np.ix_(pair, pair)])[1]
        for pair in itertools.combinations_with_replacement(range(7), 2)
    )
    assert found[0] == pytest.approx(0.5 * math.log1p(1 / study.NOISE_VARIANCE))
    assert (1 - 1 / math.e) * best <= found[1] <= best + 1e-9
