"""A walk from allowed points meets narrow and linear constraints, and no error follows the first success."""

from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest
from scipy.optimize import LinearConstraint  # noqa: TID251  what users have

from core import Categorical, Integer, Optimizer, Real, optimize
from core.spaces import region
from core.spaces.domain import Domain
from core.spaces.region import Polytope

KEY = jax.random.key(0)


def bowl(x: np.ndarray) -> float:
    return -float(np.sum((x - 0.1) ** 2))


@pytest.mark.parametrize("linear", [True, False])
def test_a_sum_of_at_most_one_in_eight_dimensions(linear: bool) -> None:
    """A share of 2.5e-5 of the cube, as a matrix or as a predicate."""
    constraint: Any = LinearConstraint(np.ones((1, 8)), -np.inf, 1.0) if linear else lambda x: bool(x.sum() <= 1.0)
    options: dict[str, Any] = {"budget": 24, "key": KEY, "initial_size": 8, "policy": "corrected_ei"}
    history = optimize(bowl, [(0.0, 1.0)] * 8, constraint=constraint, **options)
    assert np.all(history.x.sum(axis=1) <= 1.0 + 1e-9)
    assert history.best_y > max(history.y[:8].max(), -0.06)  # better than the design, and than the corner, -0.08


def test_proportions_add_up_to_one() -> None:
    """An equation, at most half of the first, and twice as much of the second as of the third at least."""
    box = [(0.0, 1.0)] * 5
    rules = [LinearConstraint(np.ones(5), 1.0, 1.0), SimpleNamespace(A=[[1, 0, 0, 0, 0]], lb=0.0, ub=0.5)]
    rules.append(LinearConstraint([[0, 1, -2, 0, 0]], 0.0, np.inf))
    target = np.array([0.5, 0.3, 0.0, 0.2, 0.0])  # on the boundary
    history = optimize(
        lambda x: -float(np.sum((x - target) ** 2)), box, budget=30, key=KEY, initial_size=8, constraint=rules
    )
    np.testing.assert_allclose(history.x.sum(axis=1), 1.0, atol=1e-9)
    assert np.all(history.x[:, 0] <= 0.5 + 1e-9)
    assert np.all(history.x[:, 1] - 2 * history.x[:, 2] >= -1e-9)
    assert np.all((history.x >= 0.0) & (history.x <= 1.0))
    assert history.best_y > -0.005


def test_other_units_and_reals_of_a_space() -> None:
    space = {"oil": Real(0.0, 50.0), "water": Real(10.0, 90.0), "fixed": Real(5.0, 5.0)}
    rule = LinearConstraint([[1.0, 1.0, 1.0]], 60.0, 60.0)
    history = optimize(lambda p: -abs(p["oil"] - 20.0), space, budget=15, key=KEY, initial_size=5, constraint=rule)
    assert all(abs(p["oil"] + p["water"] + p["fixed"] - 60.0) < 1e-6 for p in history.points)
    assert history.best_y > -1.0
    whole = {"a": Integer(0, 5), "b": Real(1.0, 10.0, log=True)}
    history = optimize(
        lambda p: p["a"], whole, budget=10, key=KEY, initial_size=5, constraint=LinearConstraint([[1, 1]], 0, 6)
    )
    assert all(p["a"] + p["b"] <= 6.0 + 1e-9 for p in history.points)


@pytest.mark.parametrize("half", [0.0025, 0.01])
def test_a_narrow_predicate_does_not_end_a_run(half: float) -> None:
    """The predicates allow shares of 5e-5 and 8e-4 of the cube."""
    calls: list[int] = []

    def allowed(x: np.ndarray) -> bool:
        calls.append(1)
        return bool(abs(x[0] - 0.7) < half and abs(x[1] - 0.7) < 2 * half)

    given = (np.array([[0.7, 0.7]]), np.array([-0.72]))
    optimizer = Optimizer([(0.0, 1.0)] * 2, key=KEY, constraint=allowed, observations=given)
    for _ in range(15):
        calls.clear()
        x = optimizer.ask()[0]
        assert len(calls) < 15_000
        assert allowed(x)
        optimizer.tell(x, bowl(x))
    assert optimizer.history.best_y > bowl(np.array([0.7 - half, 0.7 - 2 * half])) - 0.3 * half


def test_a_first_point_is_found_where_the_share_is_small() -> None:
    history = optimize(
        bowl, [(0.0, 1.0)] * 2, budget=6, key=KEY, constraint=lambda x: bool(np.all(np.abs(x - 0.7) < 0.004))
    )
    assert np.all(np.abs(history.x - 0.7) < 0.004)


ELEVEN = [{"a": i, "b": 10 - i} for i in range(11)]
"""All points of a space of 10,201 that satisfy an equation."""


def eleven(told: int, **options: Any) -> Optimizer:
    """A run on that space with so many of them told."""
    space, rule = {"a": Integer(0, 100), "b": Integer(0, 100)}, LinearConstraint([[1, 1]], 10, 10)
    given = ELEVEN[:told], [-float((p["a"] - 4) ** 2) for p in ELEVEN[:told]]
    return Optimizer(space, key=KEY, constraint=rule, observations=given, **options)


@pytest.mark.parametrize("policy", ["gp_ucb", "random_search"])
@pytest.mark.parametrize("size", [11, 12])  # after the design, and in it
def test_allowed_points_repeat_where_all_are_used_up(policy: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region, "ATTEMPTS", 3)
    with pytest.warns(UserWarning, match="no further point satisfies the constraint, of 3072 drawn: more repeat"):
        assert eleven(11, policy=policy, initial_size=size).ask()[0] in ELEVEN


