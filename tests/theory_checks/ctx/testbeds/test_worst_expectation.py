"""The dual's vertices against feasible pairs."""

from fractions import Fraction

import numpy as np

from theory_checks.ctx.testbeds import worst_expectation


def random_case(rng):
    weights = rng.integers(0, 4, size=worst_expectation.SIZE)
    weights[0] += 1
    return {
        "values": rng.integers(-5, 6, size=worst_expectation.SIZE).tolist(),
        "weights": weights.tolist(),
        "radius": [int(rng.integers(0, 30)), 12],
    }


def test_no_feasible_pair_beats_the_vertices_and_weak_duality_holds():
    rng = np.random.default_rng(2)
    for _ in range(30):
        u, p, radius = worst_expectation.exact(random_case(rng))
        best = worst_expectation.dual(u, p, radius, min(u))
        value, q = worst_expectation.primal(u, p, radius, anywhere=True)
        assert sum(q) == 1
        assert min(q) >= 0
        assert sum(abs(a - b) for a, b in zip(q, p, strict=True)) <= radius
        assert value == best
        for _ in range(20):
            alpha = Fraction(int(rng.integers(0, 40)), 7)
            beta = -min(u) - alpha + Fraction(int(rng.integers(0, 40)), 7)
            assert worst_expectation.objective(alpha, beta, u, p, radius) <= best
