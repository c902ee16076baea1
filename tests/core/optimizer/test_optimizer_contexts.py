"""`optimize` with a random context: units, clipping, resuming, mistakes."""

import functools
import warnings
from typing import Any

import jax
import numpy as np
import pytest

from core import Evaluation, EvaluationError, History, Optimizer, optimize
from core.policies import Policy, SearchEffort, make
from core.search.staged_search import StagedEffort

BOX = [(0.0, 10.0)]
CONTEXTS = [(100.0, 300.0)]
KEY = jax.random.key(5)


class Shop:
    """Profit of an order x when the demand is c: the same demands in the same order for every call of a new shop."""

    def __init__(self, wild: bool = False) -> None:
        self.rng = np.random.default_rng(3)
        self.wild = wild

    def __call__(self, x: np.ndarray) -> tuple[float, float]:
        demand = float(self.rng.normal(200.0, 30.0))
        if self.wild and self.rng.random() < 0.3:
            demand = float(self.rng.standard_cauchy() * 1e7)
        return 9 * min(50 * x[0], demand) - 5 * 50 * x[0], demand


@functools.lru_cache
def policy() -> Policy:
    effort = SearchEffort.of(1, raw_candidates=32, starts=2)
    return make(
        "sbo_kde", 1, context_dim=1, samples=32, cells=8, effort=effort, stages=StagedEffort(polished=1), fit_starts=1
    )


def run(budget: int = 9, f: Any = None, **options: Any) -> History:
    options = {"policy": policy(), "context_bounds": CONTEXTS, "key": KEY, "initial_size": 4} | options
    return optimize(Shop() if f is None else f, BOX, budget=budget, **options)


def test_the_history_holds_contexts_in_their_own_unit() -> None:
    history = run()
    assert history.context is not None
    assert history.context.shape == (9, 1)
    expected = Shop()
    for x, y, c in zip(history.x, history.y, history.context, strict=True):
        assert (y, c[0]) == expected(x)
    assert history.recommended is not None
    assert np.abs(history.x - history.recommended).min() < 1e-12
    as_evaluations = Shop()
    same = run(f=lambda x: Evaluation((pair := as_evaluations(x))[0], context=[pair[1]]))
    np.testing.assert_array_equal(same.x, history.x)


def test_resuming_is_as_if_it_had_never_stopped() -> None:
    direct, shop = run(), Shop()
    resumed = run(observations=run(6, f=shop), f=shop)
    np.testing.assert_array_equal(resumed.x, direct.x)
    np.testing.assert_array_equal(resumed.context, direct.context)
    given = run(6, f=(shop := Shop()))
    arrays = run(7, observations=(given.x, given.y, None, given.context), f=shop)
    np.testing.assert_array_equal(arrays.context[:6], given.context)  # type: ignore[index]
    assert len(arrays.y) == 7


def test_contexts_outside_their_box_are_recorded_and_shown_clipped() -> None:
    wild = run(f=Shop(wild=True))
    assert wild.context is not None
    assert np.abs(wild.context).max() > 1e4
    tame = Shop(wild=True)

    def clipped(x: np.ndarray) -> tuple[float, float]:
        y, c = tame(x)
        return y, float(np.clip(c, 100.0, 300.0))

    np.testing.assert_array_equal(run(f=clipped).x, wild.x)


def test_a_policy_without_contexts_ignores_them() -> None:
    history = run(policy="random_search")
    assert history.context is not None
    assert history.context.shape == (9, 1)


def test_failures_are_skipped_and_recorded() -> None:
    shop, calls = Shop(), iter(range(100))

    def flaky(x: np.ndarray) -> tuple[float, Any]:
        y, c = shop(x)
        return y, {2: np.nan, 5: None, 6: [1.0, 2.0]}.get(next(calls), c)

    history = run(f=flaky, on_failure="skip")
    assert sorted(history.failures) == [2, 5, 6]
    assert "returned the context [nan], expected 1 finite numbers" in history.failures[2]
    assert "returned no context" in history.failures[5]
    assert "[1.0, 2.0]" in history.failures[6]
    assert history.context is not None
    np.testing.assert_array_equal(np.isnan(history.context[:, 0]), np.isnan(history.y))


def test_a_failure_keeps_what_was_paid_for() -> None:
    shop, calls = Shop(), iter(range(100))
    with pytest.raises(EvaluationError, match="evaluation 5 .* returned no context") as error:
        run(f=lambda x: shop(x) if next(calls) < 5 else 3.0)
    assert error.value.history.context is not None
    assert error.value.history.context.shape == (5, 1)
    assert len(run(observations=error.value.history).y) == 9


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"policy": "sbo_kde", "context_bounds": None}, "learns from contexts: give context_bounds"),
    ({"context_bounds": None}, "reads contexts of dimension 1, context_bounds have 0"),
    ({"context_bounds": CONTEXTS * 2}, "reads contexts of dimension 1, context_bounds have 2"),
    ({"context_bounds": [(1.0, 1.0)]}, r"context_bounds\[0\] must have lower < upper"),
    ({"context_bounds": [(0.0, np.nan)]}, "context_bounds must be finite"),
    ({"on_failure": "worst"}, "use 'skip'"),
    ({"observations": (np.zeros((2, 1)), np.zeros(2))}, "four parts"),
    ({"observations": (np.zeros((2, 1)), np.zeros(2), None, np.zeros((2, 3)))}, r"contexts of shape \(2, 1\)"),
    ({"observations": (np.zeros((2, 1)), np.zeros(2), None, np.array([[0.0], [np.inf]]))}, r"not finite in rows \[1\]"),
    ({"observations": History(np.ones((2, 1)), np.zeros(2), np.array(BOX))}, "other context_bounds"),
]


@pytest.mark.parametrize(("options", "message"), MISTAKES)
def test_mistakes_are_named_before_anything_runs(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(**options)


def test_a_default_policy_that_ignores_contexts_is_said() -> None:
    """Not where the user names a policy."""
    with pytest.warns(UserWarning, match="the default policy, '.*', ignores contexts: name a policy"):
        Optimizer(BOX, key=KEY, context_bounds=CONTEXTS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Optimizer(BOX, key=KEY, policy="random_search", context_bounds=CONTEXTS)