@pytest.mark.parametrize("size", [10, 11])
def test_the_last_allowed_point_is_found(size: int) -> None:
    """No walk from the others leads to it."""
    assert eleven(10, policy="random_search", initial_size=size).ask()[0] == ELEVEN[10]


def test_points_too_thin_for_walks_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """An equation of sixteen reals, as a function."""
    monkeypatch.setattr(region, "ATTEMPTS", 3)
    x = np.random.default_rng(0).dirichlet(np.ones(16), 6)
    optimizer = Optimizer(
        [(0.0, 1.0)] * 16, policy="gp_ucb", key=KEY, initial_size=5, observations=(x, x[:, 0] - x[:, 1]),
        constraint=lambda x: bool(abs(x.sum() - 1.0) <= 1e-7),
    )  # fmt: skip
    with pytest.warns(UserWarning, match="more repeat"):
        assert abs(optimizer.ask()[0].sum() - 1.0) <= 1e-7


def test_a_linear_constraint_with_integers_is_not_told_to_be_a_linear_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region, "ATTEMPTS", 3)
    space = {"a": Integer(0, 100), "b": Real(0.0, 10.0)}
    optimizer = Optimizer(space, policy="gp_ucb", key=KEY, constraint=LinearConstraint([[0.1, 1]], 3, 3))
    with pytest.raises(ValueError, match="give observations that do; a linear one on real parameters alone needs none"):
        optimizer.ask()


def test_walks_reach_all_of_a_triangle() -> None:
    """Brute force: the ends of walks have the moments of uniform points, but for the fifth that stops at faces."""
    triangle = Polytope.of(np.array([[1.0, 1.0]]), np.array([-np.inf]), np.array([1.0]))
    np.testing.assert_allclose(triangle.centre, 1 - np.sqrt(0.5), atol=1e-6)  # of the inscribed circle
    ends = triangle.walk(np.random.default_rng(0), np.repeat(triangle.centre[None], 4000, axis=0), 40)
    assert all(map(triangle.contains, ends))
    np.testing.assert_allclose(ends.mean(axis=0), 1 / 3, atol=0.02)
    near = triangle.walk(np.random.default_rng(0), np.repeat([[0.2, 0.2]], 500, axis=0), 1, 0.01)
    assert 0.002 < np.linalg.norm(near - 0.2, axis=1).mean() < 0.03


def test_equations_that_are_said_as_two_inequalities() -> None:
    rows = np.array([[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]])
    plane = Polytope.of(rows, np.full(2, -np.inf), np.array([1.0, -1.0]))
    assert plane.basis.shape == (3, 2)
    ends = plane.walk(np.random.default_rng(0), np.repeat(plane.centre[None], 100, axis=0), 30)
    np.testing.assert_allclose(ends.sum(axis=1), 1.0, atol=1e-9)
    assert np.ptp(ends, axis=0).min() > 0.5


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (LinearConstraint([[1, 1]], 3.0, np.inf), "no point satisfies the linear constraints"),
        (LinearConstraint([[1, 1]], 2.0, 2.0), "a single point"),
        (LinearConstraint([[0, 0]], 1.0, 1.0), "no point satisfies the linear constraints"),
        (LinearConstraint([[1, 1, 1]], 0.0, 1.0), "A of a linear constraint must have 2 columns"),
        (SimpleNamespace(A=[[1, np.nan]], lb=0, ub=1), "must have finite A"),
        (SimpleNamespace(A=[[1, 1]], lb=1, ub=0), "lb <= ub"),
        ([lambda x: True, 3], "constraint must be a function, got 3"),
    ],
)
def test_what_cannot_be_had(rule: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Optimizer([(0.0, 1.0)] * 2, policy="random_search", key=KEY, constraint=rule)


def test_a_first_point_may_lie_on_the_edge() -> None:
    """The cube's rounding leads some of these points across the edge."""
    rng, k = np.random.default_rng(0), Categorical(["x", "y", "z"])
    for value in rng.uniform(20.0, 90.0, 100):
        below, above = (lambda x, v=value: x[0] <= v), (lambda x, v=value: x[0] >= v)
        for rule in (below, above):
            domain = Domain.of([(20.0, 90.0), (0.0, 1.0)], rule)
            np.testing.assert_allclose(domain.to_box(domain.own([value, 0.3])), [value, 0.3], rtol=1e-10)
        named = Domain.of({"x": Real(1e-4, 100.0, log=True), "k": k}, lambda p, v=value: p["x"] <= v)
        point = named.point(named.own({"x": value, "k": "y"}))
        assert (point["x"], point["k"]) == (pytest.approx(value, rel=1e-10), "y")
    with pytest.raises(ValueError, match="does not satisfy the constraint"):
        Domain.of([(20.0, 90.0)], lambda x: x[0] <= 30.0).own([30.0 + 1e-6])


def test_choices_are_no_numbers() -> None:
    space = {"a": Real(0.0, 1.0), "k": Categorical(["x", "y"])}
    with pytest.raises(ValueError, match=r"on numbers, \['k'\] are choices: give a function"):
        Optimizer(space, policy="random_search", key=KEY, constraint=LinearConstraint([[1, 1]], 0, 1))
