"""Optional stopping against the enumeration of all paths."""

import itertools

import numpy as np
import pytest

from theory_checks.boke import adaptive
from theory_checks.boke.testbeds.pointwise_bound import half_width


@pytest.mark.parametrize("form", ["printed", "repaired"])
@pytest.mark.parametrize("delta", [0.9, 0.5, 0.1])
def test_crossing_probabilities_match_the_enumeration_of_all_paths(form, delta):
    steps = 12
    n = np.arange(1, steps + 1)
    boundary = n * half_width(n, 1.0, delta, form)
    paths = np.cumsum(np.array(list(itertools.product((-1, 1), repeat=steps))), axis=1)
    crossed = np.maximum.accumulate(np.abs(paths) > boundary, axis=1).mean(axis=0)
    assert np.allclose(adaptive.stopping_failure(delta, steps, form, 1.0), crossed, atol=1e-14)
