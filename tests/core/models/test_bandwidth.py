"""Bandwidth rules against eqs. (28) and (29)."""

import jax
import jax.numpy as jnp
import pytest

from core.models.bandwidth import fixed, scott, silverman


@pytest.mark.parametrize("dim", [1, 2, 6])
@pytest.mark.parametrize("count", [1, 2, 7, 1000, 10**9])
def test_rules(count: int, dim: int) -> None:
    assert float(scott(count, dim, 0.3)) == pytest.approx(0.3 * dim**0.5 * count ** (-1 / (dim + 4)), rel=1e-13)
    assert float(silverman(count, dim, 0.3)) == pytest.approx(
        0.3 * dim**0.5 * (count * (dim + 2) / 4) ** (-1 / (dim + 4)), rel=1e-13
    )
    assert float(fixed(count, dim, 0.3)) == 0.3


def test_no_data_counts_as_one_observation() -> None:
    assert float(scott(0, 4, 0.5)) == 1.0
    assert float(silverman(0, 2, 0.5)) == float(silverman(1, 2, 0.5))


def test_a_traced_count_gives_the_same() -> None:
    traced = jax.jit(lambda count, constant: scott(count, 3, constant))(jnp.asarray(17), jnp.asarray(0.2))
    assert float(traced) == pytest.approx(float(scott(17, 3, 0.2)), rel=1e-15)
