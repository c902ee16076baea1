"""Fill distances and times of stored runs, against values worked out by hand."""

import numpy as np
import pytest

from experiments.engine.result_file import Result
from experiments.measures.fill import Fill, fill_slope, jackknifed_slopes, late, mean_fill
from experiments.measures.times import equal_time, spent

T = np.array([5, 10, 20, 40])


def test_few_points_are_left_out_and_the_rest_averaged():
    """The geometric mean of 1/4, 1/8 and 1/16."""
    result = Result({}, {"t": T, "fill_distance": np.array([[0.9, 0.25, 0.125, 0.0625]])}, {})
    assert late(result).t.tolist() == [10, 20, 40]
    assert mean_fill(result) == pytest.approx([0.125])


def test_slope_of_the_mean_is_not_the_mean_of_slopes():
    """One run falls like 1/t and the other stays, so that the mean stays in the end; numpy's fit is the oracle."""
    fill = Fill(T, np.array([1.0 / T, np.full(4, 0.1), 0.9 / T, np.full(4, 0.11)]))
    assert fill_slope(fill) == pytest.approx([-1.0, 0.0, -1.0, 0.0])

    def fitted(rows):
        return np.polyfit(np.log(T), np.log(fill.distance[rows].mean(axis=0)), 1)[0]

    less_one = [fitted([i for i in range(4) if i != left]) for left in range(4)]
    assert jackknifed_slopes(fill).mean() == pytest.approx(4 * fitted([0, 1, 2, 3]) - 3 * np.mean(less_one))


def test_equal_time_is_what_the_quicker_method_spends():
    """Three proposals in six seconds; the other method takes four seconds for each."""
    quick, slow = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), np.full((2, 3), 4.0)
    assert spent(quick).tolist() == [2.0, 4.0, 6.0]
    assert equal_time(quick, slow) == equal_time(slow, quick)[:1] + equal_time(slow, quick)[:0:-1] == (6.0, 3, 1)
