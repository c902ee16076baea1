"""Results are carried over a change of the code only where a sample agrees."""

from pathlib import Path

import numpy as np
import pytest

from cli.experiments import main
from experiments.engine.carry import differences, drawn, old_results
from experiments.engine.progress import progress
from experiments.engine.result_file import Result
from experiments.engine.slim import Kept
from experiments.engine.store import Store
from tests.experiments.engine.toy import Toy

OLD = "0123456789"


def aged(store: Store, path: Path, code: str = OLD) -> Path:
    """A result as another version of the code would have left it."""
    return path.rename(path.with_name(f"{path.stem.rpartition('-')[0]}-{code}.npz"))


def old_run(toy: Toy, store: Store, shift: float = 0.0) -> list[Path]:
    """The results of the toy study by other code, the last cell's shifted."""
    study = toy.studies["toy.count"]
    made = []
    for cell in study.cells("quick"):
        arrays = dict(study.run(cell))
        arrays["square"] = arrays["square"] + (shift if cell.policy == "p3" else 0.0)
        arrays["seconds"] = np.array([7.0])
        made.append(aged(store, store.write(cell, {**arrays}, {"commit": "abc", "wall_seconds": 1.0})))
    return made


def carried(toy: Toy, *arguments: str) -> int:
    folders = ["--results", str(toy.store.root), "--reference", str(toy.folder / "reference")]
    return main(["carry", "--workers", "1", *arguments, *folders], {"toy.count": toy.studies["toy.count"]})


def test_what_agrees_is_carried_with_a_record(toy: Toy, capsys: pytest.CaptureFixture[str]):
    study = toy.studies["toy.count"]
    for path in old_run(toy, toy.store):
        assert path.exists()
    corrupt = aged(toy.store, toy.store.write(study.cells("quick")[1], {}, {}), "9876543210")
    corrupt.write_bytes(b"not a result")
    assert carried(toy) == 0
    assert "4 results carried; largest deviation in the sample: 0" in capsys.readouterr().out
    assert toy.store.missing(study, "quick") == []
    for cell, result in zip(study.cells("quick"), toy.store.results(study, "quick"), strict=True):
        (record,) = result.metadata["carried"]
        assert (record["from"], record["computed at"], record["rule"]) == (OLD, "abc", "bitwise")
        assert record["sampled"] == [cell.label]  # each toy cell is a method, hence a stratum, of its own
        assert result.metadata["code"] == toy.store.code(cell)
        assert result.metadata["commit"] == "abc"
        assert result.arrays["seconds"] == [7.0]  # what was stored, not what was computed to compare
    assert corrupt.read_bytes() == b"not a result"
    assert progress(study, "quick", toy.store, Store(toy.folder / "none", studies=toy.studies)).carried == 4
    assert carried(toy) == 2  # nothing is left to carry


def test_one_deviation_and_nothing_is_carried(toy: Toy, capsys: pytest.CaptureFixture[str]):
    before = old_run(toy, toy.store, shift=1e-12)
    assert carried(toy) == 1
    out = capsys.readouterr().out
    assert "deviates: toy.count line p3 seeds 3-4: square differs in 2 of 2 entries" in out
    assert all(path.exists() for path in before)
    assert len(toy.store.missing("toy.count", "quick")) == 4
    assert carried(toy, "--tolerance") == 0
    record = toy.store.results("toy.count", "quick")[0].metadata["carried"][0]
    assert record["rule"] == "within the tolerances of verify"
    assert record["largest deviation"] > 0


def test_the_reference_is_carried_where_asked(toy: Toy):
    reference = Store(toy.folder / "reference", studies=toy.studies, any_code=True)
    old_run(toy, reference)
    assert carried(toy) == 2
    assert carried(toy, "--with-reference") == 0
    assert [path.stem[-10:] for path in reference.folder("toy.count", "quick").glob("*.npz")].count(OLD) == 0
    assert len(reference.results("toy.count", "quick")) == 4


def test_the_sample_is_seeded_and_has_some_of_every_stratum(toy: Toy):
    old_run(toy, toy.store)
    old = old_results([toy.studies["toy.count"]], "quick", toy.store)
    assert {one.cell.policy for one in drawn(old, 1, 0)} == {"p0", "p1", "p2", "p3"}
    assert {one.stratum[1:4] for one in old} == {("toy.count", "line", f"p{i}") for i in range(4)}
    assert drawn(old, 5, 0) == drawn(old, 5, 0)


def test_arrays_of_one_side_and_other_types_are_differences():
    config = {"study": "toy.count", "seeds": [0, 1]}
    stored = Result(config, {"a": np.ones(2), "seconds": np.ones(1)}, {})
    assert differences(stored, Result(config, {"a": np.ones(2)}, {}), False, Kept()).sentences == ()
    assert differences(stored, Result(config, {"a": np.ones(2, np.float32)}, {}), False, Kept()).sentences
    assert differences(stored, Result(config, {"b": np.ones(2)}, {}), True, Kept()).sentences
