"""In runs on spaces and under constraints the policy sees the points that are evaluated."""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core import Categorical, History, Integer, Optimizer, Real, Space, optimize
from core.policies import Policy, SearchEffort, make
from core.policies.restricted import ListedEffort, SnappedEffort, snapping
from core.spaces import region

SPACE = Space({"a": Real(0.01, 1.0, log=True), "n": Integer(1, 5), "k": Categorical(["lin", "rbf"])})
EFFORT = SearchEffort.of(4, raw_candidates=64, starts=2, max_steps=30)
KEY = jax.random.key(11)


def cost(p: dict[str, Any]) -> float:
    """Smallest, 0.5, at a = 0.2, n = 4, "rbf"."""
    return 0.5 + np.log(p["a"] / 0.2) ** 2 / 4 + 0.2 * (p["n"] - 4) ** 2 + (p["k"] == "lin")


@functools.lru_cache
def policy(name: str) -> Policy:
    return make(name, 4) if name == "random_search" else make(name, 4, effort=EFFORT)


def run(name: str = "gp_ucb", budget: int = 14, **options: Any) -> History:
    options = {"initial_size": 5, "maximize": False} | options
    return optimize(cost, SPACE, policy=policy(name), budget=budget, key=KEY, **options)


def test_a_space_is_searched_in_its_own_terms() -> None:
    history = run(budget=20)
    assert [cost(point) for point in history.points] == history.y.tolist()
    assert history.best_y == history.y.min()
    assert cost(history.best_x) == history.best_y
    assert history.recommended in history.points
    assert {type(value) for point in history.points for value in point.values()} == {float, int, str}
    for x in history.x:  # the model saw what was evaluated
        np.testing.assert_array_equal(SPACE.snapped(x), x)
    assert history.best_y < run("random_search", budget=20).best_y
    assert history.best_x["k"] == "rbf"


def test_minimising_is_maximising_the_negative() -> None:
    negative = optimize(lambda p: -cost(p), SPACE, policy=policy("gp_ucb"), budget=14, key=KEY, initial_size=5)
    history = run()
    np.testing.assert_array_equal(history.x, negative.x)
    np.testing.assert_array_equal(history.y, -negative.y)
    assert history.recommended == negative.recommended


def test_the_acquisition_is_maximised_behind_the_map() -> None:
    """Brute force over the integers and choices, a fine grid over the real one: T(x) is where the maximum is sought."""
    effort = snapping(policy("gp_ucb"), SPACE, constrained=False).effort  # type: ignore[attr-defined]
    assert isinstance(effort, SnappedEffort)

    def acquisition(x: jax.Array) -> jax.Array:  # its maximum over the cube lies where nothing can be evaluated
        return -((x[0] - 0.37) ** 2) - (x[1] - 0.52) ** 2 - (x[2] - 0.7) ** 2 - (x[3] - 0.4) ** 2

    best = jax.jit(lambda key: effort.maximize(key, acquisition))(KEY)
    units = [[0.37, (n - 0.5) / 5, *k] for n in range(1, 6) for k in ((1.0, 0.0), (0.0, 1.0))]
    expected = max(units, key=lambda unit: float(acquisition(jnp.asarray(unit))))
    np.testing.assert_allclose(best.x, expected, atol=1e-3)
    assert float(best.value) == pytest.approx(float(acquisition(best.x)), abs=1e-12)


def test_it_is_continued_exactly_and_from_dictionaries() -> None:
    whole = run()
    again = run(observations=run(budget=9))
    np.testing.assert_array_equal(again.x, whole.x)
    points, values = whole.points[:6], whole.y[:6]
    given = run(budget=8, observations=(points, values))
    assert [{**p, "a": pytest.approx(p["a"])} for p in points] == given.points[:6]
    renamed = Space({name.upper(): parameter for name, parameter in SPACE.parameters.items()})
    with pytest.raises(ValueError, match="another space"):
        optimize(cost, renamed, policy=policy("gp_ucb"), budget=15, key=KEY, observations=whole, maximize=False)
    with pytest.raises(ValueError, match="another maximize"):
        run(observations=whole, maximize=True)


