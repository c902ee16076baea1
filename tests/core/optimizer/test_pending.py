"""Rounded points match the points asked for, points can be withdrawn, and threads may share a run."""

import copy
import json
import pickle
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from core import Categorical, Integer, Optimizer, Real

KEY = jax.random.key(0)
BOX = [(0.0, 1.0), (20.0, 90.0), (-3.0, -1.0)]


def asked(bounds: Any = BOX, **options: Any) -> Optimizer:
    return Optimizer(bounds, policy="random_search", key=KEY, **options)


@pytest.mark.parametrize(
    "change",
    [
        np.float32,
        lambda x: np.array([float(f"{v:.4g}") for v in x]),
        lambda x: [float(text) for text in ",".join(f"{v:.3f}" for v in x).split(",")],
    ],
)
def test_rounded_points_are_no_ghosts(change: Callable[[np.ndarray], Any]) -> None:
    """Points told in single precision match the pending ones."""
    optimizer = asked()
    for number in range(30):
        x = optimizer.ask()[0]
        if number < optimizer.settings.initial_size:
            np.testing.assert_allclose(optimizer.settings.domain.to_box(optimizer.settings.design[number]), x)
        optimizer.tell(change(x), 1.0)
        np.testing.assert_array_equal(optimizer.history.x[-1], np.clip(change(x), *np.array(BOX).T))
    assert len(optimizer.pending) == 0


def test_the_nearest_is_taken_out_of_order() -> None:
    optimizer = asked()
    points = optimizer.ask(6)
    for number in (4, 0, 5):
        optimizer.tell(points[number].astype(np.float32), float(number))
    np.testing.assert_array_equal(optimizer.pending, points[[1, 2, 3]])
    optimizer.tell(points[1] + [0.01, 0.0, 0.0], 9.0)  # a point of one's own
    assert len(optimizer.pending) == 3


def test_a_bound_that_is_crossed_by_rounding() -> None:
    optimizer = asked([(0.1, 0.3)])
    optimizer.progress = optimizer.progress.__class__(optimizer.progress.history, (np.array([0.1]), np.array([0.3])))
    assert float(np.float32(0.1)) > 0.1
    assert float(np.float32(0.3)) > 0.3
    optimizer.tell(np.array([0.3], np.float32), 1.0)
    assert optimizer.history.x.tolist() == [[0.3]]
    with pytest.raises(ValueError, match="lies outside the bounds"):
        optimizer.tell([0.31], 1.0)


def test_in_a_space_integers_and_choices_must_be_the_same() -> None:
    space = {"r": Real(1e-4, 1.0, log=True), "n": Integer(1, 100_000), "k": Categorical(["a", "b"])}
    optimizer = asked(space)
    first, second = optimizer.ask(2)
    optimizer.tell({**first, "r": float(f"{first['r']:.3g}")}, 1.0)
    assert optimizer.pending == [second]
    optimizer.tell({**second, "n": second["n"] + 1}, 1.0)
    assert optimizer.pending == [second]
    with pytest.raises(ValueError, match="r: 2.0 does not lie in"):
        optimizer.tell({**second, "r": 2.0}, 1.0)


def test_lists_are_the_tuples_asked_for() -> None:
    """JSON has no tuples."""
    space = {"layers": Categorical([(16, 16), (32, (8, 8)), (64,)]), "r": Real(0.0, 1.0)}
    optimizer = asked(space)
    first, second = optimizer.ask(2)
    optimizer.tell(json.loads(json.dumps(first)), 1.0)
    assert optimizer.pending == [second]
    assert optimizer.history.points == [first]
    optimizer.forget(json.loads(json.dumps(second)))
    assert optimizer.pending == []


def test_points_can_be_withdrawn() -> None:
    optimizer = asked()
    points = optimizer.ask(3)
    optimizer.forget(points[1].astype(np.float32))
    np.testing.assert_array_equal(optimizer.pending, points[[0, 2]])
    assert len(optimizer.history) == 0
    with pytest.raises(ValueError, match="is not pending"):
        optimizer.forget(points[1])


def test_a_withdrawn_point_makes_no_later_point_come_twice(tmp_path: Path) -> None:
    """The next points are new ones: after the first points, after random ones, and in a run that was saved."""
    optimizer = asked(first=[(0.1, 30.0, -2.0), (0.2, 40.0, -2.0), (0.3, 50.0, -2.0)])
    seen = optimizer.ask(3)
    optimizer.forget(seen[0])
    seen = np.concatenate([seen, optimizer.ask(9)])
    optimizer.forget(seen[-1])
    optimizer.save(tmp_path / "run")
    seen = np.concatenate([seen, Optimizer.load(tmp_path / "run").ask(2)])
    assert len(np.unique(seen, axis=0)) == len(seen)


def test_many_that_wait_are_said_once_and_a_batch_is_no_fault() -> None:
    optimizer = asked()
    points = optimizer.ask(40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizer.tell(points[3], 1.0)
        with pytest.raises(UserWarning, match="none of the 39 that wait for a result"):
            optimizer.tell([0.5, 55.0, -2.0], 1.0)
        optimizer.tell([0.5, 56.0, -2.0], 1.0)


def test_threads_lose_nothing() -> None:
    """Six threads tell 120 values, and all are recorded."""
    optimizer, given = asked(initial_size=1), []

    def work() -> None:
        for _ in range(20):
            x = optimizer.ask()[0]
            given.append(tuple(x))
            optimizer.tell(x, 1.0)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(optimizer.history) == len(set(given)) == 120
    assert len(optimizer.pending) == 0


def test_copies_have_locks_of_their_own() -> None:
    optimizer = asked()
    optimizer.ask(2)
    for again in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        with optimizer._lock:
            caller = threading.Thread(target=again.ask)
            caller.start()
            caller.join(30)
        assert len(again.pending) == 3
