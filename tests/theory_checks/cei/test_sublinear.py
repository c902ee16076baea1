"""Growth of the regret."""

import numpy as np
import pytest

from theory_checks.cei import (
    sublinear,
)


def test_two_points_have_linear_regret():
    regret, least = sublinear.regrets(sublinear.Setting("two points", 0.3), "smoke")
    assert least > 0
    np.testing.assert_allclose(regret[:, -1] / regret.shape[1], 1.0, atol=0.01)
    root = np.ones((4, 1)) * np.sqrt(np.arange(1.0, 300.0))
    assert sublinear.growth(root, 0.01)["exponent"] == pytest.approx(0.5)
