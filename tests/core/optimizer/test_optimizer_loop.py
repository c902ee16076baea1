"""`optimize` of any Python function in its own units; runs resume exactly, and bad input and failures lose nothing."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core import Evaluation, EvaluationError, History, Interrupted, Optimizer, optimize
from core.designs import initial_design
from core.policies import REGISTRY, contextual, make
from core.policies.finite import Ucb1
from tests.core.optimizer.hills import BOX, KEY, LOWER, WIDTH, hill, policy

SIBLINGS = (
    *("ei", "pi", "corrected_pi", "noisy_ei", "qnei"),  # of "corrected_ei"
    *("boke_plus", "gp_exploration"),  # of "boke" and "density_exploration", without a state
    *("gp_ucb_map", "wang_de_freitas"),  # of "gp_ucb_refit"
    *("ra_bo", "random_exp3"),  # of "uhe_bo"
)
"""Policies that differ by a formula only: the loop sees the same state, the same shapes and the same arguments."""
BOX_POLICIES = [name for name in REGISTRY if name not in SIBLINGS and not contextual(name)]


def run(name: str = "boke", budget: int = 12, f: Any = hill, **options: Any) -> History:
    return optimize(f, BOX, policy=policy(name), budget=budget, key=KEY, **options)


def same(first: History, second: History) -> None:
    np.testing.assert_array_equal(first.x, second.x)
    np.testing.assert_array_equal(first.y, second.y)
    np.testing.assert_array_equal(first.recommended, second.recommended)
    assert first.failures == second.failures
    jax.tree.map(np.testing.assert_array_equal, first.state, second.state)


@pytest.mark.parametrize("name", BOX_POLICIES)
def test_history_in_the_units_of_the_function(name: str) -> None:
    history = run(name)
    assert history.x.shape == (12, 2)
    assert np.all((history.x >= LOWER) & (history.x <= LOWER + WIDTH))
    np.testing.assert_array_equal(history.y, [hill(x) for x in history.x])
    assert history.best_y == history.y.max()
    np.testing.assert_array_equal(history.best_x, history.x[history.y.argmax()])
    assert history.recommended is not None
    nearest = np.abs((history.x - history.recommended) / WIDTH).max(axis=1)
    assert nearest.min() < 1e-12  # an observed point
    design = np.asarray(initial_design(jax.random.split(KEY, 3)[0], 5, 2))
    np.testing.assert_allclose(history.x[:5], LOWER + design * WIDTH, rtol=1e-14)


@pytest.mark.parametrize("name", ["boke", "boke_plus", "gp_ucb", "gp_ucb_refit", "kr_ucb"])
def test_finds_a_hill_better_than_random_search_does(name: str) -> None:
    """KR-UCB with a wide bandwidth: a new point lies within half a bandwidth of an old one, too near for 25 steps."""
    method = policy(name)
    if name == "kr_ucb":
        method = make(name, 2, effort=method.effort, rule="scott", bandwidth=1.0)
    random = np.median(
        [optimize(hill, BOX, policy="random_search", budget=25, key=jax.random.key(s)).best_y for s in range(9)]
    )
    ours = np.median([optimize(hill, BOX, policy=method, budget=25, key=jax.random.key(s)).best_y for s in range(5)])
    assert ours > random


@pytest.mark.parametrize("name", BOX_POLICIES)
def test_resuming_is_as_if_it_had_never_stopped(name: str) -> None:
    direct = run(name, 14)
    for stop in (5, 9):
        same(run(name, 14, observations=run(name, stop)), direct)
    same(run(name, 14, observations=direct), direct)  # nothing left to do


def test_resuming_across_a_growth_of_the_capacity() -> None:
    direct = run("random_search", 70)
    same(run("random_search", 70, observations=run("random_search", 31)), direct)
    direct = run("boke", 34)
    same(run("boke", 34, observations=run("boke", 32)), direct)


def test_resuming_after_a_failure_is_exact_too() -> None:
    for name in ("boke", "gp_ucb_refit"):
        for fatal in (2, 5, 8):
            calls = []

            def breaks(x: np.ndarray, calls: list = calls, fatal: int = fatal) -> float:
                calls.append(x)
                if len(calls) == fatal + 1:
                    raise RuntimeError("the machine is down")
                return hill(x)

            with pytest.raises(
                EvaluationError, match=f"evaluation {fatal} at x = .*RuntimeError: the machine is down"
            ) as error:
                run(name, 12, breaks)
            kept = error.value.history
            assert len(kept.y) == fatal
            np.testing.assert_array_equal(kept.y, [hill(x) for x in kept.x])
            same(run(name, 12, observations=kept), run(name, 12))


def test_another_policy_can_take_over() -> None:
    started = run("random_search", 8)
    for name in ("gp_ucb_refit", "boke"):
        history = run(name, 10, observations=started)
        np.testing.assert_array_equal(history.x[:8], started.x)
        back = run("random_search", 12, observations=history)
        np.testing.assert_array_equal(back.x[:10], history.x)
        again = run("gp_ucb_refit", 13, observations=back)
        assert len(again.y) == 13


def test_from_arrays() -> None:
    rng = np.random.default_rng(0)
    x = LOWER + rng.uniform(size=(6, 2)) * WIDTH
    y = np.array([hill(row) for row in x])
    history = run("boke", 9, observations=(x, y))
    np.testing.assert_array_equal(history.x[:6], x)
    assert len(history.y) == 9
    same(run("boke", 9, observations=(x.tolist(), y.tolist())), history)
    # Fewer than the initial design: the design goes on.
    few = run("boke", 7, observations=(x[:2], y[:2]))
    design = np.asarray(initial_design(jax.random.split(KEY, 3)[0], 5, 2))
    np.testing.assert_allclose(few.x[2:5], (LOWER + design * WIDTH)[2:5], rtol=1e-14)


def test_from_its_own_arrays_a_run_on_every_face_of_the_box() -> None:
    # Maxima on the faces: what optimize evaluated, it must accept back, also where lower + (upper - lower) rounds up.
    rng = np.random.default_rng(5)
    for _ in range(3):
        lower = rng.normal(size=2)
        box = np.stack([lower, lower + rng.uniform(1e-3, 3.0, 2)], axis=1)
        first = optimize(lambda x: float(x.sum()), box, policy=policy("gp_ucb"), budget=10, key=KEY)
        assert np.all((first.x >= box[:, 0]) & (first.x <= box[:, 1]))
        again = optimize(
            lambda x: float(x.sum()), box, policy=policy("gp_ucb"), budget=11, key=KEY, observations=(first.x, first.y)
        )
        assert len(again.y) == 11


def test_one_observation_is_enough() -> None:
    for name in BOX_POLICIES:
        assert len(run(name, 3, initial_size=1).y) == 3
        assert len(run(name, 3, observations=([[0.0, 101.0]], [1.0]), initial_size=1).y) == 3


@pytest.mark.parametrize("scale", [0.0, 1e-12, 1e12])
def test_constant_and_extreme_values(scale: float) -> None:
    for name in ("boke", "gp_ucb", "gp_ucb_refit", "kr_ucb"):
        history = run(name, 9, lambda x: scale * hill(x))
        assert np.all(np.isfinite(history.x))
        assert np.all((history.x >= LOWER) & (history.x <= LOWER + WIDTH))


# --- failed evaluations ------------------------------------------------------------


def flaky(x: np.ndarray) -> float:
    if x[0] > 6.0:
        raise OSError("no simulator beyond six")
    return float("nan") if x[0] < -3.0 else hill(x)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_values_that_are_not_finite_are_named(value: float) -> None:
    with pytest.raises(EvaluationError, match=rf"evaluation 0 at x = \[.*\] returned {value}, which is not") as error:
        run("boke", 8, lambda x: value)
    assert len(error.value.history.y) == 0
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize("mode", ["skip", "worst"])
def test_failures_are_recorded_and_the_run_goes_on(mode: str) -> None:
    for name in ("boke", "gp_ucb_refit"):
        history = run(name, 14, flaky, on_failure=mode)
        assert len(history.y) == 14
        failed = np.flatnonzero(np.isnan(history.y))
        assert failed.size
        assert sorted(history.failures) == failed.tolist()
        for index in failed:
            x = history.x[index, 0]
            message = "raised OSError: no simulator" if x > 6.0 else "returned nan"
            assert message in history.failures[int(index)]
        assert np.isfinite(history.best_y)
        assert history.recommended is not None
        same(run(name, 14, flaky, on_failure=mode, observations=run(name, 9, flaky, on_failure=mode)), history)


def test_worst_keeps_the_policy_away_from_where_it_fails() -> None:
    # Half of the box fails, and the values rise towards it.
    def cliff(x: np.ndarray) -> float:
        if x[0] > 2.5:
            raise ValueError("over the cliff")
        return float(x[0])

    failures = [len(run("gp_ucb", 25, cliff, on_failure=mode).failures) for mode in ("worst", "skip")]
    assert failures[0] < failures[1]


@pytest.mark.parametrize("mode", ["skip", "worst"])
def test_everything_may_fail(mode: str) -> None:
    history = run("boke", 9, lambda x: float("nan"), on_failure=mode)
    assert np.isnan(history.y).all()
    assert history.recommended is None
    assert len(history.failures) == 9
    with pytest.raises(ValueError, match="no evaluation has succeeded"):
        _ = history.best_y
    with pytest.raises(ValueError, match="no evaluation has succeeded"):
        _ = history.best_x
    assert len(run("boke", 11, observations=history, on_failure=mode).y) == 11


def test_the_function_cannot_change_the_history() -> None:
    def vandal(x: np.ndarray) -> float:
        value = hill(x)
        x[:] = 1e9
        return value

    same(run("boke", 7, vandal), run("boke", 7))


def test_other_numbers_than_floats() -> None:
    for kind in (np.float32, int, jnp.asarray, lambda v: np.asarray(v)[()]):
        assert len(run("random_search", 6, lambda x, kind=kind: kind(round(hill(x), 1))).y) == 6
    history = run("random_search", 6, lambda x: Fraction(1, 3))
    assert history.y.tolist() == [float(Fraction(1, 3))] * 6


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "returned NoneType None, which is not a number"),
        ({"loss": 1.0}, "returned dict {'loss': 1.0}, which is not a number"),
        (b"1.0", "returned bytes b'1.0', which is not a number"),
        (np.array(["1.0"]), "returned ndarray array(['1.0'], dtype='<U3'), which is not a number"),
        (1j, "returned complex 1j, which is not a number"),
        (np.complex64(2.0), "which is not a number"),
        (np.timedelta64(3, "ns"), "which is not a number"),
        ([1.0, 2.0], "returned list [1.0, 2.0], which is not a number"),
        ((1.0, 2.0), "returned tuple (1.0, 2.0), which is not a number: a pair (value, context) needs context_bounds"),
        (Evaluation(1.0, context=2.0), "returned a context, which needs context_bounds"),
        (Evaluation(1.0, "0.1"), "returned the noise_variance str '0.1', which is not a number"),
    ],
)
def test_what_is_no_number_is_said_to_be_returned(value: Any, words: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        run("random_search", 6, lambda x: value)
    assert str(caught.value).endswith(words)
    assert caught.value.__cause__ is None


def test_an_error_of_the_objective_is_the_cause() -> None:
    """Also of an error of a worker; the note says how to go on."""
    original = OSError("no simulator")

    def fails(x: np.ndarray) -> float:
        raise original

    with ThreadPoolExecutor(1) as pool:
        for workers in (1, pool):
            with pytest.raises(EvaluationError, match="raised OSError: no simulator") as caught:
                run("random_search", 6, fails, workers=workers)
            assert caught.value.__cause__ is original
            assert caught.value.__notes__ == [
                "0 evaluations are kept: error.history, to be handed back as observations="
            ]


def test_a_summary_without_a_success_says_why() -> None:
    optimizer = Optimizer(BOX, policy="random_search", key=KEY)
    for message in ("no crystals", "no power"):
        optimizer.tell(optimizer.ask()[0], failure=message)
    assert optimizer.history.summary().endswith("none has succeeded: nothing to use; the first failure: no crystals")


def test_records_can_be_compared() -> None:
    """By identity: equality of arrays is no truth value."""
    one, other = (Optimizer(BOX, policy="random_search", key=KEY) for _ in range(2))
    for optimizer in (one, other):
        optimizer.tell(optimizer.ask(2)[0], 1.0)
    assert one.progress == one.progress != other.progress
    assert one.progress.history == one.progress.history != other.progress.history


# --- bad input ------------------------------------------------------------


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ([(1.0, 0.0)], r"bounds\[0\] must have lower < upper, got \[1.0, 0.0\]"),
        ([(0.0, 1.0), (2.0, 2.0)], r"bounds\[1\] must have lower < upper"),
        ([(0.0, np.inf)], "bounds must be finite"),
        ([(np.nan, 1.0)], "bounds must be finite"),
        ([(-1.7e308, 1.7e308)], r"bounds\[0\] is wider than a double can hold"),
        ([0.0, 1.0], r"bounds must be d pairs \(lower, upper\), got shape \(2,\)"),
        ([(0.0, 1.0, 2.0)], r"bounds must be d pairs"),
        (np.zeros((0, 2)), r"bounds must be d pairs"),
        ([], r"bounds must be d pairs"),
    ],
)
def test_bounds(bounds: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        optimize(hill, bounds, budget=8, key=KEY)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 0}, "budget must be an integer of at least 1, got 0"),
        ({"budget": 8, "initial_size": 0}, "initial_size must be an integer of at least 1, got 0"),
        ({"budget": 8, "on_failure": "ignore"}, "on_failure must be 'raise', 'skip' or 'worst', got 'ignore'"),
        ({"budget": 8, "policy": "ucb1"}, "'ucb1' works on a finite set"),
        ({"budget": 8, "policy": make("random_search", 3)}, "policy works in dimension 3, bounds have 2"),
        ({"budget": 2, "observations": ([[0, 101]] * 6, [1.0] * 6)}, "budget 2 is below the 6 observations given"),
        (
            {"budget": 8, "observations": ([[0, 101, 3]], [1.0])},
            r"x of shape \(t, 2\) and y of shape \(t,\), got \(1, 3\)",
        ),
        ({"budget": 8, "observations": ([[0, 101]], [1.0, 2.0])}, r"got \(1, 2\) and \(2,\)"),
        ({"budget": 8, "observations": ([0, 101], [1.0, 2.0])}, r"got \(2,\) and \(2,\)"),
        ({"budget": 8, "observations": ([[0, 101], [np.nan, 101]], [1.0, 2.0])}, r"x is not finite in rows \[1\]"),
        ({"budget": 8, "observations": ([[0, 101], [1, 101]], [np.inf, 2.0])}, r"y is not finite in rows \[0\]"),
        ({"budget": 8, "observations": History(np.zeros((0, 2)), np.zeros(0), np.zeros((2, 2)))}, "with other bounds"),
    ],
)
def test_arguments(options: dict[str, Any], message: str) -> None:
    arguments = {"policy": "random_search", "key": KEY, **options}
    with pytest.raises(ValueError, match=message):
        optimize(hill, BOX, **arguments)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 8.0}, "budget must be an integer"),
        ({"key": 0.5}, "key must be an integer from 0 to"),
        ({"key": jax.random.split(KEY, 2)}, "key must be an integer from 0 to"),
        ({"key": jax.random.PRNGKey(0)}, "key must be an integer from 0 to"),
        ({"observations": (1, 2, 3, 4)}, r"observations must be a History or a pair of arrays"),
    ],
)
def test_arguments_of_the_wrong_kind(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        optimize(hill, BOX, **{"policy": "random_search", "key": KEY, "budget": 8, **options})


def test_an_unknown_policy_lists_near_names() -> None:
    with pytest.raises(KeyError, match="unknown policy 'gp_ubc'; did you mean 'gp_ucb'"):
        optimize(hill, BOX, policy="gp_ubc", budget=8, key=KEY)


def test_ctrl_c_in_the_objective_keeps_the_history() -> None:
    """Interrupted is a KeyboardInterrupt; its history continues as if nothing had happened."""
    calls = []

    def impatient(x: np.ndarray) -> float:
        calls.append(x)
        if len(calls) == 8:
            raise KeyboardInterrupt
        return hill(x)

    options = {"policy": policy("boke"), "budget": 10, "initial_size": 5, "key": KEY}
    with pytest.raises(KeyboardInterrupt, match="evaluation 7") as caught:
        optimize(impatient, BOX, **options)
    assert isinstance(caught.value, Interrupted)
    so_far = caught.value.history
    assert len(so_far.y) == 7
    whole = optimize(hill, BOX, **options)
    np.testing.assert_array_equal(optimize(hill, BOX, observations=so_far, **options).x, whole.x)


def test_a_finite_policy_evaluates_arms_only() -> None:
    """The initial design, too, is made of arms: the nearest ones; and every arm is tried once before one is again."""
    arms = np.array([[0.1, 0.2], [0.8, 0.3], [0.4, 0.9]])
    history = optimize(hill, BOX, policy=Ucb1(jnp.asarray(arms)), budget=9, initial_size=4, key=KEY)
    unit = (history.x - LOWER) / WIDTH
    assert np.abs(unit[:, None, :] - arms[None]).max(axis=2).min(axis=1).max() < 1e-12
    pulled = np.abs(unit[:, None, :] - arms[None]).max(axis=2).argmin(axis=1)
    untried = 3 - len(set(pulled[:4].tolist()))
    assert set(pulled[: 4 + untried].tolist()) == {0, 1, 2}
