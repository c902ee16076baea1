"""Normal tails."""

import math

import pytest
from scipy import integrate

from theory_checks.ctx import (
    ucb_excess,
)


@pytest.mark.parametrize("z", [1.0, 0.0, -0.7, -3.9, -4.1, -9.0, -25.0])
def test_expected_positive_part_matches_quadrature(z):
    ratio = integrate.quad(lambda s: s * math.exp(z * s - s * s / 2), 0, 40, epsabs=0, epsrel=1e-12)[0]
    assert ucb_excess.positive_part(z) == pytest.approx(ratio * ucb_excess.density(z), rel=1e-9)
