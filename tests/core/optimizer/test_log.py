"""The log of a run is durable before the next evaluation, resumes exactly, and is refused for another run."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from core import Evaluation, EvaluationError, History, Integer, Real, make, optimize
from tests.core.optimizer.hills import BOX, KEY, hill, policy


def run(log: Path | None, f: Any = hill, budget: int = 12, name: str = "gp_ucb_refit", **options: Any) -> History:
    return optimize(f, BOX, policy=policy(name), budget=budget, key=KEY, log=log, **options)


class Dies:
    """The function `hill`, until it has been called so often."""

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def __call__(self, x: np.ndarray) -> float:
        if not self.calls:
            raise RuntimeError("the power is off")
        self.calls -= 1
        return hill(x)


@pytest.mark.parametrize("name", ["gp_ucb_refit", "boke", "uhe_bo"])
def test_a_run_goes_on_from_its_log_exactly(name: str, tmp_path: Path) -> None:
    whole = run(None, name=name)
    log = tmp_path / "log"
    for calls in (3, 4, 1):  # three starts: in the design, and twice after it
        with pytest.raises(EvaluationError, match="the power is off"):
            run(log, Dies(calls), name=name)
    counted = Dies(4)
    again = run(log, counted, name=name)
    assert counted.calls == 0  # nothing was evaluated twice
    np.testing.assert_array_equal(again.x, whole.x)
    np.testing.assert_array_equal(again.y, whole.y)
    np.testing.assert_array_equal(again.recommended, whole.recommended)
    jax.tree.map(np.testing.assert_array_equal, again.state, whole.state)
    assert len(log.read_text().splitlines()) == 13
    assert len(run(log, Dies(0), name=name)) == 12  # nothing left to do


def test_a_line_that_was_being_written_is_dropped(tmp_path: Path) -> None:
    log = tmp_path / "log"
    whole = run(log, budget=7, name="gp_ucb")
    lines = log.read_bytes().splitlines(keepends=True)
    for kept in (b"".join(lines[:5]) + lines[5][:40], b"".join(lines[:5]), lines[0][:50], b""):
        log.write_bytes(kept)
        again = run(log, budget=7, name="gp_ucb")
        np.testing.assert_array_equal(again.x, whole.x)
        assert log.read_bytes().splitlines()[1:] == b"".join(lines).splitlines()[1:]


def test_every_evaluation_is_durable_before_the_next_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (synced.append(os.fstat(handle).st_size), real(handle)))
    log, sizes = tmp_path / "log", []

    def watched(x: np.ndarray) -> float:
        lines = log.read_text().splitlines()
        sizes.append(len(lines))
        assert log.stat().st_size in synced[-2:]  # the folder's entry is synced after the first line
        return hill(x)

    run(log, watched, budget=7, name="gp_ucb")
    assert sizes == list(range(1, 8))


def test_failures_noise_and_given_observations_are_in_it(tmp_path: Path) -> None:

    def measured(x: np.ndarray) -> Evaluation:
        if x[0] > 5.0:
            raise OSError("too far")
        return Evaluation(hill(x), 0.1)

    log = tmp_path / "log"
    given = (np.array([[0.0, 101.0], [1.0, 101.0]]), np.array([1.0, 2.0]), np.array([0.1, 0.1]))
    options: dict[str, Any] = {"name": "gp_ucb", "on_failure": "worst", "observations": given}
    whole = run(log, measured, budget=9, **options)
    assert whole.failures
    again = run(log, Dies(0), budget=9, **options)
    np.testing.assert_array_equal(again.noise_variance, whole.noise_variance)
    assert again.failures == whole.failures
    with pytest.raises(ValueError, match="the log of another run: given was"):
        run(log, measured, budget=9, name="gp_ucb", on_failure="worst")


def test_parameters_are_written_as_they_are_called(tmp_path: Path) -> None:
    log = tmp_path / "log"
    space = {"a": Real(0.1, 1.0), "n": Integer(1, 4)}
    history = optimize(lambda p: p["a"] * p["n"], space, policy="random_search", budget=5, key=KEY, log=log)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["point"] for line in lines[1:]] == history.points
    assert lines[0]["space"] == [
        ["a", "real", {"low": 0.1, "high": 1.0, "log": False}],
        ["n", "integer", {"low": 1, "high": 4, "log": False}],
    ]


def test_another_runs_log_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log"
    run(log, budget=6, name="gp_ucb")
    kept = log.read_bytes()
    with pytest.raises(ValueError, match="the log of another run: policy was GpUcb-.*, and is Boke-"):
        run(log, budget=6, name="boke")
    with pytest.raises(ValueError, match="the log of another run: maximize was True, and is False"):
        run(log, budget=6, name="gp_ucb", maximize=False)
    with pytest.raises(ValueError, match="the log of another run: first was None, and is "):
        run(log, budget=6, name="gp_ucb", first=[[0.0, 101.0]])
    assert log.read_bytes() == kept
    for foreign in (
        b"my diary\n",
        b"my diary",
        b'{"format": "other"}\n',
        b"[]\n",
        b'{"format": "kernelbo.log", "version": 2}\n',
    ):
        log.write_bytes(foreign)
        with pytest.raises(ValueError, match="is no log of a run|of version 2; this library reads"):
            run(log, budget=6, name="gp_ucb")
        assert log.read_bytes() == foreign
    lines = kept.splitlines(keepends=True)
    for broken in (
        b"{}\n",
        b'{"x": [1.0], "y": 2.0}\n',
        b'{"x": [1.0, 101.0], "y": 2.0, "carried": [["array", "float64", [1], [1.0]]]}\n',
    ):
        log.write_bytes(b"".join(lines[:3]) + broken + lines[3])
        with pytest.raises(ValueError, match="line 4 cannot be read"):
            run(log, budget=6, name="gp_ucb")


def test_a_policy_by_name_and_as_an_instance_transform_alike_or_are_two_runs(tmp_path: Path) -> None:
    """A policy by name transforms values, an instance only if it is told to; a policy without a fit never does."""
    log = tmp_path / "log"
    options: dict[str, Any] = {"budget": 6, "key": KEY, "log": log}
    optimize(hill, BOX, policy="gp_ucb_refit", **options)
    kept = log.read_bytes()
    with pytest.raises(ValueError, match="the log of another run: transform was True, and is False"):
        optimize(hill, BOX, policy=make("gp_ucb_refit", 2), **options)
    assert log.read_bytes() == kept
    assert len(optimize(hill, BOX, policy=make("gp_ucb_refit", 2), transform=True, **options)) == 6
    log.unlink()
    optimize(hill, BOX, policy="random_search", **options)
    assert len(optimize(hill, BOX, policy=make("random_search", 2), **options)) == 6


KILLED = """
import os, signal, sys
import jax
from core import optimize

