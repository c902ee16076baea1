"""Runs on a dask cluster of this machine: one worker is killed within a cell, and another joins late."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchmarks.faults.bench import content
from experiments.engine.cluster import address_of, main
from experiments.engine.pool import ExecutorError
from experiments.engine.source import PROJECT
from tests.experiments.engine.toy import Toy

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="the extra [cluster] is not installed"
)


def _start(stack: ExitStack, toy: Toy, *arguments: str) -> subprocess.Popen[bytes]:
    """A scheduler or a worker, as its users start it, where the toy studies can be imported."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(toy.folder)])}
    command = [sys.executable, "-m", "experiments.engine.cluster", *arguments]
    log = stack.enter_context((toy.folder / "cluster.log").open("ab"))
    process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=log, stderr=log)
    stack.enter_context(process)  # waits for it
    stack.callback(process.kill)
    return process


def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def _digests(root: Path) -> dict[str, str]:
    return {path.name: content(path) for path in root.rglob("*.npz")}


@needs_dask
def test_a_cluster_gives_the_bytes_of_a_local_run(toy: Toy):
    """Three workers; one of those that wait in the middle of a cell is killed, and a fourth joins."""
    elsewhere = toy.folder / "elsewhere"
    with ExitStack() as stack:
        told = toy.folder / "scheduler.json"
        _start(stack, toy, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told))
        _until(told.exists)
        scheduler = json.loads(told.read_text())["address"]
        for _ in range(3):
            _start(stack, toy, "worker", scheduler, "--no-nanny")
        command = toy.command(
            *("run", "--only", "slow", "--executor", "dask", "--scheduler", scheduler), results=elsewhere
        )
        run = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(run.kill)
        stored = elsewhere / "toy.slow" / "quick"
        _until(lambda: len(list(stored.glob("*.npz"))) == 2 and len(toy.workers()) == 3)  # all wait, in cells 2, 3, 4
        begun = toy.workers()
        os.kill(begun[0], signal.SIGKILL)
        _start(stack, toy, "worker", scheduler, "--no-nanny")
        _until(lambda: set(toy.workers()) - set(begun))  # the fourth computes
        toy.let_go()
        output, _ = run.communicate(timeout=60)
        assert run.returncode == 0, output
        assert "6 computed, 0 already stored, 0 failed" in output
    toy.run("run", "--only", "slow")
    assert len(_digests(elsewhere)) == 6
    assert _digests(elsewhere) == _digests(toy.store.root)


def test_an_address_and_its_executor_come_together():
    assert address_of("local", "") == ""
    assert address_of("dask", "tcp://host:1") == "tcp://host:1"
    for executor, scheduler in (("dask", ""), ("local", "tcp://host:1")):
        with pytest.raises(ExecutorError, match="SCHEDULER"):
            address_of(executor, scheduler)


@pytest.mark.parametrize(("arguments", "said"), [([], "required: kind"), (["scheduller"], "choose from")])
def test_bad_requests_are_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert said in capsys.readouterr().err


def test_an_unknown_platform_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("PLATFORM", "tpu")
    with pytest.raises(SystemExit, match="2"):
        main(["worker", "tcp://localhost:1"])
    assert "PLATFORM is one of cpu, gpu" in capsys.readouterr().err


def test_help_names_both_kinds(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    assert "scheduler,worker" in capsys.readouterr().out
