"""BFGS: the numbers of optimistix, from every start alike, and what becomes of starts that lead nowhere."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optimistix as optx

from core.search.bfgs import bfgs_from_each
from tests.core.helpers import OPTIMISED

STARTS = np.random.default_rng(0).uniform(-1.5, 1.5, size=(6, 2))
TOLERANCE = 1e-6


def rosenbrock(z: jax.Array) -> jax.Array:
    """NaN right of a wall."""
    value = 100.0 * (z[1] - z[0] ** 2) ** 2 + (1.0 - z[0]) ** 2
    return jnp.where(z[0] > 1.4, jnp.nan, value)


@functools.partial(jax.jit, static_argnums=1, **OPTIMISED)
def ours(starts: jax.Array, max_steps: int) -> jax.Array:
    return bfgs_from_each(rosenbrock, starts, max_steps, TOLERANCE)


@functools.partial(jax.jit, static_argnums=1, **OPTIMISED)
def theirs(starts: jax.Array, max_steps: int) -> jax.Array:
    solver = optx.BFGS(rtol=TOLERANCE, atol=TOLERANCE)

    def least(start: jax.Array) -> jax.Array:
        return optx.minimise(lambda z, _: rosenbrock(z), solver, start, max_steps=max_steps, throw=False).value

    return jax.vmap(least)(starts)


def test_every_bit_is_optimistixs() -> None:
    for max_steps in (3, 200):
        np.testing.assert_array_equal(ours(STARTS, max_steps), theirs(STARTS, max_steps))


def test_it_finds_the_minimum_and_leaves_starts_that_are_not_finite() -> None:
    starts = np.array([[-1.2, 1.0], [1.45, 0.0], [np.nan, 0.0]])
    found = np.asarray(ours(np.concatenate([starts, starts]), 200))
    np.testing.assert_allclose(found[0], [1.0, 1.0], atol=1e-5)
    np.testing.assert_array_equal(found[1:3], starts[1:])
    np.testing.assert_array_equal(found[3:], found[:3])