def f(x):
    if len(open(sys.argv[1]).readlines()) == 6:
        os.kill(os.getpid(), signal.SIGKILL)
    return float(x[0])

optimize(f, [(0.0, 1.0)], policy="random_search", budget=8, key=jax.random.key(0), log=sys.argv[1])
"""


def test_it_survives_kill_9(tmp_path: Path) -> None:
    log = tmp_path / "log"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(log)], cwd=Path(__file__).parents[3], timeout=300)
    assert killed.returncode == -signal.SIGKILL
    calls: list[Any] = []

    def f(x: np.ndarray) -> float:
        calls.append(x)
        return float(x[0])

    options: dict[str, Any] = {"policy": "random_search", "budget": 8, "key": jax.random.key(0)}
    history = optimize(f, [(0.0, 1.0)], log=log, **options)
    assert len(calls) == 3
    np.testing.assert_array_equal(history.x, optimize(f, [(0.0, 1.0)], **options).x)


def test_two_runs_on_one_log_are_refused(tmp_path: Path) -> None:
    """The same command started twice: the second is told so, and may go on once the first has ended."""
    log, refused = tmp_path / "log", []

    def starts_another(x: np.ndarray) -> float:
        with pytest.raises(ValueError, match="is being written by another run that has not ended") as caught:
            run(log, budget=7, name="gp_ucb")
        refused.append(str(caught.value))
        return hill(x)

    first = run(log, starts_another, budget=7, name="gp_ucb")
    assert len(refused) == 7
    assert len(log.read_text().splitlines()) == 8
    np.testing.assert_array_equal(run(log, Dies(0), budget=7, name="gp_ucb").x, first.x)


TWICE = """
import sys
import jax
from core import optimize

print("go", flush=True)
optimize(lambda x: sys.stdin.readline() and float(x[0]), [(0.0, 1.0)], policy="random_search", budget=3,
    key=jax.random.key(0), log=sys.argv[1])
"""


def test_nor_from_another_process(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-c", TWICE, str(log)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=Path(__file__).parents[3], **pipes) as other:
        assert other.stdin is not None
        while not (log.exists() and log.read_bytes().endswith(b"\n")):
            assert other.poll() is None
        options: dict[str, Any] = {"policy": "random_search", "budget": 3, "key": jax.random.key(0), "log": log}
        with pytest.raises(ValueError, match="is being written by another run"):
            optimize(lambda x: float(x[0]), [(0.0, 1.0)], **options)
        other.stdin.write("\n\n\n")
        other.stdin.flush()
        assert other.wait(60) == 0
    assert len(optimize(lambda x: 1 / 0, [(0.0, 1.0)], **options)) == 3
