"""What is kept for good is what is read, and the committed results stay small.

That figures read no more: `tests/paper_figures` draws all of them from made-up results that went through `slimmed`.
"""

import numpy as np

from experiments.engine.result_file import Result
from experiments.engine.slim import slimmed
from experiments.engine.store import REFERENCE

ARRAYS = {
    "x": np.random.default_rng(0).uniform(size=(3, 8, 2)),
    "y": np.zeros((3, 8)),
    "value": np.zeros((3, 8)),
    "simple_regret": np.ones((3, 8)),
    "initial_size": np.asarray(5),
    "info_beta": np.zeros((3, 3)),
    "info_random_probability": np.zeros((3, 3)),
}


def test_what_is_read_is_kept():
    figure_6 = slimmed(Result({"study": "boke.fig6"}, ARRAYS, {"code": "a"}))
    assert set(figure_6.arrays) == {"x", "simple_regret", "initial_size", "info_random_probability"}
    np.testing.assert_array_equal(figure_6.arrays["x"], ARRAYS["x"][:, :5].astype(np.float32))
    assert figure_6.metadata == {"code": "a", "left_out": ["info_beta", "value", "x", "y"]}
    other = slimmed(Result({"study": "cei.fig3"}, ARRAYS, {}))
    assert set(ARRAYS) - set(other.arrays) == {"info_beta", "value", "y"}
    assert other.arrays["x"].shape == (3, 8, 2)
    assert other.arrays["x"].dtype == np.float32
    again = slimmed(figure_6)
    assert {name: array.tobytes() for name, array in again.arrays.items()} == {
        name: array.tobytes() for name, array in figure_6.arrays.items()
    }
    assert again.metadata == figure_6.metadata


def test_what_was_left_out_before_is_still_named():
    """Of a result that was slimmed by an older rule, which kept more."""
    older = Result({"study": "cei.fig3"}, {"x": ARRAYS["x"], "value": ARRAYS["value"]}, {"left_out": ["y"]})
    assert slimmed(older).metadata["left_out"] == ["value", "y"]


def test_the_committed_results_stay_below_40_mib():
    assert sum(path.stat().st_size for path in REFERENCE.rglob("*") if path.is_file()) <= 40 * 2**20
