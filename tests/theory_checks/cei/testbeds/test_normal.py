"""The normal functions in 60 digits against SciPy."""

from decimal import Decimal, localcontext

import pytest
from scipy import integrate, special, stats

from theory_checks import exact
from theory_checks.cei.testbeds import normal


@pytest.mark.parametrize("z", [-36.0, -30.0, -8.5, -3.0, -2.999, -1.0, -0.3, 0.0, 0.7, 2.999, 3.0, 6.0])
def test_sixty_digit_normal_against_scipy(z):
    assert float(normal.density(z)) == pytest.approx(stats.norm.pdf(z), rel=1e-13, abs=0)
    assert float(normal.distribution(z)) == pytest.approx(special.ndtr(z), rel=1e-11, abs=1e-320)
    assert float(normal.tau(z).ln()) == pytest.approx(float(normal.log_tau_float(z)), abs=1e-9)
    if z > -36:
        assert float(normal.tau(z)) == pytest.approx(float(normal.tau_float(z)), rel=1e-11)


def test_sixty_digit_normal_is_consistent_across_its_branches():
    step = Decimal(10) ** -20
    with localcontext(exact.DIGITS):
        for z in (Decimal(3), Decimal(-3)):
            slope = (normal.tau(z + step) - normal.tau(z - step)) / (2 * step)
            assert abs(slope - normal.distribution(z)) < Decimal(10) ** -35
        assert abs(normal.distribution(Decimal("1.7")) + normal.distribution(Decimal("-1.7")) - 1) < Decimal(10) ** -58


def test_tau_is_the_integral_of_the_distribution():
    for z in (-2.0, 0.5, 3.3):
        area, _ = integrate.quad(special.ndtr, -40, z)
        assert float(normal.tau(z)) == pytest.approx(area, rel=1e-9)
