"""Operations counted against formulas worked out by hand."""

import jax
import jax.numpy as jnp
import pytest

from theory_checks.boke import operations as table
from theory_checks.boke.testbeds.operation_count import operations

M = jax.ShapeDtypeStruct((7, 5), jnp.float64)
N = jax.ShapeDtypeStruct((5, 3), jnp.float64)
SQUARE = jax.ShapeDtypeStruct((6, 6), jnp.float64)
COLUMNS = jax.ShapeDtypeStruct((6, 4), jnp.float64)


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (lambda a, b: a @ b, (M, N), 2 * 7 * 5 * 3),
        (lambda a: jnp.exp(a) + 1.0, (M,), 2 * 35),
        (lambda a: jnp.sum(a), (M,), 35),
        (lambda a: jax.vmap(lambda row: row @ row)(a), (M,), 2 * 35),
        (jax.lax.linalg.cholesky_p.bind, (SQUARE,), 6**3 / 3),
        (lambda a, b: jax.lax.linalg.triangular_solve(a, b, left_side=True), (SQUARE, COLUMNS), 6 * 6 * 4),
        (lambda a: jax.lax.scan(lambda s, row: (s + row, None), jnp.zeros(5), a)[0], (M,), 7 * 5),
        (lambda a: jax.lax.cond(True, lambda x: x @ x, lambda x: x, a), (SQUARE,), 2 * 6**3),
        (jax.jit(lambda a: jnp.sin(a)), (M,), 35),
    ],
)
def test_by_hand(function, arguments, expected):
    assert operations(function, *arguments) == pytest.approx(expected, rel=1e-12)


def test_loops_of_unknown_length_are_refused():
    with pytest.raises(NotImplementedError, match="while"):
        operations(lambda a: jax.lax.while_loop(lambda s: jnp.sum(s) < 9, lambda s: s + 1, a), M)


def test_the_counts_are_those_of_the_formulas():
    """Kernel sums: a difference, a square and a sum an axis, and a few more a pair; a cube; one solve a point."""
    t = 2**14
    assert 8 * t <= table.counted("inference", "boke", t) <= 100 * t
    assert t**3 / 3 <= table.counted("preprocessing", "gp_ucb", t) <= 2 * t**3
    assert t**2 <= table.counted("inference", "gp_ucb", t) <= 3 * t**2
    assert table.counted("preprocessing", "boke", t) == table.counted("preprocessing", "boke", 2 * t) <= 200


def test_blocks_traced_once_a_size_count_as_blocks_written_out():
    for phase in ("preprocessing", "inference"):
        assert table.counted(phase, "gp_ucb", 2**10) == table._counted(phase, "gp_ucb", 2**10)


def test_another_power_is_refuted_and_the_printed_ones_are_tight():
    assert table.table1("smoke").verdict == "supported"
    slopes = table.table1("smoke").numbers
    assert all(abs(one["slope"] - one["printed"]) <= table.MARGIN for one in slopes.values())
    assert table.table1.negative_control("smoke").verdict == "refuted"
    assert table.table1_total("smoke").verdict == "supported"
    assert table.table1_total.negative_control("smoke").verdict == "refuted"
