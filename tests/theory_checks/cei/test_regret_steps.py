"""A step of the regret proof, by hand."""

import math

import pytest

from theory_checks.cei import (
    regret_steps,
)
from theory_checks.cei.testbeds import step_designs


def test_steps_in_the_event():
    step = regret_steps.build(regret_steps.UNSEEN_AND_BAD)
    assert (step.incumbent, step.chosen) == (1, 2)
    assert step.event
    assert step.value[step.optimum] - step.value[step.chosen] == 1e5
    norm = 1e5**2 / (1 - math.exp(-9))
    assert step.root_beta**2 == pytest.approx(2 * norm, rel=1e-2)
    assert step_designs.beta_of(1.0, 2.0, 3, 0.1) == pytest.approx(2 + 600 * math.log(30) ** 3)
