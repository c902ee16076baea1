"""BFGS against optimistix's, step by step, from the same starts."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optimistix as optx
import pytest

from core.search import bfgs
from core.search.bfgs import minimise_from_each

STEPS = 60
TOLERANCE = 1e-6


def valley(z: jax.Array) -> jax.Array:
    """Rosenbrock's function, rotated a little and scaled: many rejected points."""
    a, b = z[0] + 0.2 * z[1], z[1] - 0.1 * z[0]
    return 0.1 * (1.0 - a) ** 2 + 8.0 * (b - a**2) ** 2


def kinks(z: jax.Array) -> jax.Array:
    """Smooth, plus a kink along a line and one in a corner."""
    return jnp.sum(jnp.cos(2.0 * z)) + jnp.abs(z[0] - 0.7 * z[1]) + 0.3 * jnp.max(jnp.abs(z))


def wall(z: jax.Array) -> jax.Array:
    """Undefined beyond a line that steps cross."""
    return jnp.where(z[0] > 1.0, jnp.nan, jnp.sum((z - 0.9) ** 2 * jnp.asarray([1.0, 30.0])))


LOSSES: dict[str, Callable[[jax.Array], jax.Array]] = {"valley": valley, "kinks": kinks, "wall": wall}
STARTS = jnp.asarray(np.random.default_rng(3).normal(0.0, 1.2, (5, 2)) - 0.3)


def theirs(loss: Callable[[jax.Array], jax.Array], start: jax.Array) -> tuple[np.ndarray, np.ndarray]:
    """Points accepted after 1, ..., STEPS steps of optimistix's, and how many were made before the run ended."""
    solver: Any = optx.BFGS(rtol=TOLERANCE, atol=TOLERANCE)
    number, none = jax.ShapeDtypeStruct((), start.dtype), frozenset[object]()
    function = lambda z, args: (loss(z), None)  # noqa: E731, ARG005
    state = solver.init(function, start, None, {}, number, None, none)
    arrays, static = eqx.partition(state, eqx.is_array)

    def step(carry: tuple[jax.Array, Any, jax.Array], _: None) -> Any:
        point, arrays, active = carry
        reached, following, _aux = solver.step(function, point, None, {}, eqx.combine(arrays, static), none)
        ended, _result = solver.terminate(function, reached, None, {}, following, none)
        arrays = jax.tree.map(lambda new, old: jnp.where(active, new, old), eqx.filter(following, eqx.is_array), arrays)
        point = jnp.where(active, reached, point)
        return (point, arrays, active & ~ended), (point, active)

    _, (points, active) = jax.lax.scan(step, (start, arrays, jnp.asarray(True)), None, length=STEPS)
    return points, jnp.sum(active)


def ours(loss: Callable[[jax.Array], jax.Array], start: jax.Array) -> tuple[np.ndarray, np.ndarray]:
    """The same of this project's."""

    def step(run: Any, _: None) -> Any:
        following = bfgs._step(lambda z: (loss(z), 3.0 * loss(z)), TOLERANCE, run)
        run_now = jax.tree.map(lambda new, old: jnp.where(run.active, new, old), following, run)
        return run_now, (run_now.point, run.active)

    _, (points, active) = jax.lax.scan(step, bfgs._begin(start), None, length=STEPS)
    return points, jnp.sum(active)


@pytest.mark.parametrize("name", LOSSES)
def test_step_by_step_as_optimistix(name: str) -> None:
    loss = LOSSES[name]
    expected, found = (jax.jit(jax.vmap(lambda s, m=method: m(loss, s)))(STARTS) for method in (theirs, ours))
    # Rounding grows along the way.
    for steps, atol in ((12, 1e-10), (STEPS, 1e-5)):
        np.testing.assert_allclose(found[0][:, :steps], expected[0][:, :steps], atol=atol)
    if name == "valley":
        np.testing.assert_allclose(found[1], expected[1], atol=2)
        assert 12 < int(np.min(found[1])) < STEPS
        distinct = [len(np.unique(np.asarray(path), axis=0)) for path in found[0]]
        assert max(np.asarray(found[1]) - distinct) > 3  # points were rejected


def test_the_by_product_is_that_of_the_accepted_point() -> None:
    for steps in (1, 4, 40):
        points, values = jax.jit(lambda s, n=steps: minimise_from_each(lambda z: (kinks(z), 3.0 * z[0]), s, n, 1e-6))(
            STARTS
        )
        np.testing.assert_array_equal(values, 3.0 * points[:, 0])
        if steps == 1:
            np.testing.assert_array_equal(points, STARTS)  # the first step evaluates the start


def test_a_start_that_is_not_finite_is_where_its_run_ends() -> None:
    starts = STARTS.at[1, 0].set(jnp.nan)
    points, values = jax.jit(lambda s: minimise_from_each(lambda z: (valley(z), valley(z)), s, 30, 1e-6))(starts)
    assert np.isnan(points[1, 0])
    assert np.isnan(values[1])
    assert bool(jnp.all(jnp.isfinite(values[jnp.asarray([0, 2, 3, 4])])))


def test_a_loop_holds_one_copy_of_the_loss() -> None:
    """Counted in the program: the loss's one cosine, and the sine of its gradient."""

    def loss(z: jax.Array) -> tuple[jax.Array, jax.Array]:
        value = jnp.sum(jnp.cos(z)) + jnp.sum(z**2)
        return value, value

    def count(starts: int) -> tuple[int, int]:
        text = str(jax.make_jaxpr(lambda s: minimise_from_each(loss, s, 30, 1e-6))(jnp.ones((starts, 2))))
        return text.count("= cos "), text.count("= sin ")

    assert count(1) == (1, 1)
    if jax.default_backend() == "cpu":
        assert count(bfgs.MANY) == (2, 2)  # together, then alone
