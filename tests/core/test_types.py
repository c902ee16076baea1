"""Observations at fixed capacity."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.types import Objective, Observations
from tests.core.helpers import sample_data


def test_of_keeps_rows_and_masks_the_rest() -> None:
    x, y = sample_data(5, 3, 0)
    data = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=9)
    assert (data.capacity, data.dim, int(data.count)) == (9, 3, 5)
    np.testing.assert_array_equal(data.mask, np.arange(9) < 5)
    np.testing.assert_array_equal(data.x[:5], x)
    np.testing.assert_array_equal(data.y, np.append(y, np.zeros(4)))
    assert data.context.shape == (9, 0)
    assert data.noise_variance.shape == (9, 0)


def test_append_one_by_one_equals_of() -> None:
    x, y = sample_data(6, 2, 1)
    noise = np.linspace(0.1, 0.6, 6)
    context = np.arange(12.0).reshape(6, 2)
    data = Observations.empty(8, 2, context_dim=2, with_noise=True)
    append = jax.jit(lambda data, *row: data.append(*row))
    for row in zip(*(jnp.asarray(part) for part in (x, y, context, noise)), strict=True):
        data = append(data, *row)
    whole = Observations.of(*(jnp.asarray(part) for part in (x, y, context, noise)), capacity=8)
    assert jax.tree.structure(data) == jax.tree.structure(whole)
    jax.tree.map(np.testing.assert_array_equal, data, whole)


def test_append_at_capacity_overwrites_the_last_row_only() -> None:
    x, y = (jnp.asarray(part) for part in sample_data(3, 2, 2))
    data = Observations.of(x, y).append(jnp.array([0.5, 0.25]), jnp.asarray(-1.0))
    np.testing.assert_array_equal(data.x[:2], x[:2])
    np.testing.assert_array_equal(data.x[2], [0.5, 0.25])
    assert bool(data.mask.all())


def test_grow_changes_nothing_that_is_used() -> None:
    x, y = (jnp.asarray(part) for part in sample_data(3, 2, 3))
    data = Observations.of(x, y, noise_variance=jnp.ones(3)).grow(7)
    assert data.noise_variance.shape == (7, 1)
    assert int(data.count) == 3
    np.testing.assert_array_equal(data.x[:3], x)
    np.testing.assert_array_equal(data.noise_variance[3:], 0.0)
    with pytest.raises(ValueError, match="cannot shrink from capacity 7 to 5"):
        data.grow(5)


def test_no_rows_and_one_row() -> None:
    none = Observations.of(jnp.zeros((0, 2)), jnp.zeros(0))
    assert (none.capacity, int(none.count), bool(none.mask.any())) == (1, 0, False)
    one = Observations.of(jnp.ones((1, 2)), jnp.ones(1))
    assert (one.capacity, int(one.count)) == (1, 1)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": np.zeros((3, 2)), "y": np.zeros(4)}, r"y must have shape \(3,\).*got \(4,\)"),
        ({"x": np.zeros(3), "y": np.zeros(3)}, r"x must have shape \(t, d\).*got \(3,\)"),
        ({"x": np.zeros((3, 0)), "y": np.zeros(3)}, "d >= 1"),
        ({"x": np.zeros((3, 2)), "y": np.zeros(3), "capacity": 2}, "capacity 2 is smaller than the 3"),
        ({"x": np.zeros((3, 2)), "y": np.zeros(3), "context": np.zeros((2, 1))}, r"context must have shape \(3, c\)"),
        ({"x": np.zeros((3, 2)), "y": np.zeros(3), "context": np.zeros(3)}, r"context must have shape \(3, c\)"),
        ({"x": np.zeros((3, 2)), "y": np.zeros(3), "noise_variance": np.zeros(2)}, r"noise_variance must .*\(3,\)"),
        ({"x": np.zeros((3, 2)), "y": np.zeros(3), "noise_variance": np.zeros((3, 1))}, "noise_variance must"),
    ],
)
def test_mismatched_rows_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Observations.of(**arguments)


@pytest.mark.parametrize("sizes", [(0, 2), (3, 0), (3, 2, -1)])
def test_empty_refuses_sizes_without_meaning(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="must be at least"):
        Observations.empty(*sizes)


def test_objective_is_a_protocol_checked_at_run_time() -> None:
    class Good:
        dim = 1

        def value(self, x: jax.Array) -> jax.Array:
            return x[0]

        def observe(self, key: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
            return x[0], jnp.zeros(())

    assert isinstance(Good(), Objective)
    assert not isinstance(object(), Objective)
