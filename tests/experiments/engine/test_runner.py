"""The runner as its users see it: in a process of its own, interrupted, killed, and run again."""

import os
import signal
import subprocess
import time
from collections.abc import Callable

import numpy as np
import pytest

from experiments.engine.estimates import duration, estimate, longest_first
from experiments.engine.store import Store
from experiments.engine.study import Cell
from tests.experiments.engine.toy import Toy


def _until(condition: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert process is None or process.poll() is None, "it ended before"
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def _stored(toy: Toy, study: str) -> int:
    return len(list(toy.store.folder(study, "quick").glob("*.npz")))


def test_a_run_then_a_second_that_computes_nothing(toy: Toy):
    first = toy.run("run", "--only", "count")
    assert first.returncode == 0, first.stderr
    assert "4 to compute" in first.stdout
    assert "unknown" in first.stdout  # no reference times yet
    assert "4 computed, 0 already stored, 0 failed" in first.stdout
    results = toy.store.results("toy.count", "quick")
    assert [result.config["policy"] for result in results] == ["p0", "p1", "p2", "p3"]
    np.testing.assert_array_equal(results[3].arrays["square"], [9.0, 16.0])
    metadata = results[0].metadata
    assert metadata["wall_seconds"] >= 0
    assert metadata["cpu_seconds"] >= 0
    assert {"commit", "versions", "machine", "platform", "peak_memory_mib", "code"} <= set(metadata)
    assert {"python", "jax", "numpy", "scipy"} <= set(metadata["versions"])

    before = {path: path.stat().st_mtime_ns for path in toy.store.root.rglob("*.npz")}
    second = toy.run("run", "--only", "count")
    assert second.returncode == 0
    assert "nothing to compute, all 4 results" in second.stdout
    assert {path: path.stat().st_mtime_ns for path in toy.store.root.rglob("*.npz")} == before


def test_a_failing_cell_does_not_stop_the_others(toy: Toy):
    done = toy.run("run", "--only", "fails,count")
    assert done.returncode == 1
    assert "FAILED: AssertionError: cell one fails" in done.stdout
    assert "6 computed, 0 already stored, 1 failed" in done.stdout
    failed = toy.studies["toy.fails"].cells("quick")[1]
    path = toy.store.error_path(failed)
    assert str(path) in done.stdout
    assert "Traceback" in path.read_text()
    source = toy.source / "fails.py"
    # Of another length: Python takes a compiled module for fresh where its source has the same size and second.
    source.write_text(source.read_text().replace("assert i != 1", "assert i != 99"))
    mended = toy.run("run", "--only", "fails,count")
    assert mended.returncode == 0
    assert "3 computed, 4 already stored" in mended.stdout  # the mended study anew, the other not
    assert not path.exists()


def test_arrays_of_objects_are_a_failure_of_that_cell(toy: Toy):
    done = toy.run("run", "--only", "objects")
    assert done.returncode == 1
    assert "these hold Python objects: ['text']" in done.stdout


def test_a_killed_worker_costs_only_its_cell(toy: Toy):
    done = toy.run("run", "--only", "dies", "--workers", "2")
    assert done.returncode == 1, done.stderr
    assert "3 computed, 0 already stored, 1 failed" in done.stdout  # one died once and was tried again; one always dies
    assert "killed twice" in toy.store.error_path(toy.studies["toy.dies"].cells("quick")[1]).read_text()


def test_kill_9_then_continue(toy: Toy):
    command = toy.command("run", "--only", "slow", "--workers", "2")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, text=True) as process:
        _until(lambda: _stored(toy, "toy.slow") >= 2, process)
        process.kill()
    _until(lambda: not toy.workers())  # no orphan goes on computing
    stored = _stored(toy, "toy.slow")
    assert stored == 2
    toy.let_go()
    again = toy.run("run", "--only", "slow")
    assert again.returncode == 0
    assert f"{6 - stored} computed, {stored} already stored" in again.stdout
    assert "nothing to compute" in toy.run("run", "--only", "slow").stdout


