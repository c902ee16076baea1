"""Policies of `core` on the continuous cube."""

import pytest

from theory_checks.boke.testbeds.core_runs import core_fill


@pytest.mark.parametrize("policy", ["boke", "density_exploration"])
def test_core_policies_fill_the_line(policy):
    failures, numbers = core_fill("smoke", policy)
    assert not failures
    assert numbers["d=1"]["largest_fill_over_Rh"] <= 1.01


def test_the_same_check_sees_a_radius_that_is_too_small():
    assert core_fill("smoke", "boke", radius=0.5)[0]
