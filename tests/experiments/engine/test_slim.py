"""The reference keeps exactly the arrays that a reader uses, and the committed results stay small.

`tests/paper_figures` checks the arrays of the figures: it draws every figure from made-up results after `slimmed`.
"""

import hashlib
import struct

import numpy as np
import pytest

from experiments.engine.manifest import MANIFEST, manifest
from experiments.engine.registry import STUDIES
from experiments.engine.result_file import Result
from experiments.engine.slim import Kept, slimmed
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
    figure_6 = slimmed(Result({"study": "boke.fig6"}, ARRAYS, {"code": "a"}), STUDIES["boke.fig6"].keep)
    assert set(figure_6.arrays) == {"x_digest", "simple_regret", "initial_size", "info_random_probability"}
    assert figure_6.metadata == {"code": "a", "left_out": ["info_beta", "value", "x", "y"]}
    other = slimmed(Result({"study": "cei.fig3_leaked", "seeds": [0, 1, 2]}, ARRAYS, {}), Kept())
    assert set(ARRAYS) - set(other.arrays) == {"info_beta"}
    assert other.arrays["x"].shape == (3, 8, 2)
    assert other.arrays["x"].dtype == np.float32
    again = slimmed(figure_6, STUDIES["boke.fig6"].keep)
    assert {name: array.tobytes() for name, array in again.arrays.items()} == {
        name: array.tobytes() for name, array in figure_6.arrays.items()
    }
    assert again.metadata == figure_6.metadata


def test_the_digest_tells_designs_apart_and_nothing_else():
    """A row a seed; one bit of one entry of the design changes its seed's alone; what comes after the design, none.

    The first is BLAKE2b of the design's entries, packed here one by one.
    """

    def digest(x: np.ndarray) -> np.ndarray:
        return slimmed(Result({"study": "boke.fig6"}, {**ARRAYS, "x": x}, {}), STUDIES["boke.fig6"].keep).arrays[
            "x_digest"
        ]

    x = ARRAYS["x"].astype(np.float32)
    before = digest(ARRAYS["x"])
    assert before.dtype == np.uint64
    assert len(set(before.tolist())) == 3
    first = hashlib.blake2b(struct.pack("<10f", *x[0, :5].ravel().tolist()), digest_size=8).digest()
    assert before[0] == int.from_bytes(first, "little")
    np.testing.assert_array_equal(digest(x), before)
    later, other = x.copy(), x.copy()
    later[:, 5:] += 1
    np.testing.assert_array_equal(digest(later), before)
    other[1, 4, 1] = np.nextafter(other[1, 4, 1], np.float32(2))
    np.testing.assert_array_equal(digest(other) == before, [True, False, True])


def test_what_was_left_out_before_is_still_named():
    """The result was slimmed by an older rule, which kept more."""
    older = Result(
        {"study": "cei.fig7"}, {name: ARRAYS[name] for name in ("x", "value", "initial_size")}, {"left_out": ["y"]}
    )
    assert slimmed(older, STUDIES["cei.fig7"].keep).metadata["left_out"] == ["value", "x", "y"]


def test_one_number_a_proposal_in_the_place_of_an_array():
    """Both numbers follow their definition; a result that was slimmed before is left unchanged."""
    incumbent = np.asarray([[0, 5, 6], [4, 4, 4], [1, 2, 7]])
    arrays = {**ARRAYS, "y": np.random.default_rng(1).normal(size=(3, 8)), "incumbent": incumbent}
    figure_3 = slimmed(Result({"study": "cei.fig3", "seeds": [0, 1, 2]}, arrays, {}), STUDIES["cei.fig3"].keep)
    steps = figure_3.arrays["incumbent_steps"]
    assert steps.shape == (3, 3)
    assert steps.dtype == np.float32
    assert steps[1, 2] == pytest.approx(np.linalg.norm(ARRAYS["x"][1, 5 + 2] - ARRAYS["x"][1, 4]))
    assert not {"x", "value"} & set(figure_3.arrays)
    assert figure_3.arrays["best_value"][2, 6] == arrays["value"][2, :7].max()
    del arrays["value"]
    assert (
        "best_value"
        not in slimmed(Result({"study": "cei.fig3", "seeds": [0, 1, 2]}, arrays, {}), STUDIES["cei.fig3"].keep).arrays
    )
    arrays["value"] = ARRAYS["value"]
    again = slimmed(figure_3, STUDIES["cei.fig3"].keep)
    np.testing.assert_array_equal(again.arrays["incumbent_steps"], steps)
    assert again.metadata == figure_3.metadata
    figure_4 = slimmed(Result({"study": "cei.fig4", "seeds": [0, 1, 2]}, arrays, {}), STUDIES["cei.fig4"].keep)
    assert figure_4.arrays["best_observed"][0, 3] == arrays["y"][0, :4].max()
    assert figure_4.arrays["best_observed"][2, -1] == arrays["y"][2].max()
    assert not {"y", "value"} & set(figure_4.arrays)
    public = slimmed(
        Result({"study": "cei.fig3_public", "seeds": [0, 1, 2]}, arrays, {}), STUDIES["cei.fig3_public"].keep
    )
    assert public.arrays["best_value"][1, 5] == arrays["value"][1, :6].max()
    assert public.arrays["best_value"].dtype == np.float64
    assert not {"y", "value"} & set(public.arrays)


def test_times_are_rounded_to_twelve_bits():
    """The error is half of the spacing at most; times that were rounded once stay as they are."""
    times = np.random.default_rng(2).lognormal(-3, 2, size=(3, 500))
    times[0, :3] = 0.0, np.inf, np.nan
    whole = Result({"study": "boke.fig8", "seeds": [0, 1, 2]}, {"seconds": times, "regret": times}, {})
    once = slimmed(whole, Kept())
    kept = once.arrays["seconds"]
    assert kept.dtype == np.float32
    np.testing.assert_array_equal(kept[0, :3], times[0, :3])
    finite = times[1:]
    assert 2.0**-13 < np.max(np.abs(kept[1:] - finite) / finite) <= 2.0**-12 + 1e-7
    np.testing.assert_array_equal(slimmed(once, Kept()).arrays["seconds"], kept)
    np.testing.assert_array_equal(once.arrays["regret"], times.astype(np.float32))
    assert len(set((kept[1:].view(np.uint32) & 0xFFF).tolist()[0])) == 1


def test_the_committed_results_stay_below_20_mib_in_90_files():
    sizes = [path.stat().st_size for path in REFERENCE.rglob("*") if path.is_file()]
    assert len(sizes) <= 90
    assert sum(sizes) <= 20 * 2**20


def test_the_manifest_is_that_of_the_committed_archives():
    assert (REFERENCE / MANIFEST).read_text() == manifest(REFERENCE)