def test_what_another_run_finishes_meanwhile_is_not_begun(toy: Toy):
    cells = toy.studies["toy.slow"].cells("quick")
    with subprocess.Popen(toy.command("run", "--only", "slow", "--workers", "1"), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        _until(lambda: _stored(toy, "toy.slow") == 2)  # it waits in the third
        for cell in cells[4:]:
            toy.store.write(cell, {}, {"wall_seconds": 1.0})
        toy.let_go()
        output = process.stdout.read().decode()
    assert "4 computed, 0 already stored, 2 meanwhile by another run, 0 failed" in output
    assert [result.arrays for result in toy.store.results("toy.slow", "quick")][4:] == [{}, {}]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_then_continue(toy: Toy, number: signal.Signals):
    command = toy.command("run", "--only", "slow", "--workers", "2")
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it, and their children
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    signal.signal(signal.SIGINT, heard)
    with process:
        _until(lambda: _stored(toy, "toy.slow") >= 1, process)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does: parent and workers
        else:
            process.send_signal(number)
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Run the same command again to continue" in output
    assert "Traceback" not in output
    assert not toy.workers()
    stored = _stored(toy, "toy.slow")
    assert 1 <= stored <= 2
    assert f"Interrupted: {stored} new results are stored, {6 - stored} are missing" in output
    toy.let_go()
    again = toy.run("run", "--only", "slow")
    assert f"{6 - stored} computed, {stored} already stored" in again.stdout


def test_damaged_results_are_computed_again(toy: Toy):
    toy.run("run", "--only", "count")
    paths = sorted(toy.store.folder("toy.count", "quick").glob("*.npz"))
    paths[0].write_bytes(paths[0].read_bytes()[:200])
    paths[1].write_bytes(paths[2].read_bytes())
    again = toy.run("run", "--only", "count")
    assert again.returncode == 0
    assert again.stderr.count("not a usable result") == 2
    assert "2 computed, 2 already stored" in again.stdout
    assert paths[0].with_name(f"{paths[0].name}.corrupt-1").exists()


def test_reference_times_are_told(toy: Toy):
    reference = Store(toy.folder / "reference", studies=toy.studies)
    for cell in toy.studies["toy.count"].cells("quick")[:3]:
        reference.write(cell, {}, {"wall_seconds": 100.0, "machine": {"processor": "abacus", "cores": 2}})
    told = toy.run("run", "--only", "count", "--workers", "2").stdout
    assert "abacus, 2 cores" in told
    assert "5 min 0 s + 1 unknown" in told
    assert "at least 3 min 20 s on 2 cores" in told


def test_source_changed_under_a_run_is_noticed(toy: Toy):
    from experiments.engine.pool import Job, compute
    from experiments.engine.task import CellTask

    cell = toy.studies["toy.count"].cells("quick")[0]
    outcome = compute(Job(cell, CellTask(toy.studies["toy.count"].module, cell), "0000000000"))
    assert outcome.error is not None
    assert "the source code changed" in outcome.error


def test_estimate():
    assert estimate([3.0, 3.0, 2.0, 2.0, 2.0], workers=2) == (12.0, 7.0, 0)  # longest first: 3+2+2 and 3+2
    assert estimate([4.0, None, 1.0], workers=8) == (5.0, 4.0, 1)
    assert estimate([], workers=2) == (0.0, 0.0, 0)


def test_longest_first():
    cells = [Cell("", "", (i,), study="toy.count", scale="quick") for i in range(4)]
    assert longest_first(cells, [1.0, None, 3.0, 2.0]) == [cells[1], cells[2], cells[3], cells[0]]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (9.96, "10.0 s"), (59.7, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_durations(seconds: float, words: str):
    assert duration(seconds) == words
