"""The conditioning on the noise by which A (B6) fails."""

from theory_checks.boke.finite_set import step_probabilities
from theory_checks.boke.testbeds import bandit


def test_conditioning_on_the_noise_is_what_breaks_b6():
    law = bandit.TwoArms(3.5, 1e-8)
    conditional = step_probabilities(law, 18, 16.0, conditional=True)
    joint = step_probabilities(law, 18, 16.0, conditional=False)
    assert conditional[17] > 70
    assert joint.max() < 1e-5
