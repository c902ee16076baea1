"""Growth of the regret."""

import numpy as np
import pytest

from theory_checks.cei import sublinear


def test_exponents_of_a_root_and_of_proposals_that_do_not_learn():
    root = np.ones((4, 1)) * np.sqrt(np.arange(1.0, 300.0))
    assert sublinear.growth(root, 0.01)["exponent"] == pytest.approx(0.5)
    regret, _ = sublinear.regrets(sublinear.Setting("rkhs", 0.1), "smoke", True)
    assert sublinear.growth(regret, 0.01)["exponent"] == pytest.approx(1.0, abs=0.03)
