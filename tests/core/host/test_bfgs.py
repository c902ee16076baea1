"""BFGS on the host takes the steps of BFGS in JAX."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.host.bfgs import bounded_bfgs
from core.search import maximize


def hill(x: jax.Array) -> jax.Array:
    """Largest at (0.7, -0.4, 2.3), inside; steep in one coordinate, with a ripple."""
    apart = x - jnp.array([0.7, -0.4, 2.3])
    return jnp.exp(-jnp.sum(jnp.array([1.0, 30.0, 3.0]) * apart**2)) + 0.05 * jnp.cos(9.0 * apart[0])


@pytest.mark.parametrize("max_steps", [1, 2, 3, 5, 9, 200])
def test_step_by_step(max_steps: int) -> None:
    lower, upper = np.array([0.0, -1.0, 1.0]), np.array([1.0, 1.0, 3.0])
    starts = lower + np.random.default_rng(3).random((6, 3)) * (upper - lower)
    gradient = jax.vmap(jax.value_and_grad(hill))

    def objective(points: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
        values, slopes = (np.asarray(part) for part in gradient(jnp.asarray(points)))
        return values, lambda wanted: slopes[wanted]

    corners = jnp.asarray(lower), jnp.asarray(upper)
    points, values = maximize.bounded_bfgs(hill, jnp.asarray(starts), *corners, max_steps, 0.3, 0.2)
    found, reached = bounded_bfgs(objective, starts, lower, upper, max_steps, 0.3, 0.2)
    np.testing.assert_allclose(reached, values, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(found, points, atol=2e-5)
