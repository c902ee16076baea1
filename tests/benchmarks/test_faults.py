"""A short part of the campaign of `make faults` passes, and the campaign fails where the engine lacks a guard."""

import random
from pathlib import Path

import pytest

from benchmarks.faults import table
from benchmarks.faults.__main__ import main
from benchmarks.faults.bench import Bench
from benchmarks.faults.evidence import DAMAGES, examine_evidence
from benchmarks.faults.page import Count, page
from benchmarks.faults.spoils import SPOILS
from benchmarks.faults.trial import Fault, Harm, Verdict, examine
from tests.benchmarks.runs import as_run
from theory_checks import cache

MODULES = ("benchmarks.faults.table",)


def _kill_with_something_stored(bench: Bench, draw: random.Random) -> Harm:
    run = bench.start(workers=1)
    struck = run.until(lambda: run.stored() >= 1)
    run.kill_all()
    run.end()
    return Harm({}, struck=struck)


KILL = Fault("kill", "SIGKILL to parent and worker", _kill_with_something_stored, modules=MODULES)
TRUNCATED = next(fault for fault in SPOILS if fault.name == "results truncated")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data, and with the results of an undisturbed run."""
    folder = tmp_path_factory.mktemp("faults")
    (folder / table.FILE.name).write_bytes(table.content())
    bench = Bench(folder / "undisturbed", MODULES, environment={"KERNELBO_DATA": str(folder)})
    bench.folder.mkdir()
    assert bench.run(workers=1).status == 0
    return folder


def _trial(place: Path, fault: Fault, guard: str) -> Verdict:
    bench = Bench(place / f"{fault.name}-{guard}", MODULES, guard, {"KERNELBO_DATA": str(place)})
    return examine(fault, bench, place / "undisturbed" / "results", "seed")


@pytest.mark.slow
def test_after_a_kill_a_rerun_ends_as_if_nothing_had_happened(place: Path) -> None:
    verdict = _trial(place, KILL, "whole")
    assert verdict.struck
    assert verdict.complaints == []
    assert verdict.finished >= 1
    assert verdict.finished + verdict.again == 3


@pytest.mark.slow
def test_a_result_that_is_written_in_pieces_is_noticed(place: Path) -> None:
    assert "partial file" in " ".join(_trial(place, KILL, "atomic").complaints)


def test_a_finished_result_that_is_computed_again_is_noticed(place: Path) -> None:
    assert "computed again though finished" in " ".join(_trial(place, KILL, "resumed").complaints)


def test_a_damaged_result_that_is_trusted_is_noticed(place: Path) -> None:
    complaints = _trial(place, TRUNCATED, "checked").complaints
    assert sum("not what an undisturbed run gives" in each for each in complaints) == 2


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_evidence_is_never_trusted(damage: str, tmp_path: Path) -> None:
    found = [examine_evidence(damage, tmp_path, random.Random(number)) for number in range(25)]
    assert found == [""] * 25


def test_evidence_without_a_checksum_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_checksum", lambda entry: "the same always")
    assert any(examine_evidence("corrupted", tmp_path, random.Random(number)) for number in range(100))


def test_the_page_counts_what_was_found() -> None:
    count = Count("kill", "SIGKILL")
    for verdict in (Verdict(2, 1), Verdict(0, 3, ["lost: a"], struck=False)):
        count.add(verdict)
    evidence = Count("evidence truncated", "in this process", runs=False)
    for _ in range(3):
        evidence.add(Verdict(0, 0))
    text = page([count, evidence], {**as_run(), "seed": 0, "minutes": 1.2})
    assert (
        "Of 2 disturbed runs and 3 damaged files of evidence 1 gave a complaint. The fault came in time in 1 of" in text
    )
    assert "| kill | SIGKILL | 2 | 1 | 2 | 4 | **1** |" in text
    assert "| all |  | 5 | 4 | 2 | 4 | 1 |" in text


def test_a_page_about_a_broken_engine_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--guard", "atomic", "--write"]) == 2
    assert "all its guards" in capsys.readouterr().err