def test_asked_and_told_in_dictionaries() -> None:
    asked = Optimizer(SPACE, policy=policy("gp_ucb"), key=KEY, initial_size=5, maximize=False)
    points = asked.ask(7)
    assert asked.pending == points
    for point in reversed(points):
        asked.tell(dict(reversed(point.items())), cost(point))
    assert asked.pending == []
    assert asked.history.points == points[::-1]
    asked.tell({"a": 0.2, "n": 4, "k": "rbf"}, 0.5)
    assert asked.recommended == {"a": pytest.approx(0.2), "n": 4, "k": "rbf"}
    with pytest.raises(ValueError, match="n: 9 is no integer of"):
        asked.tell({"a": 0.2, "n": 9, "k": "rbf"}, 0.5)
    with pytest.raises(ValueError, match=r"tell\(\{'a': 0.2"):
        asked.tell({"a": 0.2, "n": 3, "k": "rbf"}, float("nan"))


@pytest.fixture
def few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """An eighth of the candidates of a constrained search, and of its attempts: the constraint is asked in Python about
    every one of them."""
    for name in ("CANDIDATES", "NEAR", "ATTEMPTS"):
        monkeypatch.setattr(region, name, getattr(region, name) // 8)


@pytest.mark.usefixtures("few_candidates")
@pytest.mark.parametrize("name", ["gp_ucb", "random_search"])
def test_constraints_hold_for_every_evaluation(name: str) -> None:
    def allowed(p: dict[str, Any]) -> bool:
        return bool(p["a"] * p["n"] < 0.3)

    history = run(name, 8, constraint=allowed)
    assert all(map(allowed, history.points))
    again = run(name, 8, constraint=allowed, observations=run(name, 6, constraint=allowed))
    np.testing.assert_array_equal(again.x, history.x)


def test_a_constrained_search_finds_the_edge_of_the_allowed() -> None:
    """The maximum of a slope over a disk lies on its edge, which no single round of candidates meets."""
    method = make("gp_ucb", 2, effort=SearchEffort.of(2, raw_candidates=64, starts=2, max_steps=30), lengthscale=2.0)
    box = [(-2.0, 2.0), (10.0, 14.0)]

    def inside(x: np.ndarray) -> bool:
        return bool(x[0] ** 2 + (x[1] - 12.0) ** 2 <= 1.0)

    history = optimize(
        lambda x: float(x[0] + x[1]), box, policy=method, budget=12, key=KEY, initial_size=5, constraint=inside
    )
    assert all(map(inside, history.x))
    assert history.best_y > 12.0 + np.sqrt(2.0) - 0.02


def test_listed_candidates_are_taken_as_they_are() -> None:
    listed = ListedEffort(jnp.asarray([[0.1, 0.2], [0.8, 0.9], [0.5, 0.5]]), 0, 0)
    best = listed.maximize(KEY, lambda x: -jnp.abs(x[0] - 0.7))
    np.testing.assert_array_equal(best.x, [0.8, 0.9])


@pytest.mark.usefixtures("few_candidates")
def test_what_cannot_be_restricted_is_refused() -> None:
    with pytest.raises(ValueError, match="KrUcb has a search of its own, which cannot be restricted: no integers"):
        Optimizer(SPACE, policy="kr_ucb", key=KEY)
    with pytest.raises(ValueError, match="no constraint with it"):
        Optimizer([(0.0, 1.0)], policy="kr_ucb", key=KEY, constraint=lambda x: True)
    with pytest.raises(ValueError, match="no point satisfies the constraint"):
        Optimizer([(0.0, 1.0)], policy="random_search", key=KEY, constraint=lambda x: False).ask()
