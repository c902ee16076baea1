"""The initial design counts parameters, not coordinates, and shares a small budget with the policy."""

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from core import Categorical, Integer, Optimizer, Real, optimize

KEY = jax.random.key(0)
SPACE = {
    "a": Categorical([f"m{i}" for i in range(12)]),
    "b": Categorical([f"k{i}" for i in range(8)]),
    "r": Real(1e-5, 1.0, log=True),
    "n": Integer(1, 64),
    "fixed": Real(2.0, 2.0),
}


def test_parameters_are_counted() -> None:
    """The initial design grows with the number of parameters, not of columns of the encoding."""
    assert Optimizer(SPACE, policy="random_search", key=KEY).settings.initial_size == 9
    history = optimize(lambda p: p["r"], SPACE, policy="gp_ucb", budget=12, key=KEY)
    assert len(history) == 12
    assert Optimizer([(0.0, 1.0)] * 4, policy="random_search", key=KEY).settings.initial_size == 9


@pytest.mark.parametrize(("budget", "size"), [(1, 1), (5, 2), (8, 4), (9, 9), (30, 9)])
def test_a_small_budget_is_shared(budget: int, size: int) -> None:
    assert Optimizer(SPACE, policy="random_search", key=KEY, budget=budget).settings.initial_size == size
    assert len(optimize(lambda p: p["r"], SPACE, policy="random_search", budget=budget, key=KEY)) == budget


@pytest.mark.usefixtures("unchecked")
def test_a_size_that_is_asked_for_is_kept() -> None:
    history = optimize(lambda x: float(x[0]), [(0.0, 1.0)], policy="random_search", budget=3, key=KEY, initial_size=6)
    optimizer = Optimizer([(0.0, 1.0)], policy="random_search", key=KEY, initial_size=np.int64(6))
    design = np.concatenate([optimizer.ask() for _ in range(6)])
    np.testing.assert_array_equal(history.x, design[:3])


def test_a_log_that_began_with_less_goes_on(tmp_path: Path) -> None:
    options: dict[str, Any] = {"policy": "random_search", "key": KEY, "log": tmp_path / "log"}
    few = optimize(lambda p: p["r"], SPACE, budget=5, **options)
    more = optimize(lambda p: p["r"], SPACE, budget=20, **options)
    assert more.points[:5] == few.points
    assert len(more) == 20
