"""The adversarial searches find known maxima, and report NaN where the objective is NaN."""

import sys
from contextlib import nullcontext
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.internal.cache import LRUCache
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from theory_checks import search
from theory_checks.search import maximise_by_gradient, maximise_by_hypothesis


def test_hypothesis_search_climbs_to_a_rare_maximum():
    def violation(pair):
        return -abs(pair[0] - 7381) - abs(pair[1] + 4412)

    worst = maximise_by_hypothesis(
        st.tuples(st.integers(-10000, 10000), st.integers(-10000, 10000)), violation, examples=2000, seed=1
    )
    assert worst.value == 0
    assert worst.example == (7381, -4412)


def test_hypothesis_search_is_reproducible():
    strategy, examples = st.floats(-1, 1), []
    for _ in range(2):
        examples.append(maximise_by_hypothesis(strategy, lambda x: -abs(x - 0.3), examples=200, seed=5))
    assert examples[0] == examples[1]


def seen_by_a_search(tmp_path, monkeypatch, constant):
    """All numbers that one search tries, in a process that loaded a module of the project with this constant in it."""
    path = tmp_path / f"of_the_project_{constant}.py"
    path.write_text(f"CONSTANTS = ({constant}, {constant}.5)\n")
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, path.stem, module)
    monkeypatch.setattr(providers, "is_local_module_file", lambda file: file == str(path))
    monkeypatch.setattr(providers, "_local_constants", Constants())
    monkeypatch.setattr(providers, "_seen_modules", set())
    monkeypatch.setattr(providers, "_sys_modules_len", None)
    monkeypatch.setattr(providers, "CONSTANTS_CACHE", LRUCache(100))
    seen = []

    def violation(pair):
        seen.append(pair)
        return -abs(pair[0] - 0.3)

    strategy = st.tuples(st.floats(-1e6, 1e6), st.integers(-(10**6), 10**6))
    maximise_by_hypothesis(strategy, violation, examples=300, seed=5)
    return seen


def test_hypothesis_search_does_not_depend_on_what_else_is_loaded(tmp_path, monkeypatch):
    first = seen_by_a_search(tmp_path, monkeypatch, 48271)
    assert first == seen_by_a_search(tmp_path, monkeypatch, 69621)
    with monkeypatch.context() as patch:  # Hypothesis's own generator does depend on it
        patch.setattr(search, "same_in_every_process", nullcontext)
        assert seen_by_a_search(tmp_path, patch, 48271) != seen_by_a_search(tmp_path, patch, 69621)
    assert first == seen_by_a_search(tmp_path, monkeypatch, 48271)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_hypothesis_search_counts_nan_as_the_worst(bad):
    worst = maximise_by_hypothesis(st.integers(0, 20), lambda n: bad if n == 13 else 0.0, examples=300, seed=2)
    assert worst.value == np.inf
    assert worst.example == 13


def test_hypothesis_search_lets_errors_through():
    def broken(n):
        raise ArithmeticError("no")

    with pytest.raises(ArithmeticError, match="no"):
        maximise_by_hypothesis(st.integers(), broken, examples=5, seed=0)


def test_gradient_search_finds_the_best_of_many_maxima():
    def violation(x):  # rugged, maximum 0 at (0.3, 2.5)
        z = x - jnp.array([0.3, 2.5])
        return -jnp.sum(z**2) - 0.2 * jnp.sum(1.0 - jnp.cos(12.0 * z))

    worst = maximise_by_gradient(violation, jax.random.key(0), [-2.0, 0.0], [2.0, 5.0], starts=64, steps=300)
    assert worst.value > -1e-4
    np.testing.assert_allclose(worst.example, [0.3, 2.5], atol=1e-2)


def test_gradient_search_reaches_corners_and_stays_in_the_box():
    low, high = np.array([-1.0, 3.0]), np.array([2.0, 4.0])
    worst = maximise_by_gradient(lambda x: x[0] - x[1], jax.random.key(1), low, high)
    assert worst.value == pytest.approx(-1.0)
    np.testing.assert_allclose(worst.example, [2.0, 3.0])


def test_gradient_search_survives_nan_gradients_and_reports_nan():
    smooth = maximise_by_gradient(lambda x: -jnp.sqrt(jnp.abs(x[0])), jax.random.key(2), [-1.0], [1.0])
    assert smooth.value > -0.1
    bad = maximise_by_gradient(lambda x: jnp.where(x[0] > 0.5, jnp.nan, x[0]), jax.random.key(3), [0.0], [1.0])
    assert bad.value == np.inf
    assert bad.example[0] > 0.5


def test_gradient_search_refuses_a_box_that_is_none():
    with pytest.raises(ValueError, match="lower < upper"):
        maximise_by_gradient(lambda x: x[0], jax.random.key(0), [1.0], [0.0])
