"""Problems with a random context: formulas, distributions, expectations and optima against independent computations."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import integrate, optimize, stats

from core.types import ContextObjective
from experiments.problems.contexts import formulas as formulas
from experiments.problems.contexts.distributions import Burr, Complicated, Normal, Uniform
from experiments.problems.contexts.problem import ContextProblem, quadrature
from experiments.problems.contexts.registry import NAMES, NEEDS_DATA, get_context
from tests.core.helpers import OPTIMISED

OPEN = tuple(name for name in NAMES if name not in NEEDS_DATA)
LAWS = {"uniform": Uniform(), "normal": Normal(0.4, 0.3), "burr": Burr(), "complicated": Complicated()}


def before_clipping(name, c):
    """Distribution functions by scipy."""
    if name == "complicated":
        parts = [(0.1, 0.02), (0.3, 0.075), (0.4, 0.1), (0.5, 0.1), (0.7, 0.075), (0.8, 0.03)]
        tails = [(0.2, 0.02), (0.8, 0.02)]
        return sum([*(stats.norm.cdf(c, *p) for p in parts), *(stats.cauchy.cdf(c, *p) for p in tails)]) / 8.0
    laws = {"uniform": stats.uniform(), "normal": stats.norm(0.4, 0.3), "burr": stats.burr12(2, 20)}
    return laws[name].cdf(c)


@pytest.mark.parametrize("name", LAWS)
def test_quantile_inverts_the_distribution_function(name):
    u = np.linspace(0.001, 0.999, 333)
    c = LAWS[name].quantile(u)
    assert np.all((c >= 0.0) & (c <= 1.0) & (np.diff(c, prepend=0.0) >= 0.0))
    inside = (c > 0.0) & (c < 1.0)
    np.testing.assert_allclose(before_clipping(name, c[inside]), u[inside], atol=1e-9)
    assert np.all(before_clipping(name, 0.0) >= u[c == 0.0])
    assert np.all(before_clipping(name, 1.0) <= u[c == 1.0] + 1e-12)


@pytest.mark.parametrize("name", LAWS)
def test_draws_follow_the_distribution(name):
    """Kolmogorov-Smirnov inside the interval, exact atoms at its ends, level 1e-4; coordinates independent."""
    keys = jax.random.split(jax.random.key(5), 4000)
    drawn = np.asarray(jax.jit(jax.vmap(lambda key: LAWS[name].sample(key, 2)))(keys))
    assert np.all((drawn >= 0.0) & (drawn <= 1.0))
    values = drawn[:, 0]
    low, high = (float(before_clipping(name, end)) for end in (0.0, 1.0))
    assert stats.binomtest(int(np.sum(values == 0.0)), len(values), low).pvalue > 1e-4
    assert stats.binomtest(int(np.sum(values == 1.0)), len(values), max(1.0 - high, 0.0)).pvalue > 1e-4
    inside = values[(values > 0.0) & (values < 1.0)]
    assert stats.kstest(inside, lambda c: (before_clipping(name, c) - low) / (high - low)).pvalue > 1e-4
    assert stats.spearmanr(drawn[:, 0], drawn[:, 1]).pvalue > 1e-4


def ackley_by_hand(z):
    z = 65.536 * np.asarray(z) - 32.768
    first = -20.0 * math.exp(-0.2 * math.sqrt(np.mean(z**2)))
    return -(first - math.exp(np.mean(np.cos(2 * np.pi * z))) + 20.0 + math.e)


def test_formulas_at_known_points():
    half = jnp.full(2, 0.5)
    assert float(formulas.ackley(half, jnp.full(4, 0.5))) == pytest.approx(0.0, abs=1e-12)
    point = np.array([0.3, 0.8, 0.41])
    assert float(formulas.ackley(jnp.asarray(point[:2]), jnp.asarray(point[2:]))) == pytest.approx(
        ackley_by_hand(point), rel=1e-12
    )
    standard = jnp.asarray([0.20169, 0.150011, 0.476874, 0.275332, 0.311652])
    assert float(formulas.hartmann6(standard, jnp.asarray([0.6573]))) == pytest.approx(3.32237, abs=1e-4)
    apart = float(formulas.printed_hartmann6(standard, jnp.asarray([0.9]))) - float(
        formulas.hartmann6(standard, jnp.asarray([0.9]))
    )
    row = (
        np.array([0.05, 10, 17, 0.1, 8, 14])
        @ (np.array([*np.asarray(standard), 0.9]) - np.array([0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991])) ** 2
    )
    assert apart == pytest.approx(0.8 * math.exp(-row), rel=1e-9)
    # both factors at Branin's minimum 0.397887, at (pi, 2.275) and at (-pi, 12.275)
    x = jnp.asarray([(math.pi + 5) / 15, 12.275 / 15])
    c = jnp.asarray([2.275 / 15, (5 - math.pi) / 15])
    assert float(formulas.branin(x, c)) == pytest.approx(-0.397887, abs=1e-5)
    assert float(formulas.newsvendor(jnp.asarray([0.6]), jnp.asarray([0.2]))) == pytest.approx(1.8 + 0.4 - 3.0)
    assert float(formulas.newsvendor(jnp.asarray([0.2]), jnp.asarray([0.6]))) == pytest.approx(0.8)


@functools.partial(jax.jit, **OPTIMISED)
def _values(problem, points):
    """Thousands of expectations, one after the other: they run for longer than they compile."""
    return jax.lax.map(problem.value, points)


def value(problem, x):
    """The value at one point."""
    return float(_values(problem, jnp.asarray(x)[None])[0])


def test_newsvendor_is_solved_by_the_critical_fractile():
    """x* is the (9 - 5) / (9 - 1) quantile of the demand; the expectation by adaptive quadrature."""
    problem = get_context("newsvendor")
    assert float(problem.optimizer[0]) == pytest.approx(stats.burr12(2, 20).ppf(0.5), abs=2e-4)

    def profit(x):
        density = stats.burr12(2, 20)
        sold = 9 * integrate.quad(lambda c: min(x, c) * density.pdf(c), 0, 1, points=[x])[0]
        left = integrate.quad(lambda c: max(0.0, x - c) * density.pdf(c), 0, 1, points=[x])[0]
        return sold + left + 9 * x * density.sf(1.0) - 5 * x

    for x in (0.1, float(problem.optimizer[0]), 0.7):
        assert value(problem, [x]) == pytest.approx(profit(x), abs=2e-5)


def test_expectation_of_hartmann_by_gauss_hermite():
    """Clipping matters for 6e-7 of the contexts only."""
    problem = get_context("context_hartmann")
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    x = jnp.asarray([0.3, 0.2, 0.4, 0.3, 0.6])
    values = jax.jit(jax.vmap(lambda node: formulas.hartmann6(x, 0.5 + 0.1 * node[None])))(nodes)
    expected = float(weights @ values / weights.sum())
    assert value(problem, x) == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize("name", OPEN)
def test_optimum_by_an_independent_search(name):
    """A random design, then Nelder-Mead, finds the stored optimum again to 1e-4, and nothing above it."""
    problem = get_context(name)
    assert isinstance(problem, ContextObjective)
    if name == "context_ackley4":  # 2^15 nodes: fewer evaluations, near the centre of symmetry too
        count, starts = 128, 1
    else:
        count, starts = 512, 2
    rng = np.random.default_rng(11)
    points = rng.random((count, problem.dim))
    values = np.asarray(_values(problem, jnp.asarray(points)))
    assert values.max() <= float(problem.optimum) + 1e-9
    assert value(problem, problem.optimizer) == pytest.approx(float(problem.optimum), abs=1e-9)

    def objective(x):
        return -value(problem, np.clip(x, 0, 1))

    options = {"maxfev": 100 * problem.dim + 100, "xatol": 1e-7, "fatol": 1e-9}
    initial = points[np.argsort(-values)[:starts]]
    if "ackley" in name:  # thousands of local maxima, a unit apart: start in the central cell, 1 / 65 wide
        initial = np.array([[0.503, 0.498]])
        options["initial_simplex"] = initial + 0.004 * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    ends = [optimize.minimize(objective, start, method="Nelder-Mead", options=options) for start in initial]
    assert -min(end.fun for end in ends) == pytest.approx(float(problem.optimum), abs=1e-4)


def test_bad_input():
    problem = get_context("newsvendor")
    with pytest.raises(ValueError, match=r"x: newsvendor expects shape \(1,\)"):
        problem.value(jnp.zeros(2))
    with pytest.raises(ValueError, match=r"context: newsvendor expects shape \(1,\)"):
        problem.observe(jax.random.key(0), jnp.zeros(1), jnp.zeros(2))
    with pytest.raises(KeyError, match="context_ackley"):
        get_context("context_ackly")
    for bad in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match="deviation: "):
            Normal(0.5, bad)
        with pytest.raises(ValueError, match="beta: "):
            Burr(2.0, bad)
    with pytest.raises(ValueError, match="power of two"):
        quadrature(Uniform(), 1, 12)
    fields = {"name": "mine", "context_dim": 1, "formula": formulas.newsvendor, "distribution": Uniform(), "nodes": 4}
    with pytest.raises(ValueError, match="optimizer: "):
        ContextProblem(**fields, dim=2, optimum=0.0, optimizer=(0.5,))
    with pytest.raises(ValueError, match="chunk: "):
        ContextProblem(**fields, dim=1, optimum=0.0, optimizer=(0.5,), chunk=3)


def test_the_expectation_does_not_depend_on_the_chunk():
    fields = {"name": "mine", "dim": 1, "context_dim": 1, "formula": formulas.newsvendor, "distribution": Burr()}
    x = jnp.asarray([0.3])
    values = [
        float(ContextProblem(**fields, nodes=64, optimum=0.0, optimizer=(0.5,), chunk=chunk).value(x))
        for chunk in (1, 16, 256)
    ]
    np.testing.assert_allclose(values, values[0], rtol=1e-12)
