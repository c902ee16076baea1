"""Noises of Assumption 4, and crossing probabilities against all paths."""

import itertools

import numpy as np
import pytest

from theory_checks.boke.testbeds import sub_gaussian


@pytest.mark.parametrize("atom", [0.5, 1.0, 1.67, 2.45, 4.45])
def test_the_extremal_noise_satisfies_assumption_4_and_no_larger_one_does(atom):
    p = sub_gaussian.extremal_probability(atom)
    rate = np.geomspace(1e-2, 10, 20001)
    log_moment = np.logaddexp(np.log(p) + np.logaddexp(rate * atom, -rate * atom) - np.log(2), np.log1p(-p))
    assert np.all(log_moment <= rate**2 / 2)
    if p < 0.99:
        q = p * 1.0001
        larger = np.logaddexp(np.log(q) + np.logaddexp(rate * atom, -rate * atom) - np.log(2), np.log1p(-q))
        assert np.any(larger > rate**2 / 2)


@pytest.mark.parametrize("kind", sub_gaussian.INSIDE)
def test_noises_are_centred_with_at_most_unit_variance(kind):
    sample = sub_gaussian.draw(np.random.default_rng(0), kind, (200000,), 2.0)
    assert abs(sample.mean()) < 0.01
    assert sample.var() < 1.01


def test_unknown_noise():
    with pytest.raises(KeyError):
        sub_gaussian.draw(np.random.default_rng(0), "pink", (1,))


def test_crossing_follows_a_boundary_that_jumps():
    found = sub_gaussian.crossing_probability(lambda n: np.where(n < 5, 1.5, 4.5), 9)
    paths = np.cumsum(np.array(list(itertools.product((-1, 1), repeat=9))), axis=1)
    limit = np.where(np.arange(1, 10) < 5, 1.5, 4.5)
    assert np.allclose(found, np.maximum.accumulate(np.abs(paths) > limit, axis=1).mean(axis=0))
