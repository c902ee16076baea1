"""Ctrl-C at every line of a run, and once more at every line after, neither loses an evaluation nor tells one twice.

A trace function raises where a signal's handler would: before a line is executed.
"""

import gc
import inspect
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import Interrupted, make, optimize
from core.optimizer import validation
from core.optimizer.optimize import _Ending
from tests.core.optimizer.hills import BOX, KEY, hill

FILES = {
    sys.modules[f"core.optimizer.{name}"].__file__
    for name in ("optimize", "workers", "log", "optimizer", "record", "validation")
}
BUDGET = 3
RANDOM = make("random_search", 2)

Line = tuple[str, int]


class AtOnce(Executor):
    """An executor that evaluates each point when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Traced:
    """A run under a trace function.

    Attributes:
        passed: the lines passed, and how often.
        returned: the values that the objective returned.
    """

    def __init__(self, path: Path, stops: list[tuple[Line, int]], **options: Any) -> None:
        """Raise KeyboardInterrupt at the first of the stops, (line, visit), then count anew until the next, ..."""
        self.passed: Counter[Line] = Counter()
        self.returned: list[float] = []
        self.stops, self.path, self.options = list(stops), path, options
        self.error: BaseException | None = None

    def objective(self, x: np.ndarray) -> float:
        self.returned.append(hill(x))
        return self.returned[-1]

    def __call__(self) -> Any:
        options: dict[str, Any] = {"policy": RANDOM, "budget": BUDGET, "key": KEY, "log": self.path} | self.options
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            return optimize(self.objective, BOX, **options)
        except KeyboardInterrupt as error:
            self.error = error
            return None
        finally:
            sys.settrace(before)

    def again(self) -> None:
        """Trace once more, also the functions that called: Python stops when a trace function raises."""
        frame = inspect.currentframe()
        while frame is not None:
            if frame.f_code.co_filename in FILES:
                frame.f_trace = self._line
            frame = frame.f_back
        sys.settrace(self._call)

    def _call(self, frame: Any, event: str, argument: Any) -> Any:
        return self._line if frame.f_code.co_filename in FILES else None

    def _line(self, frame: Any, event: str, argument: Any) -> Any:
        if event == "line":
            line = frame.f_code.co_filename, frame.f_lineno
            self.passed[line] += 1
            if self.stops and (line, self.passed[line]) == self.stops[0]:
                del self.stops[0]
                self.passed.clear()
                raise KeyboardInterrupt
        return self._line


def nothing_is_lost(run: Traced, whole: np.ndarray, goes_on: bool) -> None:
    """The history, the log and the values returned agree; the log goes on to the whole run."""
    error, run.error = run.error, None
    if not isinstance(error, Interrupted):
        assert type(error) is KeyboardInterrupt  # while the arguments are checked
        assert not run.returned
        return
    assert error.history.y.tolist() == run.returned
    del error
    lines = run.path.read_bytes().splitlines()[1:] if run.path.exists() else []
    assert [json.loads(line)["y"] for line in lines] == run.returned
    if goes_on:
        gc.collect()  # a traceback holds the log, where Ctrl-C came as the file was opened or closed
        assert np.array_equal(Traced(run.path, [], **run.options)().x, whole)


@pytest.fixture(autouse=True, scope="module")
def collect_only_what_these_tests_leave() -> Iterator[None]:
    """A collection looks at no object of the tests before, which may be millions."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # files left to collect


@pytest.fixture(params=["here", "executor"])
def options(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"workers": 1 if request.param == "here" else AtOnce(), "at_once": 1}


def test_once_at_every_line(options: dict[str, Any], tmp_path: Path) -> None:
    plain = Traced(tmp_path / "whole", [], **options)
    whole = plain().x
    assert len(plain.passed) > 100
    for number, (line, visits) in enumerate(plain.passed.items()):
        run = Traced(tmp_path / str(number), [(line, (visits + 1) // 2)], **options)
        run()
        assert not run.stops
        nothing_is_lost(run, whole, goes_on=number % 10 == 0)


def test_once_more_while_the_first_is_dealt_with(
    options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first signal comes when a value has been returned and not yet been read."""
    keep = _Ending.keep

    def traced(run: Traced) -> Traced:
        def kept(*arguments: Any) -> None:
            run.again()
            keep(*arguments)

        monkeypatch.setattr(_Ending, "keep", kept)
        run()
        return run

    plain = Traced(tmp_path / "whole", [], **options)
    whole = plain().x
    file, start = inspect.getsourcefile(validation), inspect.getsourcelines(validation.read)[1]
    first = next((line, 2) for line in plain.passed if line[0] == file and line[1] > start)
    after = traced(Traced(tmp_path / "alone", [first], **options)).passed
    assert len(after) > 50
    for number, (line, visits) in enumerate(after.items()):
        run = traced(Traced(tmp_path / str(number), [first, (line, (visits + 1) // 2)], **options))
        assert not run.stops
        nothing_is_lost(run, whole, goes_on=number % 10 == 0)
