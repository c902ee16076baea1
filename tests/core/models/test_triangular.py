"""Inverses by blocks against LAPACK and against 60-digit arithmetic."""

from decimal import Decimal, localcontext

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.linalg

from core.models import triangular
from core.models.triangular import LEAF

inverse_of_lower, gram_of_lower = jax.jit(triangular.inverse_of_lower), jax.jit(triangular.gram_of_lower)


def _factor(size: int, noise: float) -> np.ndarray:
    """Cholesky factor of a Gram matrix that only ``noise`` keeps from being singular."""
    x = np.random.default_rng(size).random((size, 2))
    distance = ((x[:, None] - x[None]) ** 2).sum(axis=-1)
    return np.linalg.cholesky(np.exp(-0.5 * distance / 0.3**2) + noise * np.eye(size))


@pytest.mark.parametrize("size", [1, LEAF, LEAF + 1, 3 * LEAF + 5])
def test_blocks_give_lapacks_inverses(size):
    factor = _factor(size, 1e-2)
    whitener = inverse_of_lower(jnp.asarray(factor))
    expected = scipy.linalg.solve_triangular(factor, np.eye(size), lower=True)
    np.testing.assert_allclose(whitener, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    assert not np.triu(whitener, 1).any()
    inverse = gram_of_lower(whitener)
    np.testing.assert_allclose(inverse, expected.T @ expected, rtol=0, atol=1e-12 * np.abs(inverse).max())


def test_blocks_are_as_accurate_as_forward_substitution_on_nearly_singular_data():
    """Error of ``L^{-1} b`` for a b in reach of the data, against sixty digits: at most thrice that of substitution."""
    size = 150
    factor = _factor(size, 1e-8)
    right = factor @ np.random.default_rng(0).standard_normal(size)
    with localcontext(prec=60):
        rows = [[Decimal(float(entry)) for entry in row] for row in factor]
        exact: list[Decimal] = []
        for i, row in enumerate(rows):
            known = sum((a * b for a, b in zip(row, exact, strict=False)), Decimal(0))
            exact.append((Decimal(float(right[i])) - known) / row[i])

        def error(matrix: np.ndarray) -> Decimal:
            found = matrix @ right
            return max(abs(Decimal(float(one)) - other) for one, other in zip(found, exact, strict=True))

        substituted = scipy.linalg.solve_triangular(factor, np.eye(size), lower=True)
        assert error(np.asarray(inverse_of_lower(jnp.asarray(factor)))) <= 3 * error(substituted)
