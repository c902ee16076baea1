"""Evaluations on workers: threads, processes, executors of other packages, failures and lost workers."""

import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from core import EvaluationError, Integer, Interrupted, make, optimize

BOX = [(0.0, 1.0), (2.0, 5.0)]
KEY = jax.random.key(3)


def run(f: Any, budget: int = 12, **options: Any) -> Any:
    return optimize(f, BOX, budget=budget, key=KEY, **{"policy": "random_search"} | options)


def test_threads_evaluate_at_once() -> None:
    together = threading.Barrier(3, timeout=60)  # passes only when three evaluations wait in it

    def f(x: np.ndarray) -> float:
        together.wait()
        return float(x.sum())

    with ThreadPoolExecutor(3) as pool:
        history = run(f, workers=pool)
        assert pool.submit(int).result() == 0  # it is not ours to shut down
    np.testing.assert_array_equal(history.y, history.x.sum(axis=1))
    alone = run(lambda x: float(x.sum()))
    assert {tuple(x) for x in history.x} == {tuple(x) for x in alone.x}  # the queries of random search ignore the order


def test_finished_out_of_order() -> None:
    def f(x: np.ndarray) -> float:
        time.sleep(0.02 * float(x[0]))
        return float(x.sum())

    with ThreadPoolExecutor(4) as pool:
        history = run(f, workers=pool, policy=make("gp_ucb", 2), budget=14)
    np.testing.assert_array_equal(history.y, history.x.sum(axis=1))
    gaps = np.abs(history.x[:, None] - history.x[None]).max(axis=2)[~np.eye(14, dtype=bool)]
    assert gaps.min() > 1e-9  # nothing was proposed twice while it was pending


class Reversed(Executor):
    """An executor of no known size that runs what it is given at once; like dask's, it is found by its methods."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def test_any_executor() -> None:
    history = run(lambda x: float(x[0]), workers=Reversed(), at_once=2)
    assert len(history) == 12
    with pytest.raises(ValueError, match="Reversed does not say how many evaluations to run at once: give at_once="):
        run(lambda x: float(x[0]), workers=Reversed())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # dask leaves a socket unclosed
def test_the_executor_of_dask(tmp_path: Path) -> None:
    """The call that README shows: dask would evaluate a pure function once at a point that is proposed twice."""
    distributed = pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    calls = tmp_path / "calls"  # a file: dask gives f a copy of what it closes over

    def f(point: dict[str, int]) -> float:
        with calls.open("a") as file:
            file.write(f"{point['n']}\n")
        if point["n"] == 3:
            raise OSError("not today")
        return float(point["n"])

    with distributed.Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as client:
        pool = client.get_executor(pure=False)
        options: dict[str, Any] = {"policy": "random_search", "budget": 9, "key": KEY, "on_failure": "skip"}
        history = optimize(f, {"n": Integer(1, 3)}, workers=pool, at_once=2, **options)
        assert pool.submit(int).result() == 0
    assert sorted(map(int, calls.read_text().split())) == sorted(point["n"] for point in history.points)
    assert set(history.failures.values()) == {"raised OSError: not today"}
    with pytest.raises(ValueError, match="ClientExecutor does not say how many evaluations"):
        optimize(f, {"n": Integer(1, 3)}, workers=pool, **options)


def test_processes_and_a_worker_that_dies() -> None:
    """The objective is an expression on a space: the processes know nothing of this module."""
    f = partial(eval, "a + b if a > 0.2 else __import__('os')._exit(3)")
    history = optimize(
        f, {"a": (0.0, 1.0), "b": (2.0, 5.0)}, policy="random_search", budget=8, key=KEY, workers=2, on_failure="skip"
    )
    assert len(history) == 8
    lost = [number for number, point in enumerate(history.points) if point["a"] <= 0.2]
    assert lost
    assert set(lost) <= set(history.failures)
    assert "lost its worker" in history.failures[lost[0]]
    assert history.ok.any()
    for number in np.flatnonzero(history.ok):
        assert history.y[number] == pytest.approx(sum(history.points[number].values()))


def test_what_cannot_be_sent_is_refused_before_anything_runs() -> None:
    with pytest.raises(
        ValueError, match="workers=2 sends f to processes, and it cannot be sent .*threads need neither"
    ):
        run(lambda x: 1.0, workers=2)


def test_failures() -> None:
    def f(x: np.ndarray) -> float:
        if x[0] > 0.5:
            raise OSError("too hot")
        return float(x[0])

    with ThreadPoolExecutor(2) as pool:
        history = run(f, workers=pool, on_failure="skip")
        assert sorted(history.failures) == np.flatnonzero(history.x[:, 0] > 0.5).tolist()
        with pytest.raises(EvaluationError, match=r"evaluation \d+ at x = \[.*\] raised OSError: too hot") as error:
            run(f, workers=pool)
        assert np.all(error.value.history.x[:, 0] <= 0.5)


def test_ctrl_c_keeps_what_was_told() -> None:
    calls = iter(range(100))

    def f(x: np.ndarray) -> float:
        if next(calls) == 6:
            raise KeyboardInterrupt
        return float(x[0])

    with ThreadPoolExecutor(1) as pool, pytest.raises(Interrupted, match="interrupted in evaluation 6") as caught:
        run(f, workers=pool)
    assert len(caught.value.history) == 6


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "workers must be an integer of at least 1"),
        ({"workers": "many"}, "workers must be an integer of at least 1"),
        ({"workers": Reversed(), "at_once": 0}, "at_once must be an integer of at least 1"),
        ({"workers": Reversed(), "at_once": 2, "policy": "uhe_bo"}, "UheBo learns from one proposal at a time"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(lambda x: 1.0, **options)
