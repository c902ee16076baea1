"""No point of a space is evaluated twice while others are left, and a run reports that none is left."""

from typing import Any

import jax
import numpy as np
import pytest

from core import Categorical, Evaluation, Integer, Optimizer, Real, Space, optimize

KEY = jax.random.key(5)


def distinct(points: list[dict[str, Any]]) -> int:
    return len({tuple(point.values()) for point in points})


@pytest.mark.parametrize("policy", ["corrected_ei", "random_search"])
def test_no_point_is_tried_twice(policy: str) -> None:
    """Each of thirty cells is tried once, though the maximum of a plane is in a corner, where proposals would stay."""
    space = Space({"a": Integer(0, 9), "b": Categorical(["x", "y", "z"])})
    history = optimize(lambda p: p["a"] + (p["b"] == "y"), space, policy=policy, budget=30, key=KEY)
    assert distinct(history.points) == 30


def test_points_that_are_pending_are_not_either() -> None:
    asked = Optimizer({"a": Integer(0, 3), "b": Categorical([True, False])}, key=KEY, initial_size=2)
    for point in asked.ask(2):
        asked.tell(point, float(point["a"]))
    assert distinct([*asked.history.points, *asked.ask(6)]) == 8


def test_an_exhausted_space_is_said_and_the_run_goes_on() -> None:
    space = {"a": Integer(0, 3), "b": Categorical([True, False]), "c": Categorical(["only"])}
    with pytest.warns(UserWarning, match="all 8 points of the space have been evaluated"):
        history = optimize(lambda p: float(p["a"]), space, budget=10, key=KEY, initial_size=4)
    assert distinct(history.points) == 8


def test_a_constraint_leaves_fewer() -> None:
    space = {"a": Integer(0, 5), "b": Integer(0, 5)}
    history = optimize(lambda p: p["a"], space, budget=15, key=KEY, constraint=lambda p: p["a"] + p["b"] <= 4)
    assert distinct(history.points) == 15  # 15 of 36 are allowed


def test_a_warning_counts_the_allowed_points() -> None:
    space = {"a": Integer(0, 5), "b": Integer(0, 5)}
    options = {"policy": "random_search", "budget": 6, "key": KEY}
    with pytest.warns(UserWarning, match="all 3 points of the space that are allowed have been evaluated"):
        optimize(lambda p: p["a"], space, constraint=lambda p: p["a"] + p["b"] <= 1, **options)


@pytest.mark.parametrize("noise", ["unknown", 0.1])
def test_a_constraint_that_no_point_satisfies(noise: Any) -> None:
    """An error without a warning, in the design and after it."""
    for size in (1, 2):
        optimizer = Optimizer(
            {"a": Integer(0, 5)}, policy="random_search", key=KEY, initial_size=size, noise=noise,
            constraint=lambda p: False,
        )  # fmt: skip
        optimizer.tell({"a": 3}, 1.0)
        with pytest.raises(ValueError, match="no point of the space satisfies the constraint"):
            optimizer.ask()


def test_large_spaces_and_reals_are_searched_as_ever() -> None:
    space = Space({"a": Integer(1, 300), "b": Integer(1, 300), "k": Categorical(["x", "y"])})
    history = optimize(lambda p: -abs(p["a"] - 200) - p["b"], space, policy="gp_ucb", budget=16, key=KEY)
    assert distinct(history.points) == 16
    mixed = optimize(lambda p: p["a"] + p["r"], {"a": Integer(0, 2), "r": Real(0.0, 1.0)}, budget=12, key=KEY)
    assert distinct(mixed.points) == 12


def test_under_known_noise_a_point_may_be_measured_again() -> None:
    rng = np.random.default_rng(0)
    space = {"a": Integer(0, 3)}

    def measured(p: dict[str, Any]) -> Evaluation:
        return Evaluation(p["a"] + 0.1 * rng.standard_normal(), 0.01)

    history = optimize(measured, space, policy="gp_ucb", budget=12, key=KEY, initial_size=3)
    assert len(history) == 12  # without a warning
