"""The benchmark of scale paper: the results that it draws, its use of the times, and its page."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from benchmarks.paper import measure as paper
from benchmarks.paper import page
from experiments.data.sources import cache_folder
from experiments.engine.store import Store
from experiments.engine.study import Cell, Study
from tests.benchmarks.runs import as_run

SETTINGS = paper.SampleSettings(scale="smoke", draws=2, longest=100.0, least=50.0)


def run_cell(cell: Cell) -> Mapping[str, np.ndarray]:
    """A stand-in: what is stored is stored by the test."""
    return {"value": np.asarray(float(cell.seeds[0]))}


def study(name: str, cells: list[Cell]) -> Study:
    """A study of these cells."""
    return Study(f"experiments.toy.{name}", title="", caption="", cells=lambda scale: cells, run=run_cell)


LARGE = study("large", [Cell("p", "m", (seed,)) for seed in range(4)])
SMALL = study("small", [Cell("q", "m", (0,)), Cell("q", "m", (1,))])
SECONDS = {"toy.large": (10.0, 30.0, 60.0, 1000.0), "toy.small": (20.0, 25.0)}
PRESENT = 0.5
"""The ratio of present seconds to stored ones."""


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict:
    """A run on stored results; the last cell of the small study has none."""
    studies = {one.id: one for one in (LARGE, SMALL)}
    monkeypatch.setattr("experiments.engine.task.code_of_cell", lambda module, cell: "0123456789")
    reference = Store(tmp_path / "reference", studies=studies)
    for one in studies.values():
        for cell, seconds in zip(one.cells("smoke"), SECONDS[one.id], strict=True):
            if cell.label != "toy.small q m seed 1":
                made = {"wall_seconds": seconds, "machine": {"processor": "slow one", "cores": 2, "system": "x"}}
                reference.write(cell, run_cell(cell), made)

    def run(chosen, scale, store, reference, resources, console) -> int:  # type: ignore[no-untyped-def]  # noqa: ANN001
        for one in chosen:
            for cell in one.cells(scale):
                value = {"value": np.asarray(9.0)} if cell.seeds == (2,) else run_cell(cell)
                store.write(cell, value, {"wall_seconds": PRESENT * (reference.seconds(cell) or 0.0)})
        return 0

    monkeypatch.setattr(paper, "run", run)
    return paper.measure(SETTINGS, lambda words: None, list(studies.values()), tmp_path / "reference", tmp_path / "a")


def test_long_cells_and_small_studies_are_not_drawn_and_others_by_their_seconds() -> None:
    cells = LARGE.cells("smoke")
    seconds = dict(zip(cells, SECONDS["toy.large"], strict=True))
    many = paper.drawn(seconds, dataclasses.replace(SETTINGS, draws=3000))
    shares = [sum(one == cell for one in many) / len(many) for cell in cells]
    np.testing.assert_allclose(shares, [0.1, 0.3, 0.6, 0.0], atol=0.03)
    assert paper.drawn(seconds, SETTINGS) == paper.drawn(seconds, SETTINGS)
    assert paper.drawn(dict(zip(SMALL.cells("smoke"), SECONDS["toy.small"], strict=True)), SETTINGS) == []


def test_core_hours_are_the_stored_ones_times_the_ratios_of_the_drawn(measured: dict) -> None:
    large, small = measured["rows"]
    assert measured["pooled"] == {"slow one": PRESENT}
    assert large["stored"] == pytest.approx(1100 / 3600)
    assert large["undrawn"] == pytest.approx(1000 / 3600)
    assert large["now"] == pytest.approx(PRESENT * 1100 / 3600)
    assert large["error"] == pytest.approx(0.0, abs=1e-12)
    assert (small["drawn"], small["cells"]) == ([], 1)
    assert small["now"] == pytest.approx(PRESENT * 20 / 3600)
    assert small["left"] == pytest.approx(20 / 3600)  # by the other seed
    whole, first = (target["reached"] for target in measured["targets"])
    assert whole == pytest.approx((PRESENT * 1120 + 20) / 3600)
    assert first == pytest.approx(PRESENT * (10 + 20) / 3600)


def test_evaluations_made_before_are_not_found_but_data_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path))
    for kind in ("data", "tuning"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "file").touch()
    with paper.own_cache():
        assert (cache_folder("data") / "file").exists()
        assert not cache_folder("tuning").exists()
    assert (cache_folder("tuning") / "file").exists()
    assert (cache_folder("data") / "file").exists()


def test_a_failed_cell_is_no_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "run", lambda *arguments: 1)
    with pytest.raises(OSError, match="could not be computed"):
        paper.measure(SETTINGS, lambda words: None, [SMALL], tmp_path / "reference", tmp_path / "a")


def test_the_section_shows_ratios_sums_and_what_deviates(measured: dict) -> None:
    text = page.section(as_run(paper=measured))
    assert "| `toy.large` | 4 | 0.31 | 0.50, 0.50 | 0.28 | 0.15 ± 0.00 |  | 0.00 |" in text
    assert "slow one 0.50" in text
    assert "| core-hours of scale smoke | 24 |" in text
    drawn = {entry["cell"] for entry in measured["rows"][0]["drawn"]}
    assert any(label.endswith("seed 2") for label in drawn)
    assert measured["verified"]["deviates"] > 0
    assert f"and {measured['verified']['deviates']} deviate: toy.large" in text
