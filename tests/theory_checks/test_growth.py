"""Growth of a mean regret, against regrets whose growth is known."""

import numpy as np
import pytest

from theory_checks.growth import FACTORS, frozen, linear, looked_at, mean_growth, slows
from theory_checks.yardstick import REACH, informative_from, says_nothing


def powers(exponents: np.ndarray, horizon: int = 4096) -> np.ndarray:
    """R_t = t^a, one run an exponent."""
    return np.arange(1.0, horizon + 1) ** exponents[:, None]


def test_a_power_law_has_its_exponent_everywhere_and_no_trend():
    row = mean_growth(looked_at(powers(np.full(5, 0.6))), 4096, 0.01)
    for name in ("first", "middle", "last", "projected", "marginal"):
        assert row[name]["estimate"] == pytest.approx(0.6)
    assert row["trend"]["estimate"] == pytest.approx(0.0)
    assert row["decline"]["estimate"] == pytest.approx(-0.4 * np.log(4))
    assert row["average"]["2048"] == pytest.approx(2048**-0.4)
    assert slows(row)
    assert not linear(row)


def test_half_of_linear_runs_make_the_mean_linear_where_the_mean_of_exponents_is_three_quarters():
    regret = powers(np.tile([1.0, 0.5], 50))
    row = mean_growth(looked_at(regret), 4096, 0.01)
    assert row["last"]["estimate"] > 0.95
    assert linear(row)
    assert not slows(row)


@pytest.mark.parametrize(("exponent", "is_linear", "is_slow"), [(1.0, True, False), (0.9, False, True)])
def test_decisions_under_noise(exponent, is_linear, is_slow):
    rng = np.random.default_rng(0)
    regret = powers(np.full(100, exponent)) * rng.uniform(0.5, 1.5, (100, 1))
    row = mean_growth(looked_at(regret), 4096, 1e-4)
    assert linear(row) == is_linear
    assert slows(row) == is_slow


def test_the_near_control_is_linear_although_half_of_its_runs_are_perfect():
    at = frozen(looked_at(powers(np.full(20, 0.5))))
    assert np.array_equal(at[1], np.repeat(at[1, 0], 4))
    assert np.allclose(at[0], at[0, 0] * FACTORS)
    assert linear(mean_growth(at, 4096, 1e-4))


def test_a_horizon_that_eight_does_not_divide_is_refused():
    with pytest.raises(ValueError, match="multiple of eight"):
        looked_at(np.ones((2, 12)))


def test_the_yardstick_on_bounds_with_known_crossings():
    assert informative_from(lambda t: 100 * t**0.5, lambda t: t) == 2.0**14  # equal at 10^4
    assert not says_nothing(lambda t: 100 * t**0.5, lambda t: t)
    assert says_nothing(lambda t: 2 * REACH**0.5 * t**0.5, lambda t: t)
    assert informative_from(lambda t: 2 * t, lambda t: t) == np.inf
