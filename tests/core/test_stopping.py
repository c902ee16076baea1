"""Stopping times and profits by brute force; `optimize` with a threshold."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import History, optimize
from core.checks import check_threshold
from core.policies import SearchEffort, make
from core.stopping import profit, stopping_time

ACQUISITIONS = st.lists(st.floats(0, 2), min_size=1, max_size=12)


@given(acquisition=ACQUISITIONS, kappa=st.floats(0.01, 2.5))
def test_the_first_step_below_the_threshold(acquisition: list[float], kappa: float) -> None:
    below = [step for step, value in enumerate(acquisition) if value < kappa]
    expected = below[0] if below else len(acquisition)
    assert int(stopping_time(jnp.asarray(acquisition), kappa)) == expected


@given(acquisition=ACQUISITIONS, low=st.floats(0.01, 1.0), factor=st.floats(1.0, 5.0))
def test_a_higher_cost_never_stops_later(acquisition: list[float], low: float, factor: float) -> None:
    values = jnp.asarray(acquisition)
    assert int(stopping_time(values, low * factor)) <= int(stopping_time(values, low))


def test_nan_does_not_stop_a_run_and_profit_is_equation_eleven() -> None:
    assert int(stopping_time(jnp.array([jnp.nan, 0.5, 0.1]), 0.3)) == 2
    np.testing.assert_allclose(profit(jnp.array([4.0, 5.0]), 0.5, jnp.array([2, 7])), [3.0, 1.5])


@pytest.mark.parametrize("kappa", [0, -1.0, float("nan"), float("inf"), "much", None])
def test_thresholds_are_checked(kappa: object) -> None:
    with pytest.raises(ValueError, match="stop_below must be a positive finite number, in the unit of y"):
        check_threshold("stop_below", kappa)


BOX = [(-5.0, 10.0), (100.0, 101.5)]
EFFORT = SearchEffort.of(2, raw_candidates=64, starts=2, max_steps=60)
POLICY = make("corrected_ei", 2, effort=EFFORT, fit_starts=1)


def hill(x: np.ndarray) -> float:
    u = (x - np.array([4.0, 101.2])) / np.array([15.0, 1.5])
    return 300.0 - 100.0 * float(u @ u)


def run(**options: object) -> History:
    return optimize(hill, BOX, policy=POLICY, budget=16, key=jax.random.key(3), **options)  # type: ignore[arg-type]


def test_optimize_stops_once_the_expected_gain_is_below_the_cost_and_can_go_on() -> None:
    whole = run()
    stopped = run(stop_below=2.0)
    assert 5 <= len(stopped.y) < 16
    np.testing.assert_array_equal(stopped.x, whole.x[: len(stopped.y)])
    assert stopped.recommended is not None
    assert len(run(stop_below=2.0, observations=stopped).y) == len(stopped.y)  # it stops where it stood
    resumed = run(observations=stopped)  # without a threshold it goes on as if it had never stopped
    np.testing.assert_array_equal(resumed.x, whole.x)
    assert len(run(stop_below=1e9).y) == 5  # after the initial design
    assert len(run(stop_below=1e-300).y) == 16


@pytest.mark.parametrize("name", ["boke", "gp_ucb", "random_search", "pi", "corrected_pi"])
def test_stopping_needs_a_policy_that_expects_a_gain(name: str) -> None:
    with pytest.raises(ValueError, match="stop_below needs a policy that expects a gain"):
        optimize(hill, BOX, policy=name, budget=8, key=jax.random.key(0), stop_below=0.1)
    with pytest.raises(ValueError, match="stop_below must be a positive finite number"):
        run(stop_below=-1.0)
