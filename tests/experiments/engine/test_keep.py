"""Results of a long study are kept by blocks: finished blocks go over, and other blocks of the reference stay."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from experiments.engine.keep import keep, repack
from experiments.engine.manifest import MANIFEST, manifest
from experiments.engine.result_file import Result
from experiments.engine.slim import Kept
from experiments.engine.store import Store, StoreError
from experiments.engine.study import Cell, Study, first_blocks


def _cells(scale: str) -> list[Cell]:
    blocks = [(0, 1), (2, 3), (4,)]
    return [Cell(problem, "p", block, {"n": n}) for problem in ("a", "b") for n in (1, 2) for block in blocks]


STUDY = Study("experiments.boke.fig1", "title", "caption", _cells, lambda cell: {})


def _store(root: Path, *, any_code: bool = False) -> Store:
    return Store(root, studies={STUDY.id: STUDY}, any_code=any_code)


def _arrays(cell: Cell, value: float) -> dict[str, np.ndarray]:
    return {"simple_regret": np.full((len(cell.seeds), 2), value)}


def _write(store: Store, cell: Cell, value: float) -> None:
    store.write(cell, _arrays(cell, value), {"cpu_seconds": 1.0})


def _put(reference: Store, cell: Cell, value: float, code: str = "") -> None:
    """Puts a result into the archive of the reference."""
    member = reference.member(cell)
    result = Result(cell.config(), _arrays(cell, value), {"code": code or reference.code(cell)})
    reference.archive(cell.study).update({f"{member.rpartition('-')[0]}-{code}" if code else member: result})


def test_first_blocks_are_those_of_every_problem_and_option():
    assert first_blocks(STUDY, 3).cells("paper") == STUDY.cells("paper")
    first = first_blocks(STUDY, 1).cells("paper")
    assert [cell.seeds for cell in first] == [(0, 1)] * 4
    assert {(cell.problem, cell.options["n"]) for cell in first} == {("a", 1), ("a", 2), ("b", 1), ("b", 2)}
    assert [cell.seeds for cell in first_blocks(STUDY, 2).cells("paper")] == [(0, 1), (2, 3)] * 4


def test_what_is_finished_is_kept_beside_what_the_reference_has(tmp_path):
    local, reference = _store(tmp_path / "local"), _store(tmp_path / "reference", any_code=True)
    cells = STUDY.cells("paper")
    with pytest.raises(StoreError, match="nothing is finished"):
        keep([STUDY], "paper", local, reference, partial=True)
    for cell in cells[:3]:  # one by a former version of the code, as the local result's is not
        _put(reference, cell, 1.0, "0123456789" if cell is cells[1] else "")
    for cell in cells[1:2] + cells[4:5]:
        _write(local, cell, 2.0)
    with pytest.raises(StoreError, match="not complete at scale paper: boke.fig1"):
        keep([STUDY], "paper", local, reference)
    assert keep([STUDY], "paper", local, reference, partial=True) == {reference.archive(STUDY.id).path: 2}
    found = {
        (one.config["options"]["n"], one.config["seeds"][0]): float(one.arrays["simple_regret"][0, 0])
        for one in reference.results(STUDY, "paper")
    }
    assert found == {(1, 0): 1.0, (1, 2): 2.0, (1, 4): 1.0, (2, 2): 2.0}
    assert {one.code for one in reference.stored(STUDY.id, "paper")} == {reference.code(cells[0])}
    assert (reference.root / MANIFEST).read_text() == manifest(reference.root)
    assert len(manifest(reference.root).splitlines()) == 5


def test_a_study_of_which_nothing_is_finished_does_not_keep_the_others_back(tmp_path):
    another = Study("experiments.boke.fig2", "title", "caption", _cells, lambda cell: {})
    known = {study.id: study for study in (STUDY, another)}
    local, reference = Store(tmp_path / "local", studies=known), Store(tmp_path / "reference", studies=known)
    _write(local, STUDY.cells("paper")[0], 1.0)
    assert keep([another, STUDY], "paper", local, reference, partial=True) == {reference.archive(STUDY.id).path: 1}
    assert not reference.archive(another.id).path.exists()


def test_results_of_cells_that_are_left_out_here_for_want_of_data_stay(tmp_path):
    local, reference = _store(tmp_path / "local"), _store(tmp_path / "reference", any_code=True)
    cells = STUDY.cells("paper")
    without = Study(
        STUDY.module, "title", "caption", lambda scale: [c for c in cells if c.problem == "a"], lambda c: {}
    )
    elsewhere = next(cell for cell in cells if cell.problem == "b")
    _put(reference, elsewhere, 1.0)
    _write(local, cells[0], 2.0)
    keep([without], "paper", local, reference, partial=True)
    assert {one.config["problem"] for one in reference.results(STUDY, "paper")} == {"a", "b"}


def test_results_are_packed_again_by_todays_rules(tmp_path):
    """An array that nothing reads any more goes and times are rounded; other bytes, names and makers stay."""
    study = dataclasses.replace(STUDY, keep=Kept(unread=("y",)))
    reference = Store(tmp_path, studies={study.id: study}, any_code=True)
    cell = study.cells("quick")[0]
    rng = np.random.default_rng(3)
    arrays = {
        "seconds": rng.random((2, 400)).astype(np.float32),
        "simple_regret": rng.random((2, 5)).astype(np.float32),
        "y": rng.random((2, 400)),
    }
    made_by = {"code": reference.code(cell), "commit": "abc", "kept at": "abe", "wall_seconds": 1.5}
    member = reference.member(cell)
    reference.archive(study.id).update({member: Result(cell.config(), arrays, made_by)})
    path = reference.archive(study.id).path
    (before, after) = repack([study], reference)[path]
    assert after < before / 3
    found = reference.archive(study.id).load(member)
    assert found.metadata == {**made_by, "left_out": ["y"]}
    assert found.config == cell.config()
    assert set(found.arrays) == {"seconds", "simple_regret"}
    assert found.arrays["simple_regret"].tobytes() == arrays["simple_regret"].tobytes()
    np.testing.assert_allclose(found.arrays["seconds"], arrays["seconds"], rtol=2.0**-11)
    assert (tmp_path / MANIFEST).read_text() == manifest(tmp_path)
    packed = path.read_bytes()
    assert repack([study], reference) == {path: (after, after)}
    assert path.read_bytes() == packed


def test_packing_again_drops_what_fresh_results_supersede(monkeypatch, tmp_path):
    """The archive goes with its last result."""
    reference = _store(tmp_path, any_code=True)
    for cell in STUDY.cells("paper"):
        _put(reference, cell, 1.0)
    firsts = {0, 2}
    monkeypatch.setattr(
        Store, "superseded", lambda self, study, scale: [x for x in self.stored(study, scale) if x.first_seed in firsts]
    )
    path = reference.archive(STUDY.id).path
    before, after = repack([STUDY], reference)[path]
    assert 0 < after < before
    assert {one.config["seeds"][0] for one in reference.results(STUDY, "paper")} == {4}
    firsts.add(4)
    assert repack([STUDY], reference) == {path: (after, 0)}
    assert not path.exists()
    assert (tmp_path / MANIFEST).read_text() == manifest(tmp_path)
