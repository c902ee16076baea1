"""Further options of a run: the default policy, a time limit, a callback, a progress line."""

import inspect
import io
import sys
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest

from core import History, Optimizer, optimize
from core.optimizer import programs
from core.optimizer.options import DEFAULT_POLICY

BOX = [(0.0, 1.0), (2.0, 5.0)]
KEY = jax.random.key(3)


def run(f: Any = lambda x: float(x[0]), budget: int = 9, **options: Any) -> History:
    return optimize(f, BOX, budget=budget, key=KEY, **{"policy": "random_search"} | options)


def test_the_default_is_one_that_can_be_trusted() -> None:
    assert DEFAULT_POLICY == "noisy_ei"
    for face in (optimize, Optimizer.__init__):
        assert inspect.signature(face).parameters["policy"].default == DEFAULT_POLICY


def test_this_version_of_the_compiler_can_be_hurried() -> None:
    """A new compiler may not know the options: `optimize` then works, and its first proposal takes three
    times longer."""
    assert programs._understood()


def test_minimising() -> None:
    history = run(lambda x: float(x[0]), maximize=False)
    assert history.best_y == history.x[:, 0].min() == history.best_x[0]
    np.testing.assert_array_equal(history.recommended, history.best_x)


def test_no_evaluation_starts_after_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(np.arange(0.0, 1000.0, 1.0))
    module = sys.modules["core.optimizer.optimize"]  # `core.optimizer.optimize` is the function of that name
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    history = run(time_limit=3.5)
    assert len(history) == 3  # the clock is asked once at the start, and before each evaluation
    with pytest.raises(ValueError, match="time_limit must be a positive finite number, in seconds, got 0.0"):
        run(time_limit=0.0)


def test_a_callback_sees_every_evaluation_and_may_stop() -> None:
    seen: list[int] = []

    def callback(history: History) -> bool:
        seen.append(len(history))
        return history.best_y > -1.0 and len(history) == 7

    assert len(run(callback=callback)) == 7
    assert seen == list(range(1, 8))
    assert len(run(callback=lambda history: None)) == 9


def test_the_progress_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    run()
    assert stream.getvalue() == ""  # no terminal

    def flaky(x: np.ndarray) -> float:
        return float("nan") if x[0] > 0.5 else float(x[0])

    history = run(flaky, progress=True, on_failure="skip")
    last = stream.getvalue().split("\x1b[2K")[-1]
    assert last.startswith(f"9/9 evaluations, {len(history.failures)} failed, 0 running; best {history.best_y:.6g}; ")
    assert last.endswith(" s\n")
    monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    before = len(stream.getvalue())
    run()
    assert len(stream.getvalue()) > before
