"""Worst cases in total variation: closed form, dual C (5) and a linear programme agree; gradients; edges."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from core.worst_case.total_variation import (
    tv_dual,
    tv_dual_objective,
    tv_worst_case,
    tv_worst_case_by_bisection,
    tv_worst_distribution,
)
from tests.core.helpers import gradient

CLOSED = jax.jit(tv_worst_case)
BISECTION = jax.jit(tv_worst_case_by_bisection)
DUAL = jax.jit(tv_dual)
DUAL_OBJECTIVE = jax.jit(tv_dual_objective)
DISTRIBUTION = jax.jit(tv_worst_distribution)
FORMS = {tv_worst_case: CLOSED, tv_worst_case_by_bisection: BISECTION}
SIZE = 6
SLACK = 1e-9

finite = st.floats(-3.0, 3.0, allow_nan=False, width=32)
few = st.sampled_from([-1.0, 0.0, 0.5, 2.0])  # ties
radii = st.one_of(st.floats(0.0, 2.6), st.sampled_from([0.0, 1e-12, 1 / 3, 2 / 3, 1.0, 1.999999, 2.0, 2.5, 50.0]))


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, float, np.ndarray, float]:
    """Values, radius, probabilities (some zero, some equal) and an infimum that may lie below all values or not."""
    values = np.array(draw(st.lists(st.one_of(finite, few), min_size=SIZE, max_size=SIZE)))
    raw = np.array(draw(st.lists(st.sampled_from([0.0, 1.0, 1.0, 2.5, 7.0]), min_size=SIZE, max_size=SIZE)))
    raw = raw if raw.sum() > 0 else np.ones(SIZE)
    return values, draw(radii), raw / raw.sum(), draw(st.floats(-5.0, 3.0, width=32))


def linear_programme(values: np.ndarray, radius: float, p: np.ndarray, infimum: float | None) -> float:
    """min E_q u over q >= 0 on the sample (and one context more, of value ``infimum``), |q - p|_1 <= radius."""
    support = p > 0
    u, p = values[support], p[support]
    if infimum is not None:
        u, p = np.append(u, infimum), np.append(p, 0.0)
    n = len(u)
    identity, one = np.eye(n), np.ones(n)
    # q - t <= p, -q - t <= -p, sum t <= radius
    inequalities = np.block([[identity, -identity], [-identity, -identity], [np.zeros((1, n)), one[None]]])
    found = linprog(
        np.append(u, np.zeros(n)),
        A_ub=inequalities,
        b_ub=np.concatenate([p, -p, [radius]]),
        A_eq=np.append(one, np.zeros(n))[None],
        b_eq=[1.0],
        bounds=(0.0, None),
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert found.status == 0, found.message
    return float(found.fun)


@settings(max_examples=300)
@given(problems())
def test_closed_form_dual_and_linear_programme_agree(problem: tuple[np.ndarray, float, np.ndarray, float]) -> None:
    values, radius, p, infimum = problem
    for lowest in (None, infimum):
        arguments = (jnp.asarray(values), jnp.asarray(radius), jnp.asarray(p))
        given_infimum = values[p > 0].min() if lowest is None else min(lowest, values[p > 0].min())
        closed = float(CLOSED(*arguments, jnp.asarray(given_infimum)))
        dual, alpha, beta = DUAL(*arguments, jnp.asarray(given_infimum))
        expected = linear_programme(values, radius, p, lowest)
        assert closed == pytest.approx(expected, abs=SLACK)
        # The same among many contexts of weight zero, where values are sorted, not compared in pairs.
        many = np.random.default_rng(0).permutation(200)[:SIZE]
        wide, sparse = np.linspace(-9.0, 9.0, 200), np.zeros(200)
        wide[many], sparse[many] = values, p
        padded = float(CLOSED(jnp.asarray(wide), jnp.asarray(radius), jnp.asarray(sparse), jnp.asarray(given_infimum)))
        assert padded == pytest.approx(closed, abs=1e-12)
        assert float(BISECTION(*arguments, jnp.asarray(given_infimum))) == pytest.approx(closed, abs=1e-12)
        assert float(dual) == pytest.approx(expected, abs=SLACK)
        assert float(alpha) >= 0.0
        assert float(alpha + beta) >= -given_infimum - SLACK
        assert float(DUAL_OBJECTIVE(alpha, beta, *arguments)) == pytest.approx(float(dual), abs=SLACK)


@settings(max_examples=100)
@given(problems(), st.floats(0.0, 4.0), st.floats(-6.0, 6.0))
def test_no_feasible_dual_point_is_above_the_closed_form(
    problem: tuple[np.ndarray, float, np.ndarray, float], alpha: float, excess: float
) -> None:
    values, radius, p, _ = problem
    arguments = (jnp.asarray(values), jnp.asarray(radius), jnp.asarray(p))
    lowest = values[p > 0].min()
    beta = abs(excess) - lowest - alpha
    objective = float(DUAL_OBJECTIVE(jnp.asarray(alpha), jnp.asarray(beta), *arguments))
    assert objective <= float(CLOSED(*arguments, jnp.asarray(lowest))) + SLACK


@settings(max_examples=100)
@given(problems())
def test_the_worst_distribution_is_one_in_the_ball_and_attains_the_value(
    problem: tuple[np.ndarray, float, np.ndarray, float],
) -> None:
    values, radius, p, _ = problem
    left, mass = (np.asarray(part) for part in DISTRIBUTION(jnp.asarray(values), radius, jnp.asarray(p)))
    q = left.copy()
    q[np.flatnonzero(p > 0)[values[p > 0].argmin()]] += mass
    assert np.all(left >= 0)
    assert q.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.abs(q - p).sum() <= radius + 1e-12
    value = float(CLOSED(jnp.asarray(values), radius, jnp.asarray(p)))
    assert q @ values == pytest.approx(value, abs=1e-12)


def test_edges() -> None:
    u = jnp.asarray([0.3, -1.2, 4.0, 0.3, 2.0])
    mean, low = float(jnp.mean(u)), -1.2
    for function in FORMS.values():
        assert float(function(u, 0.0)) == pytest.approx(mean, abs=1e-15)
        for radius in (2.0, 2.5, 1e9, jnp.inf):
            assert float(function(u, radius)) == pytest.approx(low, abs=1e-15)
            assert float(function(u, radius, infimum=jnp.asarray(-7.0))) == pytest.approx(-7.0, abs=1e-15)
        # An infimum above the smallest value of the sample is not one.
        assert float(function(u, 0.7, infimum=jnp.asarray(9.0))) == float(function(u, 0.7))
        assert float(function(jnp.full(4, 2.5), 0.7)) == pytest.approx(2.5, abs=1e-15)
        assert float(function(jnp.zeros(4), 0.7)) == 0.0
        assert float(function(jnp.asarray([3.0]), 0.7)) == pytest.approx(3.0, abs=1e-15)
        assert bool(jnp.isnan(function(u.at[1].set(jnp.nan), 0.3)))
        # By hand: a fifth of the mass leaves the value 4 for the value -1.2.
        assert float(function(u, 0.4)) == pytest.approx(mean - 0.2 * (4.0 + 1.2), abs=1e-14)


def test_the_sample_and_the_whole_context_set_differ_by_the_mass_moved() -> None:
    u = jnp.asarray(np.random.default_rng(0).normal(size=40))
    gap = float(jnp.min(u)) + 4.0
    for radius in (0.0, 0.3, 1.0):
        on_sample, everywhere = CLOSED(u, radius), CLOSED(u, radius, infimum=jnp.asarray(-4.0))
        assert float(on_sample - everywhere) == pytest.approx(0.5 * radius * gap, abs=1e-12)


@functools.cache
def both_slopes() -> list[Callable]:
    """The slopes in the values and in the infimum."""
    return [jax.jit(jax.grad(function, argnums=(0, 3))) for function in FORMS]


@functools.cache
def slopes_on_the_sample() -> list[Callable]:
    """The slopes in the values, without an infimum."""
    return [jax.jit(jax.grad(function)) for function in FORMS]


@pytest.mark.parametrize("radius", [0.0, 0.23, 0.9, 1.7, 2.0, 3.0])
def test_gradients_away_from_ties_are_finite_differences(radius: float) -> None:
    u = np.random.default_rng(3).normal(size=7)
    infimum = u.min() - 0.4

    def of(extended: np.ndarray) -> float:
        return float(CLOSED(jnp.asarray(extended[:-1]), radius, jnp.full(7, 1 / 7), jnp.asarray(extended[-1])))

    expected = gradient(of, np.append(u, infimum))
    for slopes in both_slopes():
        found = slopes(jnp.asarray(u), radius, jnp.full(7, 1 / 7), jnp.asarray(infimum))
        np.testing.assert_allclose(np.append(*found), expected, atol=1e-8)


@pytest.mark.parametrize("radius", [0.0, 0.4, 1.0, 2.0])
def test_gradients_at_ties_are_supergradients(radius: float) -> None:
    rng = np.random.default_rng(4)
    tied = np.array([1.0, 1.0, 0.2, 1.0, 0.2, 0.2])
    value = float(CLOSED(jnp.asarray(tied), radius))
    for slopes in slopes_on_the_sample():
        slope = np.asarray(slopes(jnp.asarray(tied), radius))
        assert np.isfinite(slope).all()
        assert slope.sum() == pytest.approx(1.0, abs=1e-12)
        for _ in range(30):
            other = tied + rng.normal(size=6) * rng.choice([1e-3, 1.0])
            assert float(CLOSED(jnp.asarray(other), radius)) <= value + slope @ (other - tied) + 1e-12


def test_vmap_equals_a_loop() -> None:
    batch = jnp.asarray(np.random.default_rng(5).normal(size=(9, 30)).round(1))
    for function, compiled in FORMS.items():
        together = jax.jit(jax.vmap(function, in_axes=(0, None)))(batch, 0.37)
        np.testing.assert_allclose(together, [compiled(u, 0.37) for u in batch], atol=1e-14)
