"""The cells left of a scale leave out finished cells; expected seconds come from the nearest stored result."""

import dataclasses

import pytest

from cli.experiments import main
from experiments.engine.progress import configurations, progress
from experiments.engine.store import Store
from experiments.engine.study import Cell, Study, first_blocks
from tests.experiments.engine.toy import Toy


def cells(scale: str) -> list[Cell]:
    """One of ten seeds and thirty steps a method; at scale paper three of them, twice as long."""
    count, steps = {"smoke": (1, 2), "quick": (1, 30), "paper": (3, 60)}[scale]
    blocks = [tuple(range(10 * i, 10 * i + 10)) for i in range(count)]
    return [Cell("line", method, seeds, {"steps": steps}) for method in ("a", "b") for seeds in blocks]


@pytest.fixture
def three(toy: Toy) -> tuple[Study, Store, Store]:
    study = dataclasses.replace(toy.studies["toy.count"], cells=cells)
    studies = {study.id: study}
    return study, Store(toy.store.root, studies=studies), Store(toy.folder / "there", studies=studies, any_code=True)


def test_nothing_is_known_without_results(three):
    study, local, reference = three
    found = progress(study, "paper", local, reference)
    assert (found.cells, found.here, found.reference, found.left) == (6, 0, 0, 6)
    assert (found.seconds, found.stored, found.scaled, found.unknown) == (0.0, 0, 0, 6)


def test_seconds_are_stored_ones_else_scaled_else_unknown(three):
    study, local, reference = three
    reference.write(study.cells("smoke")[0], {}, {"wall_seconds": 99.0})  # quick is nearer
    reference.write(study.cells("quick")[0], {}, {"wall_seconds": 8.0, "cpu_seconds": 6.0})
    paper = study.cells("paper")
    local.write(paper[0], {}, {"wall_seconds": 20.0})
    reference.write(paper[1], {}, {"wall_seconds": 20.0})
    found = progress(study, "paper", local, reference)
    assert (found.here, found.reference, found.left) == (1, 1, 4)
    assert (found.stored, found.scaled, found.unknown) == (0, 1, 3)
    assert found.seconds == pytest.approx(20.0)  # as other seeds of it took
    assert configurations(study, "paper", reference) == {paper[1].digest}
    stale = local.path(paper[0])
    stale.rename(stale.with_name(f"{stale.stem.rpartition('-')[0]}-0123456789.npz"))  # by another code: to be computed
    found = progress(study, "paper", local, reference)
    assert (found.here, found.left, found.stored) == (0, 5, 1)
    assert found.seconds == pytest.approx(40.0)


def test_scaled_seconds_are_corrected_by_what_stored_cells_of_the_study_took_beyond_them(three):
    """Nothing of method b is stored at the scale: its seconds are corrected by those of method a."""
    study, local, reference = three
    for cell, seconds in zip(study.cells("quick"), (6.0, 3.0), strict=True):
        reference.write(cell, {}, {"wall_seconds": seconds})
    found = progress(study, "paper", local, reference)
    assert (found.scaled, found.seconds) == (6, pytest.approx(3 * 12.0 + 3 * 6.0))  # twice the steps of quick
    reference.write(study.cells("paper")[0], {}, {"wall_seconds": 60.0})  # five times 12 s
    found = progress(study, "paper", local, reference)
    assert (found.scaled, found.seconds) == (5, pytest.approx(2 * 60.0 + 3 * 30.0))
    found = progress(first_blocks(study, 1), "paper", local, reference)
    assert (found.cells, found.here, found.left, found.seconds) == (2, 0, 1, pytest.approx(30.0))


def test_what_the_reference_holds_can_be_left_out(toy: Toy, capsys: pytest.CaptureFixture[str]):
    study = toy.studies["toy.count"]
    only = {study.id: study}
    reference = Store(toy.folder / "reference", studies=only, any_code=True)
    folders = ["--results", str(toy.store.root), "--reference", str(reference.root)]
    for cell in study.cells("quick"):
        reference.write(cell, {}, {"wall_seconds": 1800.0})
    assert main(["run", "--skip-kept", *folders], only) == 0
    assert "nothing to compute" in capsys.readouterr().out
    assert main(["status", "--scale", "quick", "--blocks", "1", *folders], only) == 0
    out = capsys.readouterr().out
    assert "`make experiments SCALE=quick`" in out
    assert "--skip-kept" in out
