"""`Optimizer`, asked and told in turn, equals `optimize`; out of order and in batches it stays consistent."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core import Optimizer, optimize
from core.types import Observations
from tests.core.optimizer.hills import BOX, KEY, LOWER, WIDTH, hill, policy


def optimizer(name: str = "boke", **options: Any) -> Optimizer:
    return Optimizer(BOX, policy=policy(name), key=KEY, **options)


@pytest.mark.parametrize("name", ["boke", "gp_ucb_refit", "uhe_bo"])
def test_told_each_point_before_the_next_it_is_optimize(name: str) -> None:
    asked = optimizer(name)
    for _ in range(9):
        x = asked.ask()[0]
        asked.tell(x, hill(x))
    direct = optimize(hill, BOX, policy=policy(name), budget=9, key=KEY)
    np.testing.assert_array_equal(asked.history.x, direct.x)
    np.testing.assert_array_equal(asked.recommended, direct.recommended)
    jax.tree.map(np.testing.assert_array_equal, asked.history.state, direct.state)  # made by `recommended`


def test_its_history_continues_it() -> None:
    first, second = optimizer("gp_ucb"), optimizer("gp_ucb")
    for _ in range(7):
        x = first.ask()[0]
        first.tell(x, hill(x))
    again = optimizer("gp_ucb", observations=first.history)
    np.testing.assert_array_equal(again.ask(), first.ask())
    assert len(second.history) == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"policy": policy("gp_ucb_refit")}, {"policy": policy("gp_ucb_refit"), "noise": "exact"}),
        ({"policy": "gp_ucb_map"}, {"policy": "gp_ucb_refit"}),
        ({"policy": "gp_ucb_refit"}, {"policy": "gp_ucb_refit", "transform": False}),
    ],
)
def test_a_history_under_other_options_is_fitted_anew(before: dict[str, Any], after: dict[str, Any]) -> None:
    """The fit of the first proposal is that of the arrays, up to its start."""
    rng = np.random.default_rng(0)
    x = LOWER + WIDTH * rng.uniform(size=(20, 2))
    y = -np.exp(np.sum(6.0 * (x - LOWER) / WIDTH, axis=1)) + 0.1 * rng.standard_normal(20)
    first = Optimizer(BOX, key=KEY, observations=(x, y), **before)
    first.ask()
    asked = [Optimizer(BOX, key=KEY, observations=given, **after) for given in (first.history, (x, y))]
    for one in asked:
        one.ask()
    fitted, expected = (one.progress.state.to_vector() for one in asked)
    np.testing.assert_allclose(fitted, expected, rtol=0.02)
    assert not np.allclose(first.progress.state.to_vector(), expected, rtol=0.1)


def test_asking_again_gives_other_points() -> None:
    for name in ("boke", "gp_ucb_refit", "random_search"):
        asked = optimizer(name)
        for x in asked.ask(5):
            asked.tell(x, hill(x))
        points = asked.ask(4)
        assert points.shape == (4, 2)
        gaps = np.abs(points[:, None] - points[None]) / WIDTH
        assert np.all(gaps.max(axis=2)[~np.eye(4, dtype=bool)] > 1e-6), name
        np.testing.assert_array_equal(asked.pending, points)


def test_a_pending_point_is_shown_with_the_value_expected_there() -> None:
    """The second point of GP-UCB maximises a bound whose deviation counts the first point and whose mean does not."""
    asked = optimizer("gp_ucb")
    for x in asked.ask(6):
        asked.tell(x, hill(x))
    first, second = asked.ask(2)
    method, history = policy("gp_ucb"), asked.history
    real = Observations.of(jnp.asarray((history.x - LOWER) / WIDTH), jnp.asarray(history.y), capacity=32)
    unit = jnp.asarray((first - LOWER) / WIDTH)
    shown = real.append(unit, method.predict((), real, unit))
    key = jax.random.fold_in(jax.random.split(KEY, 3)[2], 7)
    expected, _, _ = method.propose(key, (), shown)
    np.testing.assert_allclose(second, LOWER + np.asarray(expected) * WIDTH, rtol=1e-6)
    alone, _, _ = method.propose(key, (), real)
    assert np.abs((LOWER + np.asarray(alone) * WIDTH - second) / WIDTH).max() > 1e-3


def test_points_may_be_told_in_any_order() -> None:
    asked = optimizer("gp_ucb")
    points = asked.ask(8)
    for index in (3, 0, 7, 1, 2, 6, 4, 5):
        asked.tell(points[index].tolist(), hill(points[index]))
    assert len(asked.pending) == 0
    np.testing.assert_array_equal(asked.history.x, points[[3, 0, 7, 1, 2, 6, 4, 5]])
    np.testing.assert_array_equal(asked.history.y, [hill(x) for x in asked.history.x])
    assert np.all(np.isfinite(asked.ask()))


def test_points_that_were_not_asked_for() -> None:
    asked = optimizer("boke")
    asked.tell([4.0, 101.2], 3.0)
    assert asked.history.best_y == 3.0
    design = optimizer("boke").ask(5)
    np.testing.assert_array_equal(asked.ask(4), design[1:])  # it counts towards the initial design
    np.testing.assert_array_equal(asked.recommended, [4.0, 101.2])


def test_failures_are_told_as_such() -> None:
    for failures in ("skip", "worst"):
        asked = optimizer("gp_ucb", failures=failures)
        for number, x in enumerate(asked.ask(6)):
            if number == 2:
                asked.tell(x, failure="the oven was cold")
            else:
                asked.tell(x, hill(x))
        assert asked.history.failures == {2: "the oven was cold"}
        assert np.isnan(asked.history.y[2])
        assert np.all(np.isfinite(asked.ask()))


def test_a_run_that_only_fails_has_nothing_to_recommend() -> None:
    asked = optimizer("boke")
    for x in asked.ask(7):
        asked.tell(x, failure="no power")
    assert asked.recommended is None
    assert np.all(np.isfinite(asked.ask()))


def test_progress_is_a_snapshot() -> None:
    asked = optimizer("boke")
    for x in asked.ask(6):
        asked.tell(x, hill(x))
    before = asked.progress
    first = asked.ask(2)
    asked.progress = before
    np.testing.assert_array_equal(asked.ask(2), first)


def test_learners_from_single_proposals_take_one_at_a_time() -> None:
    asked = optimizer("uhe_bo")
    for x in asked.ask(5):  # the initial design may be asked for at once
        asked.tell(x, hill(x))
    with pytest.raises(ValueError, match="UheBo learns from one proposal at a time"):
        asked.ask(2)
    assert len(asked.pending) == 0  # also not the first of the two, which nobody has seen
    assert len(asked.ask()) == 1


def test_known_noise_and_contexts() -> None:
    asked = Optimizer(BOX, policy=policy("gp_ucb"), key=KEY)
    for x in asked.ask(6):
        asked.tell(x, hill(x), noise_variance=0.01)
    assert np.all(np.isfinite(asked.ask(3)))
    seen = Optimizer(BOX, policy="random_search", key=KEY, context_bounds=[(0.0, 300.0)])
    x = seen.ask()[0]
    seen.tell(x, hill(x), context=120.0)
    np.testing.assert_array_equal(seen.history.context, [[120.0]])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0.0], 1.0), {}, r"x must be one point of shape \(2,\), got \(1,\)"),
        (([0.0, 99.0], 1.0), {}, "lies outside the bounds"),
        (([0.0, 101.0],), {}, "either the value y or the failure's message"),
        (([0.0, 101.0], 1.0), {"failure": "both"}, "either the value y or the failure's message"),
        (([0.0, 101.0], float("nan")), {}, "not a finite number; where an evaluation failed, give failure="),
        (([0.0, 101.0], 1.0), {"noise_variance": -1.0}, "not a finite number >= 0"),
    ],
)
def test_what_cannot_be_told(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    asked = optimizer("boke")
    with pytest.raises(ValueError, match=message):
        asked.tell(*arguments, **options)
    assert len(asked.history) == 0


def test_noise_variances_for_all_or_none() -> None:
    asked = optimizer("boke")
    asked.tell([0.0, 101.0], 1.0, noise_variance=0.1)
    with pytest.raises(ValueError, match="no noise_variance, but earlier evaluations did"):
        asked.tell([1.0, 101.0], 1.0)


def test_bad_settings() -> None:
    with pytest.raises(ValueError, match="failures must be 'skip' or 'worst'"):
        optimizer("boke", failures="raise")
    with pytest.raises(ValueError, match="n must be an integer of at least 1"):
        optimizer("boke").ask(0)
    with pytest.raises(ValueError, match="failures='worst' needs a run without contexts"):
        Optimizer(BOX, policy="random_search", key=KEY, failures="worst", context_bounds=[(0.0, 1.0)])
