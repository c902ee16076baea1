"""The printed and the repaired bound of Theorem 2."""

import itertools
import math

import numpy as np

from theory_checks.boke.testbeds import sub_gaussian
from theory_checks.boke.testbeds.pointwise_bound import half_width


def test_the_repaired_bound_is_wider_than_the_printed_one_and_within_a_logarithm():
    weight = np.geomspace(0.01, 1e6, 200)
    for delta in (0.5, 0.01):
        ratio = half_width(weight, 2.0, delta, "repaired") / half_width(weight, 2.0, delta)
        assert np.all(ratio > 0.9)
        large = weight > 10
        assert np.all(ratio[large] ** 2 < 1.1 * (2 + np.log(1 + weight[large]) / np.log(2 / delta)))


def test_the_mixture_is_a_supermartingale():
    """E[sqrt(M/(M+V')) exp(S'^2 / 2(M+V'))] <= the same before the step, for any state, weight and extremal noise."""
    for total, spent, k in itertools.product((-3.0, 0.0, 1.0, 5.0), (0.0, 1.0, 20.0), (0.1, 1.0, 3.0)):
        bound = 3.0
        before = math.sqrt(bound / (bound + spent)) * math.exp(total**2 / (2 * (bound + spent)))
        for atom in (1.0, 2.0, 3.0):
            p = sub_gaussian.extremal_probability(atom)
            after = spent + k**2
            values = [math.exp((total + k * step) ** 2 / (2 * (bound + after))) for step in (-atom, 0.0, atom)]
            mean = p / 2 * (values[0] + values[2]) + (1 - p) * values[1]
            assert math.sqrt(bound / (bound + after)) * mean <= before * (1 + 1e-9)
