"""The integral of the kernel."""

import pytest

from theory_checks.ctx import (
    kernel,
)


def test_kernel_integral_is_a_power_of_two():
    for dim in (1, 3):
        assert kernel.kernel_integral(dim, 1.0)[0] == pytest.approx(2 ** (-dim / 2), rel=1e-12)
