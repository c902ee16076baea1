"""The Sobol points equal scipy's bit for bit, in every dimension of the table and beyond the table."""

import numpy as np
import pytest
from scipy.stats import qmc

from core.search.sobol import sobol_points


@pytest.mark.parametrize("dim", [1, 2, 37, 38, 60])
@pytest.mark.parametrize("exponent", [0, 1, 2, 5, 8, 12])
def test_the_points_are_scipys(exponent: int, dim: int) -> None:
    points = sobol_points(exponent, dim)
    theirs = qmc.Sobol(dim, scramble=False).random_base2(exponent)
    assert points.dtype == theirs.dtype
    np.testing.assert_array_equal(points, theirs)
