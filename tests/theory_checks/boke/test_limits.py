"""Limits, duplicates and continuity of Paper A: verdicts, and the parts of the checks that could hide a mistake."""

from fractions import Fraction

import numpy as np
import pytest

from theory_checks.boke import continuity, gp_limits, limits
from theory_checks.boke.instruments import fat_cantor
from theory_checks.boke.limits import Dataset
from theory_checks.ledger import load

VERDICTS = {
    "boke.prop1": "supported",
    "boke.prop1_power_exponential": "refuted",
    "boke.prop1_power_exponential_repaired": "supported",
    "boke.kde_limit": "supported",
    "boke.lemma10": "supported",
    "boke.prop11": "refuted",
    "boke.prop11_repaired": "supported",
    "boke.prop12": "refuted",
    "boke.prop12_repaired": "supported",
    "boke.nn_extension_continuity": "refuted",
    "boke.nn_extension_continuity_repaired": "supported",
}


@pytest.mark.parametrize("claim_id", VERDICTS)
def test_verdicts_at_smoke_scale(claim_id):
    assert load()[claim_id]("smoke").verdict == VERDICTS[claim_id]


def test_the_exponential_half_of_the_remark_holds():
    evidence = limits.prop1_power_exponential.check("smoke", norms={"exponential": "l2"})
    assert evidence.verdict == "supported"


def test_norms_disagree_on_the_stored_design():
    dataset = limits.L1_DIFFERS_FROM_L2
    distances = np.abs(dataset.data_x)
    assert np.argmin(np.sqrt((distances**2).sum(axis=1))) == 0
    assert np.argmin(distances.sum(axis=1)) == 1


def test_core_keeps_the_limit_on_a_bisector_with_duplicates():
    data_x = np.array([[-1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 5.0]])
    dataset = Dataset(np.zeros(2), data_x, np.array([3.0, 0.0, 3.0, 100.0]))
    np.testing.assert_allclose(limits.core_values("gaussian", "regression", dataset)[2:], 2.0, rtol=1e-14)


def test_a_wrong_limit_is_seen_by_both_arithmetics():
    dataset = Dataset(np.zeros(1), np.array([[-1.0], [1.0]]), np.array([0.0, 2.0]))
    right = limits.regression_errors("gaussian", "l2", "averaged", dataset)
    wrong = limits.regression_errors("gaussian", "l2", "first", dataset)
    assert right["exact"] == right["core"] == 0.0
    assert wrong["exact"] == wrong["core"] == 0.5


@pytest.mark.parametrize(("kernel", "value"), [("squared_exponential", 0.5), ("matern12", 0.5), ("matern52", 0.5)])
def test_a_constant_part_changes_the_limit(kernel, value):
    design = {"points": [[0.0]], "copies": [1], "x": [1.0], "values": [2], "noise": 1.0}
    (*_, last) = gp_limits.posteriors(kernel, Fraction(1, 2), "mean", design)
    assert float(last) == pytest.approx(value)
    assert gp_limits.claimed_limit("mean", True, design) == 0


def test_constant_part_keeps_the_hypothesis_and_positive_definiteness():
    assert gp_limits.covariance("matern32", Fraction(1, 2), Fraction(0), 1e-3) == 1
    points = np.random.default_rng(0).uniform(size=(6, 2))
    squared = ((points[:, None] - points) ** 2).sum(axis=-1)
    gram = [[float(gp_limits.covariance("matern32", Fraction(1, 2), Fraction(s), 0.3)) for s in row] for row in squared]
    assert np.linalg.eigvalsh(np.array(gram)).min() > 0


# --- the fat Cantor kernel satisfies Assumption 3 ------------------------------------------------------------------


def test_fat_cantor_is_a_kernel_of_assumption_3():
    grid = [Fraction(n, 4096) for n in range(-5000, 5001)]
    values = [fat_cantor.fat_cantor(u) for u in grid]
    assert fat_cantor.fat_cantor(Fraction(0)) == 1
    assert all(0 <= value <= 1 for value in values)
    assert values == values[::-1]
    assert all(value == 0 for u, value in zip(grid, values, strict=True) if abs(u) > 1)
    steps = [abs(b - a) / (v - u) for u, v, a, b in zip(grid, grid[1:], values, values[1:], strict=False)]
    assert max(steps) <= 8


def test_fat_cantor_set_has_positive_length_and_no_interior():
    intervals = [(Fraction(1, 2), Fraction(1))]
    for level in range(1, 9):
        gaps = [fat_cantor._gap(low, high, level) for low, high in intervals]
        assert all(low < left < right < high for (low, high), (left, right) in zip(intervals, gaps, strict=True))
        pairs = zip(intervals, gaps, strict=True)
        intervals = [half for (low, high), (left, right) in pairs for half in ((low, left), (right, high))]
        total = sum(high - low for low, high in intervals)
        assert total == Fraction(1, 4) + Fraction(1, 4 * 2**level)
    assert max(high - low for low, high in intervals) < Fraction(1, 2 * 2**8)
    ends = [end for interval in intervals for end in interval]
    assert all(fat_cantor.fat_cantor(end) == 0 for end in ends)


def test_discontinuity_lengths_tend_to_an_eighth():
    lengths = fat_cantor.discontinuity_lengths(fat_cantor.DATA, (2, 4, 7))
    assert lengths == [Fraction(1, 8) + Fraction(1, 8 * 2**level) for level in (2, 4, 7)]


def test_equal_values_do_not_jump():
    points, values = [Fraction(0), Fraction(5, 4)], [Fraction(1), Fraction(1)]
    assert all(fat_cantor.regression(Fraction(n, 512), points, values) == 1 for n in range(640))


# --- walks ---------------------------------------------------------------------------------------------------------


def test_brackets_count_a_jump_once_and_a_slope_never():
    positions = np.linspace(0.0, 1.0, 2**12 + 1)
    jump = (positions > 1 / 3).astype(float)
    assert continuity.bracket(positions, jump, 0.5, 8) == 2.0**-8
    assert continuity.bracket(positions, jump, 0.5, 12) == 2.0**-12
    assert continuity.bracket(positions, positions, 0.5, 8) == 0.0


def test_walk_sees_the_bisector_and_not_the_support_edge():
    data_x, data_y = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    walked = continuity.walk("epanechnikov", data_x, data_y, 0.25, np.array([-0.1]), np.array([0.9]))
    assert walked.jump == 1.0
    assert walked.edge_jump == 0.0
    assert walked.lengths.fine == 2.0**-12
    pair = np.array(walked.counterexample["pair"])
    assert pair.min() < 0.5 < pair.max()


def test_ring_kernels_jump_at_the_edge_of_their_zero_zone():
    data_x, data_y = np.array([[0.0], [0.9]]), np.array([0.0, 1.0])
    walked = continuity.walk("annulus", data_x, data_y, 1.0, np.array([0.0]), np.array([0.6]))
    assert walked.edge_jump == 1.0
