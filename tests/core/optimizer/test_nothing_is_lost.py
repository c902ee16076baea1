"""Whatever ends a run, the evaluations made are in the exception's history and in the log."""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import History, Interrupted, optimize
from core.optimizer import proposals
from tests.core.optimizer.hills import BOX, KEY, hill, policy


def stopped(kind: type[BaseException], log: Path, f: Callable[..., Any] = hill, **options: Any) -> Any:
    """The exception of a run of twenty, after a comparison of its log and its history."""
    with pytest.raises(kind) as caught:
        optimize(f, BOX, **{"policy": policy("gp_ucb"), "budget": 20, "key": KEY, "log": log} | options)
    error: Any = caught.value
    lines = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    np.testing.assert_array_equal([line["y"] for line in lines], error.history.y)
    return error


def raises_at(number: int, error: BaseException) -> Callable[[History], None]:
    def callback(history: History) -> None:
        if len(history) == number:
            raise error

    return callback


@pytest.mark.parametrize("error", [OSError("the disk of my plot is full"), SystemExit(3), MemoryError()])
@pytest.mark.parametrize("number", [1, 8])
def test_a_callback_that_raises(error: BaseException, number: int, tmp_path: Path) -> None:
    caught = stopped(type(error), tmp_path / "log", callback=raises_at(number, error))
    assert caught is error
    assert len(caught.history) == number
    assert f"{number} evaluations are kept" in caught.__notes__[-1]


def test_ctrl_c_in_a_callback(tmp_path: Path) -> None:
    caught = stopped(Interrupted, tmp_path / "log", callback=raises_at(8, KeyboardInterrupt()))
    assert len(caught.history) == 8


def test_an_objective_that_exits(tmp_path: Path) -> None:
    calls = iter(range(100))

    def exits(x: np.ndarray) -> float:
        if next(calls) == 7:
            sys.exit("enough")
        return hill(x)

    assert len(stopped(SystemExit, tmp_path / "log", exits).history) == 7


def test_a_constraint_that_raises(tmp_path: Path) -> None:
    calls: list[int] = []

    def evaluated(x: np.ndarray) -> float:
        calls.append(1)
        return hill(x)

    def constraint(x: np.ndarray) -> bool:
        if len(calls) == 6:
            raise KeyError("table")
        return True

    assert len(stopped(KeyError, tmp_path / "log", evaluated, constraint=constraint).history) == 6


def test_ctrl_c_while_proposing_and_the_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real signal, between two evaluations of a quick objective; what follows is as if it had not come."""
    real, log = proposals.proposed, tmp_path / "log"
    given = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background ignores the signal

    def proposed(policy: Any, key: Any, index: int, *more: Any) -> Any:
        result = real(policy, key, index, *more)
        if index == 9:
            os.kill(os.getpid(), signal.SIGINT)
        return result

    try:
        with monkeypatch.context() as patch:
            patch.setattr(proposals, "proposed", proposed)
            caught = stopped(Interrupted, log, budget=12)
    finally:
        signal.signal(signal.SIGINT, given)
    assert "while proposing" in str(caught)
    assert len(caught.history) == 9
    options: dict[str, Any] = {"policy": policy("gp_ucb"), "budget": 12, "key": KEY}
    whole = optimize(hill, BOX, **options)
    np.testing.assert_array_equal(optimize(hill, BOX, log=log, **options).x, whole.x)
    np.testing.assert_array_equal(optimize(hill, BOX, observations=caught.history, **options).x, whole.x)


def test_ctrl_c_while_the_last_point_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(proposals, "recommendation", interrupted)
    assert len(stopped(Interrupted, tmp_path / "log", budget=7).history) == 7


def test_what_had_finished_beside_it_is_kept(tmp_path: Path) -> None:
    """Three at once, done by the time one is dealt with: a failure and a callback lose none of the others."""
    with ThreadPoolExecutor(3) as threads:
        together = threading.Barrier(3)

        def fails(x: np.ndarray) -> float:
            if together.wait(30) == 0:
                raise RuntimeError("cold")
            return hill(x)

        caught = stopped(Exception, tmp_path / "first", fails, workers=threads, policy=policy("random_search"))
        together.abort()
        assert len(caught.history) == 2
    with ThreadPoolExecutor(3) as threads:
        arrived = threading.Barrier(3)

        def waits(x: np.ndarray) -> float:
            arrived.wait(30)
            return hill(x)

        def callback(history: History) -> None:
            threads.shutdown(wait=True)  # and the others have finished
            raise OSError("full")

        options: dict[str, Any] = {"workers": threads, "policy": policy("random_search"), "callback": callback}
        assert len(stopped(OSError, tmp_path / "second", waits, **options).history) == 3


def test_an_executor_that_was_shut_down(tmp_path: Path) -> None:
    threads = ThreadPoolExecutor(1)

    def callback(history: History) -> None:
        if len(history) == 6:
            threads.shutdown()

    caught = stopped(RuntimeError, tmp_path / "log", workers=threads, policy=policy("random_search"), callback=callback)
    assert len(caught.history) == 6


def test_a_write_that_was_interrupted_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of a line of the log."""
    real, calls = os.fsync, []

    def fsync(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 7:  # the first line, its folder, four evaluations
            raise KeyboardInterrupt
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    assert len(stopped(Interrupted, tmp_path / "log").history) == 5
