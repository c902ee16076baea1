"""The quadrature that judges the closed form."""

import math

import pytest

from theory_checks.cei import (
    closed_form,
)
from theory_checks.cei.testbeds import normal


def test_quadrature_knows_the_univariate_answer():
    for tilt, r, u in ((0.0, 1.3, -0.4), (0.5, 1.2, 0.3), (-2.0, 1e-6, 0.7), (1e-3, 0.0, 1e-3)):
        s = math.hypot(tilt, r)
        assert closed_form.two_dimensional(u, tilt, r) == pytest.approx(float(normal.corrected_ei(u, s)), abs=1e-12)
