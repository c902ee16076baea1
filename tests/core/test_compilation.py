"""Each program is compiled ahead once, in threads, and an error of compilation appears at the call."""

import threading
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core import compilation
from core.compilation import Task, prepare, run

X = jnp.arange(3.0)


@pytest.fixture(autouse=True)
def _a_table_of_its_own(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(compilation, "_programs", type(compilation._programs)())
    yield
    wait()


def wait() -> None:
    """Waits until no thread makes programs."""
    while busy := [thread for thread in threading.enumerate() if thread.name == "kernelbo-programs"]:
        busy[0].join()


class Traced:
    """A function that notes where it was traced."""

    def __init__(self, error: Exception | None = None) -> None:
        self.threads: list[str] = []
        self.error = error

    def __call__(self, x: Any, factor: float) -> Any:
        self.threads.append(threading.current_thread().name)
        if self.error is not None:
            raise self.error
        return {"scaled": factor * x, "factor": factor}


def test_one_program_serves_all_numbers_and_a_new_one_other_shapes_or_constants() -> None:
    function = Traced()
    for factor, x, made in ((2.0, X, 1), (2.0, X + 1.0, 1), (3.0, X, 2), (2.0, jnp.arange(4.0), 3), (2.0, X, 3)):
        result = run(Task(function, (x, factor), {}))
        np.testing.assert_array_equal(result["scaled"], factor * x)
        assert result["factor"] == factor
        assert len(function.threads) == made


def test_what_is_prepared_is_traced_in_a_thread_and_only_once() -> None:
    first, second = Traced(), Traced()
    tasks = [Task(function, (X, 2.0), {}) for function in (first, second)]
    prepare(tasks)
    prepare(tasks)
    for task in tasks:
        np.testing.assert_array_equal(run(task)["scaled"], 2.0 * X)
    prepare(tasks)
    assert first.threads == second.threads == ["kernelbo-programs"]


def test_threads_that_need_one_program_make_one() -> None:
    function, found = Traced(), []
    task = Task(function, (X, 5.0), {})
    threads = [threading.Thread(target=lambda: found.append(run(task)["scaled"])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(function.threads) == 1
    np.testing.assert_array_equal(found, np.tile(5.0 * X, (4, 1)))


def test_an_error_is_met_by_whoever_needs_the_program() -> None:
    function = Traced(ZeroDivisionError("no such program"))
    task = Task(function, (X, 2.0), {})
    prepare([task])
    wait()
    assert not compilation._programs
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="no such program"):
            run(task)
    assert len(function.threads) == 3
    function.error = None
    np.testing.assert_array_equal(run(task)["scaled"], 2.0 * X)


def test_an_option_that_xla_does_not_know_is_met_there_too() -> None:
    task = Task(Traced(), (X, 2.0), {"no_such_option": 1})
    prepare([task])
    with pytest.raises(Exception, match="no_such_option"):
        run(task)


def test_nothing_is_begun_after_the_end_of_the_main_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    function, ended = Traced(), threading.Thread()  # one that does not live
    monkeypatch.setattr(compilation.threading, "main_thread", lambda: ended)
    task = Task(function, (X, 2.0), {})
    prepare([task])
    wait()
    assert not function.threads
    np.testing.assert_array_equal(run(task)["scaled"], 2.0 * X)  # who needs it has it all the same


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "MOST", 2)
    tasks = {factor: Task(Traced(), (X, factor), {}) for factor in (1.0, 2.0, 3.0)}
    for factor in (1.0, 2.0, 1.0, 3.0, 1.0):  # 2 is the one that was used longest ago
        run(tasks[factor])
    assert list(compilation._programs) == [tasks[3.0].key, tasks[1.0].key]
    np.testing.assert_array_equal(run(tasks[2.0])["scaled"], 2.0 * X)


def test_without_jit_functions_run_as_they_are() -> None:
    function = Traced()
    with jax.disable_jit():
        task = Task(function, (X, 2.0), {})
        prepare([task])
        np.testing.assert_array_equal(run(task)["scaled"], 2.0 * X)
    assert function.threads == ["MainThread"]
    assert not compilation._programs
