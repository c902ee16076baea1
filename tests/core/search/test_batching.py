"""`batch` equals `vmap` in each of its ways to run."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.search.batching import batch


def halvings(start: jax.Array, limit: jax.Array) -> dict[str, jax.Array]:
    """An iteration whose length depends on the lane."""

    def step(carry: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        return 0.5 * carry[0], carry[1] + 1

    value, count = jax.lax.while_loop(lambda carry: carry[0] > limit, step, (start, jnp.asarray(0)))
    return {"value": value, "count": count}


STARTS, LIMITS = jnp.asarray([1.0, 40.0, 0.3]), jnp.asarray([0.3, 0.01, 0.5])


@pytest.mark.parametrize("backend", ["cpu", "gpu"])
def test_same_values_as_vmap(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax, "default_backend", lambda: backend)
    found = jax.jit(lambda *arguments: batch(halvings, *arguments))(STARTS, LIMITS)
    np.testing.assert_array_equal(found["count"], [2, 12, 0])
    np.testing.assert_array_equal(found["value"], np.asarray(STARTS) / 2.0 ** np.array([2, 12, 0]))


def test_inside_a_vmap_of_the_callers() -> None:
    found = jax.vmap(lambda limits: batch(halvings, STARTS, limits)["count"])(jnp.stack([LIMITS, LIMITS[::-1]]))
    np.testing.assert_array_equal(found, [[2, 12, 0], [1, 12, 0]])
