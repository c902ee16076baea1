"""The protocol: its cells have fresh seeds, and its results stand once a piece is whole."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.engine import protocol, store, task
from experiments.engine.protocol import Piece, Planned, Protocol, planned, seeds
from experiments.engine.registry import STUDIES, discover
from experiments.engine.store import Store
from experiments.engine.study import Cell, Study, all_data

FIRST = 1_000


def _study(name: str, first: int = 0) -> Study:
    """Two methods, two blocks of three seeds from `first` on."""
    return Study(
        f"experiments.boke.{name}",
        "toy",
        "toy",
        lambda scale: [
            Cell("branin", method, tuple(range(start, start + 3)))
            for method in ("one", "other")
            for start in (first, first + 3)
        ],
        lambda cell: {"y": np.array(cell.seeds)},
    )


def _protocol(**plans: Planned) -> Protocol:
    return Protocol("1", "2026-11-27", "", FIRST, (Piece("piece", {f"boke.{k}": v for k, v in plans.items()}),))


def test_cells_at_scale_paper_have_fresh_seeds_within_the_plan():
    study = planned(_study("toy"), _protocol(toy=Planned(seeds=2, blocks=1)))
    assert [cell.seeds for cell in study.cells("paper")] == [(FIRST, FIRST + 1)] * 2
    assert {cell.study for cell in study.cells("paper")} == {"boke.toy"}
    assert study.cells("quick") == _study("toy").cells("quick")
    assert seeds(study) == (2, 2)
    assert seeds(planned(_study("toy"), _protocol(toy=Planned()))) == (6, 6)


def test_a_study_of_no_piece_keeps_its_seeds():
    assert planned(_study("cut"), _protocol(toy=Planned())).cells("paper") == _study("cut").cells("paper")


@pytest.fixture
def pair(monkeypatch, tmp_path):
    """A reference store with the earlier results of two studies that are read together, and of a second look."""
    plans = _protocol(toy=Planned(blocks=1), sweep=Planned(blocks=1), more=Planned(look=2))
    monkeypatch.setattr(store, "read", lambda: plans)
    earlier = {f"boke.{name}": _study(name, first) for name, first in (("toy", 0), ("sweep", 0), ("more", 6))}
    monkeypatch.setattr(task, "code_of_cell", lambda module, cell: "0123456789")
    kept = Store(tmp_path, studies={name: planned(one, plans) for name, one in earlier.items()}, any_code=True)
    for study in earlier.values():
        _compute(kept, study)
    return kept


def _compute(kept: Store, study: Study) -> None:
    for cell in study.cells("paper"):
        kept.write(cell, study.run(cell), {})


def _first_seeds(kept: Store, study: str) -> set[int]:
    return {one.config["seeds"][0] for one in kept.results(study, "paper")}


def test_fresh_results_stand_once_the_piece_is_whole_and_together(pair):
    assert _first_seeds(pair, "boke.toy") == {0, 3}
    _compute(pair, pair.studies["boke.toy"])
    assert _first_seeds(pair, "boke.toy") == {0, 3}  # the sweep that is read with it is not there yet
    assert _first_seeds(pair, "boke.more") == {6, 9}
    _compute(pair, pair.studies["boke.sweep"])
    assert _first_seeds(pair, "boke.toy") == _first_seeds(pair, "boke.sweep") == {FIRST}
    assert _first_seeds(pair, "boke.more") == set()  # earlier seeds do not stand beside fresh ones
    _compute(pair, pair.studies["boke.more"])
    assert _first_seeds(pair, "boke.more") == {FIRST + 6, FIRST + 9}
    assert len(pair.stored("boke.toy", "paper")) == 6  # what is stored stays


def test_earlier_results_are_superseded_once_the_piece_is_whole(pair):
    _compute(pair, pair.studies["boke.toy"])
    assert not any(pair.superseded(name, "paper") for name in pair.studies)
    _compute(pair, pair.studies["boke.sweep"])
    gone = {name: {one.first_seed for one in pair.superseded(name, "paper")} for name in pair.studies}
    assert gone == {"boke.toy": {0, 3}, "boke.sweep": {0, 3}, "boke.more": {6, 9}}
    assert pair.superseded("boke.toy", "quick") == []


def test_whether_a_piece_is_whole_does_not_depend_on_the_data_of_this_machine(monkeypatch, tmp_path):
    """A cell of data that are not here counts as missing until its result is stored, and no stand-in replaces it."""
    plans = _protocol(toy=Planned())
    monkeypatch.setattr(store, "read", lambda: plans)
    monkeypatch.setattr(task, "code_of_cell", lambda module, cell: "0123456789")

    def cells(scale: str) -> list[Cell]:
        return [Cell("branin", "one", (0,)), Cell("tuning" if all_data.get() else "stand_in", "one", (0,))]

    study = planned(replace(_study("toy"), cells=cells, data=("tuning.csv",)), plans)
    kept = Store(tmp_path, studies={"boke.toy": study}, any_code=True)
    with_data = study.every_cell("paper")
    assert [cell.problem for cell in study.cells("paper")] == ["branin", "stand_in"]
    kept.write(with_data[0], study.run(with_data[0]), {})
    assert kept.results("boke.toy", "paper") == []
    kept.write(with_data[1], study.run(with_data[1]), {})
    assert [one.config["problem"] for one in kept.results("boke.toy", "paper")] == ["branin", "tuning"]


def test_earlier_results_say_what_they_have_otherwise():
    known = _protocol(toy=Planned())
    known = replace(known, pieces=(replace(known.pieces[0], earlier="another constant"),))
    assert known.earlier("boke.toy", [0, FIRST]) == "another constant"
    assert known.earlier("boke.toy", [FIRST]) == known.earlier("boke.cut", [0]) == known.earlier("boke.toy", []) == ""


def test_no_study_is_run_twice_nor_forgotten(tmp_path):
    known = protocol.read()
    named = [study for piece in known.pieces for study in piece.studies] + list(known.cut)
    assert sorted(named) == sorted(discover())
    path = tmp_path / "protocol.toml"
    path.write_text(protocol.PATH.read_text().replace("[cut]", '[cut]\n"boke.fig6" = "twice"'))
    with pytest.raises(ValueError, match=r"names twice: boke\.fig6"):
        protocol.read(path)


def test_fresh_seeds_lie_above_all_that_earlier_results_have():
    first = protocol.read().first_seed
    own = max(seed for study in discover().values() for seed in _own_seeds(study))
    assert own < first <= min(seed for piece in protocol.read().pieces for seed in _planned_seeds(piece))


def _own_seeds(study: Study) -> list[int]:
    return [seed for scale in ("quick", "paper") for cell in study.cells(scale) for seed in cell.seeds]


def _planned_seeds(piece: Piece) -> list[int]:
    return [seed for study in piece.studies for cell in STUDIES[study].cells("paper") for seed in cell.seeds]


def test_the_hash_follows_cells_order_and_declarations():
    study = _study("toy")
    known = _protocol(toy=Planned())
    studies = {"boke.toy": planned(study, known)}
    found = protocol.declared(known, studies, {"boke.reading": "a"})
    fewer = _protocol(toy=Planned(seeds=2))
    others = [
        protocol.declared(known, studies, {"boke.reading": "b"}),
        protocol.declared(fewer, {"boke.toy": planned(study, fewer)}, {"boke.reading": "a"}),
        protocol.declared(replace(known, number="2"), studies, {"boke.reading": "a"}),
    ]
    assert len({found, *others}) == 4
    assert (
        protocol.declared(known, {"boke.toy": replace(studies["boke.toy"], title="T")}, {"boke.reading": "a"}) == found
    )
