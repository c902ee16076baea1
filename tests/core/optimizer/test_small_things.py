"""Careless input of users: arrays changed later, numpy numbers, tables, seeds, points of the user's choice."""

import sys
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest

from core import Categorical, Integer, Optimizer, Real, optimize

KEY = jax.random.key(4)
BOX = [(0.0, 1.0), (2.0, 5.0)]
SPACE = {"a": Real(0.0, 1.0), "n": Integer(1, 4), "k": Categorical(["x", "y"])}


def run(f: Any = lambda x: float(x[0]), bounds: Any = BOX, **options: Any) -> Any:
    return optimize(f, bounds, **{"policy": "random_search", "budget": 7, "key": KEY} | options)


def test_arrays_are_the_optimizers_own() -> None:
    box, x, y = np.array(BOX), np.array([[0.5, 3.0]]), np.array([1.0])
    optimizer = Optimizer(box, policy="random_search", key=KEY, observations=(x, y))
    for array in (box, x, y):
        array[:] = 7.0
    assert optimizer.history.x.tolist() == [[0.5, 3.0]]
    assert optimizer.history.y.tolist() == [1.0]
    assert np.all(optimizer.ask(5) <= [1.0, 5.0])
    for name in ("x", "y", "bounds"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(optimizer.history, name)[0] = 9.0


@pytest.mark.usefixtures("unchecked")
def test_numpys_integers_are_integers() -> None:
    for options in ({"budget": np.int64(7)}, {"initial_size": np.int32(3)}, {"workers": np.int64(1)}):
        assert len(run(**options, policy="gp_ucb")) == 7
    assert len(Optimizer(BOX, policy="random_search", key=KEY).ask(np.int64(3))) == 3


def test_a_seed_is_a_key() -> None:
    np.testing.assert_array_equal(run(key=3).x, run(key=jax.random.key(3)).x)


def test_objectives_that_return_an_array_of_one_value() -> None:
    for f in (lambda x: np.array([x[0]]), lambda x: np.array([[x[0]]]), lambda x: [float(x[0])]):
        np.testing.assert_array_equal(run(f).y, run().y)
    with pytest.raises(ValueError, match=r"returned ndarray array\(\[1., 2.\]\), which is not a number"):
        run(lambda x: np.array([1.0, 2.0]))


def test_a_small_spread_on_a_large_offset_is_learned() -> None:
    """Values with a spread of 1e-6 around a million do not count as constant."""

    def g(x: np.ndarray) -> float:
        return -float((x[0] - 0.3) ** 2 + (x[1] - 4.0) ** 2)

    options: dict[str, Any] = {"policy": "corrected_ei", "budget": 20}
    history = run(lambda x: 1e6 + 1e-6 * g(x), **options)
    assert g(history.best_x) > -0.02
    assert "model" in history.summary()
    assert history.best_y == pytest.approx(1e6)


def test_progress_without_a_terminal_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert len(run(progress=True)) == 7


def test_points_of_ones_own_come_first() -> None:
    own = [[0.25, 4.5], [0.75, 2.5]]
    history = run(first=own)
    np.testing.assert_allclose(history.x[:2], own)
    np.testing.assert_array_equal(history.x[2:5], run().x[2:5])  # the rest of the design
    many = run(first=[[0.1 * i, 3.0] for i in range(7)])
    np.testing.assert_allclose(many.x[:, 0], 0.1 * np.arange(7), atol=1e-12)
    named = run(lambda p: p["a"], SPACE, first=[{"a": 0.5, "n": 2, "k": "y"}])
    assert named.points[0] == {"a": 0.5, "n": 2, "k": "y"}
    with pytest.raises(ValueError, match="lies outside the bounds"):
        run(first=[[2.0, 3.0]])
    with pytest.raises(ValueError, match="does not satisfy the constraint"):
        run(first=[[0.9, 3.0]], constraint=lambda x: bool(x[0] < 0.5))


def test_rows_outside_are_left_out_and_rows_without_a_value_are_failures() -> None:
    x, y = [[0.5, 3.0], [2.0, 3.0], [0.1, 4.0]], [1.0, 9.0, np.nan]
    with pytest.warns(UserWarning, match=r"rows \[1\] lie outside the bounds and are left out"):
        history = run(observations=(x, y))
    assert history.x[:2].tolist() == [[0.5, 3.0], [0.1, 4.0]]
    assert history.failures == {1: "no value was given"}
    points = [{"a": 0.5, "n": 2, "k": "y"}, {"a": 0.5, "n": 9, "k": "y"}]
    with pytest.warns(UserWarning, match=r"rows \[1\] lie outside"):
        named = run(lambda p: p["a"], SPACE, observations=(points, [1.0, 2.0]))
    assert named.points[0] == points[0]
    points[1] |= {"a": "half", "n": 2}
    with pytest.warns(UserWarning, match=r"rows \[1\] lie outside the space and are left out \(a: 'half' does not lie"):
        run(lambda p: p["a"], SPACE, observations=(points, [1.0, 2.0]))
    with pytest.raises(ValueError, match="a point names"):
        run(lambda p: p["a"], SPACE, observations=([{"a": 0.5}], [1.0]))


def test_arrays_of_a_history_with_a_failure_can_be_handed_back() -> None:
    """A failed evaluation has neither a noise variance nor a context."""
    options: dict[str, Any] = {"policy": "sbo_kde", "key": KEY, "context_bounds": [(0.0, 2.0)]}
    first = Optimizer(BOX, **options)
    for number, x in enumerate(first.ask(3)):
        told = {"failure": "cold"} if number == 1 else {"y": 1.0, "noise_variance": 0.1, "context": [0.5]}
        first.tell(x, **told)
    history = first.history
    parts = (history.x, history.y, history.noise_variance, history.context)
    again = Optimizer(BOX, observations=parts, **options).history
    np.testing.assert_array_equal(again.noise_variance, [0.1, np.nan, 0.1])
    np.testing.assert_array_equal(again.context, [[0.5], [np.nan], [0.5]])
    assert list(again.failures) == [1]


class Table:
    """The part of a pandas.DataFrame that the library uses."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows, self.columns = rows, list(rows[0])

    def __getitem__(self, names: list[str]) -> "Table":
        return Table([{name: row[name] for name in names} for row in self.rows])

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        assert orient == "records"
        return self.rows


def table(rows: list[dict[str, Any]]) -> Any:
    try:
        import pandas
    except ImportError:
        return Table(rows)
    return pandas.DataFrame(rows)


def test_a_table_of_observations() -> None:
    rows = [{"n": 2, "a": 0.5, "k": "y", "day": "Monday"}, {"n": 3, "a": 0.25, "k": "x", "day": "Tuesday"}]
    history = run(lambda p: p["a"], SPACE, observations=(table(rows), [1.0, 2.0]))
    assert history.points[:2] == [{"a": 0.5, "n": 2, "k": "y"}, {"a": 0.25, "n": 3, "k": "x"}]
    with pytest.raises(ValueError, match=r"the table has no columns \['k'\]"):
        run(lambda p: p["a"], SPACE, observations=(table([{"n": 2, "a": 0.5}]), [1.0]))


def test_a_parameter_called_as_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))
    history = run(lambda p: p["best"], {"best": (0.0, 1.0), "y": Integer(1, 3)})
    assert list(history.to_frame()) == ["best", "y", "history.y", "history.best"]


def test_a_callback_that_returns_nan_does_not_stop() -> None:
    assert len(run(callback=lambda history: float("nan"))) == 7


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a sum of such values is no double
def test_values_whose_square_is_no_double() -> None:
    history = optimize(lambda x: 1e308 * (float(x[0]) - 0.5), BOX, budget=9, key=KEY)
    assert len(history) == 9
    assert np.isfinite(history.y).all()


@pytest.mark.parametrize(("answer", "count"), [(np.array([False, True]), 1), (np.array([False, False]), 3), ([], 3)])
def test_a_callback_that_returns_an_array_stops_where_an_element_is_true(answer: Any, count: int) -> None:
    found = run(budget=3, callback=lambda history: answer)
    assert len(found) == count
